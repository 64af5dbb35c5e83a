import type { RelatedBudget, Segment } from '../extraction/extractor.ts'
import { keysFound } from '../extraction/rules/persona-rules.ts'
import { byPlace, type PlacedFact } from '../facts/placed-fact.ts'
import { byLastLearned, type StandingFacts } from '../facts/standing-facts.ts'
import type { Memory } from '../memories/memory.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { MergeClass } from '@keepsake/text'
import { type Accepts, fuseLists, type RankedList, shortList } from './fuse-lists.ts'
import { holdingFacts, type HoldingFacts, TOKENS_A_LINE } from './holding-facts.ts'
import { isShown, type UserKnowledge } from './known-of-scope.ts'
import { SharedWords } from './share-words.ts'
import { factsByAllWords } from './worded-facts.ts'

/** Fills a list within a budget; a fact that is too long is skipped. */
class RoomForFacts {
  readonly #chosen = new Set<PlacedFact>()
  readonly #most: number
  readonly #leastTokens: number
  readonly #facts: HoldingFacts
  #left: number

  constructor({ most, tokens }: RelatedBudget, facts: HoldingFacts) {
    this.#facts = facts
    this.#most = most
    this.#left = tokens
    // Every line is longer than its markup.
    this.#leastTokens = Math.max(TOKENS_A_LINE, facts.leastTokens)
  }

  get chosen(): Memory[] {
    return Array.from(this.#chosen, ({ fact }) => fact)
  }

  /** Remaining tokens; 0 if the list is full. */
  get left(): number {
    return this.isFull ? 0 : this.#left
  }

  get isFull(): boolean {
    return this.#chosen.size === this.#most || this.#left < this.#leastTokens
  }

  /** Checks whether the fact at a place fits. */
  fits(place: number): boolean {
    return this.#facts.tokensAt(place) <= this.left
  }

  take(placed: PlacedFact): void {
    if (this.#chosen.has(placed) || !this.fits(placed.place)) return
    this.#chosen.add(placed)
    this.#left -= this.#facts.tokensAt(placed.place)
  }
}

/** Lists the active facts under some keys, last learned first. */
function factsUnderKeys(weight: number, holding: HoldingFacts, keys: Iterable<string>): RankedList {
  const wanted = new Set(keys)
  const lists = [...wanted].flatMap((key) => holding.ofKey(key) ?? [])
  const rankOf = (asked: PlacedFact): number => {
    const { key, validUntil } = asked.fact
    if (key === null || validUntil !== null || !wanted.has(key)) return -1
    return lists.reduce((sum, list) => sum + list.firstFrom((one) => byLastLearned(one, asked) >= 0), 0)
  }
  return {
    weight,
    head: (count, accepts) => {
      const firsts = lists.flatMap(({ items }) => firstAccepted(items, count, accepts))
      return firsts.sort(byLastLearned).slice(0, count)
    },
    ranksOf: (facts) => facts.map(rankOf),
  }
}

function firstAccepted(items: readonly PlacedFact[], count: number, accepts: Accepts): PlacedFact[] {
  const found: PlacedFact[] = []
  for (const fact of items) {
    if (found.length === count) break
    if (accepts(fact.place)) found.push(fact)
  }
  return found
}

/** Classes with one value at a time, which change without a shared word. */
const CHANGING: ReadonlySet<MergeClass> = new Set(['replace', 'trajectory'])

function changingKeys({ engine }: UserKnowledge, holding: HoldingFacts): string[] {
  const { keyTable } = engine.preset
  return [...holding.keys].filter((key) => CHANGING.has(keyTable.get(key)?.merge ?? 'append'))
}

/** Lists facts that may change without being named: single values, newest first. */
export function changing(known: UserKnowledge, scope: number): Memory[] {
  const holding = holdingFacts(known.state.facts(scope))
  const found = factsUnderKeys(1, holding, changingKeys(known, holding)).head(
    Number.POSITIVE_INFINITY,
    () => true,
  )
  return found.map(({ fact }) => fact)
}

/** Semantic hits per turn; further ones are near to anything. */
const HITS_A_TURN = 1
/**
 * Weight of shared rare words. Chosen on two own users: the old statement of 47 of 52 changes was shown, against 40
 * with equal weights.
 */
const RARE_WORDS = 8
/** Weight of rare words per turn with its question, so that short answers are not crowded out. */
const TURN_BY_TURN = 3
/** Weight of keys that rules found, and of single-value keys. */
const SAME_KEYS = 4
const ONE_AT_A_TIME = 3
/** Number of first hits that add facts from the same turns. */
const BRINGING = 12
/** Minimum token budget, and tokens per turn, up to the budget. */
const TOKENS_AT_LEAST = 280
const TOKENS_A_TURN = 36

/**
 * Selects live facts that a segment may touch, within the budget, newest first. Ranks by rare words, meaning, keys
 * found by rules and single-value keys; adds facts from the same turns, then the latest.
 *
 * @param found hits of each turn, best first
 */
export async function rankTouched(
  known: UserKnowledge,
  segment: Segment,
  found: readonly (readonly Memory[])[],
  budget: RelatedBudget,
): Promise<readonly Memory[]> {
  const { state } = known
  const standing = state.facts(segment.scope)
  const holding = holdingFacts(standing)
  const tokens = Math.min(budget.tokens, TOKENS_AT_LEAST + TOKENS_A_TURN * segment.turns.length)
  const room = new RoomForFacts({ ...budget, tokens }, holding)
  const first: PlacedFact[] = []
  const mayBeTaken = (place: number): boolean => first.length < BRINGING || room.fits(place)
  for (const fact of fuseLists(await listsOf(known, holding, segment, found), mayBeTaken)) {
    if (room.isFull) break
    if (first.length < BRINGING) first.push(fact)
    room.take(fact)
  }
  for (const fact of fromSameTurns(state, standing, first)) room.take(fact)
  for (const fact of holding.lastLearned(() => room.left)) room.take(fact)
  return room.chosen.sort((one, other) => other.learnedAt - one.learnedAt)
}

async function listsOf(
  known: UserKnowledge,
  holding: HoldingFacts,
  segment: Segment,
  found: readonly (readonly Memory[])[],
): Promise<RankedList[]> {
  const standing = known.state.facts(segment.scope)
  const words = new SharedWords(factsByAllWords(standing), segment.turns)
  const nearest = found.map((hits) => hits.slice(0, HITS_A_TURN).map(({ id }) => id))
  return [
    words.rare(RARE_WORDS),
    shortList(TURN_BY_TURN, words.turnByTurn()),
    factsUnderKeys(SAME_KEYS, holding, await keysFound(segment, known.engine.rules)),
    factsUnderKeys(ONE_AT_A_TIME, holding, changingKeys(known, holding)),
    ...nearest.map((ids) => shortList(1, placedOf(standing, ids))),
  ]
}

/** Finds active facts that rest on the same turns, in insertion order. */
function fromSameTurns(
  state: UserState,
  standing: StandingFacts,
  first: readonly PlacedFact[],
): PlacedFact[] {
  const turns = new Set(first.flatMap(({ fact }) => fact.evidence.map(({ turn }) => turn)))
  const ids = new Set([...turns].flatMap((turn) => [...state.memoriesOfTurn(turn)].map(({ id }) => id)))
  return placedOf(standing, ids)
    .filter(({ fact }) => fact.validUntil === null && isShown(fact))
    .sort(byPlace)
}

function placedOf(standing: StandingFacts, ids: Iterable<string>): PlacedFact[] {
  return Array.from(ids).flatMap((id) => standing.placed(id) ?? [])
}

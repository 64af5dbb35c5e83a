import type { RelatedBudget, Segment } from '../extraction/extractor.ts'
import { keysFound } from '../extraction/rules/persona-rules.ts'
import { byPlace, type PlacedFact } from '../facts/placed-fact.ts'
import { byLastLearned, type StandingFacts } from '../facts/standing-facts.ts'
import type { Memory } from '../memories/memory.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { MergeClass } from '@keepsake/text'
import { type Accepts, fuseLists, type RankedList, shortList } from './fuse-lists.ts'
import { holdingFacts, type HoldingFacts } from './holding-facts.ts'
import { isShown, type Known } from './known-of-scope.ts'
import { RoomForFacts } from './room-for-facts.ts'
import { SharedWords } from './share-words.ts'
import { factsByAllWords } from './worded-facts.ts'

/** What holds under some keys, the last learned first. */
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

/** What a person has one of at a time: most likely to be changed by words that share none with it. */
const CHANGING: ReadonlySet<MergeClass> = new Set(['replace', 'trajectory'])

/** Keys of what may be changed without being named. */
function changingKeys({ engine }: Known, holding: HoldingFacts): string[] {
  const { keyTable } = engine.preset
  return [...holding.keys].filter((key) => CHANGING.has(keyTable.get(key)?.merge ?? 'append'))
}

/** What may be changed without being named: values of which there is one at a time, newest first. */
export function changing(known: Known, scope: number): Memory[] {
  const holding = holdingFacts(known.state.facts(scope))
  const found = factsUnderKeys(1, holding, changingKeys(known, holding)).head(
    Number.POSITIVE_INFINITY,
    () => true,
  )
  return found.map(({ fact }) => fact)
}

/** Of what one turn finds by meaning, the first counts: the rest is near to anything. */
const HITS_A_TURN = 1
/**
 * How much sharing rare words counts beside each other way of being found. Chosen on two people of our own: of 52 changes
 * the old statement was among those shown 47 times; 40 times with all ways alike and eight hits a turn. (Twelve facts found
 * by five hits a turn, as before, had it 30 times.)
 */
const RARE_WORDS = 8
/** The same turn by turn, each with the question it answers: what a short answer changes is not crowded out by long ones. */
const TURN_BY_TURN = 3
/** What rules find a new value for, and values of which there is one at a time: they change without a word in common. */
const SAME_KEYS = 4
const ONE_AT_A_TIME = 3
/** The first so many bring what was told with them. */
const BRINGING = 12
/** A short segment touches little: room for so many tokens, and so many more a turn, up to the budget. */
const TOKENS_AT_LEAST = 280
const TOKENS_A_TURN = 36

/**
 * The live facts that a segment may touch, newest first, as many as fit: what shares rare words with its turns, names above
 * all; what these find by meaning; what stands under the same keys as what rules read in it; what there is one of at a
 * time; what was told together with the first of these, for it may hang on them; then the latest learned.
 *
 * @param found what each turn finds, best first
 */
export async function rankTouched(
  known: Known,
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
  for (const fact of toldWith(state, standing, first)) room.take(fact)
  for (const fact of holding.lastLearned(() => room.left)) room.take(fact)
  return room.chosen.sort((one, other) => other.learnedAt - one.learnedAt)
}

/** All ways in which facts are found that a segment may touch. */
async function listsOf(
  known: Known,
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

/** What still holds and rests on the same turns, in the order of becoming known. */
function toldWith(state: UserState, standing: StandingFacts, first: readonly PlacedFact[]): PlacedFact[] {
  const turns = new Set(first.flatMap(({ fact }) => fact.evidence.map(({ turn }) => turn)))
  const told = new Set([...turns].flatMap((turn) => [...state.memoriesOfTurn(turn)].map(({ id }) => id)))
  return placedOf(standing, told)
    .filter(({ fact }) => fact.validUntil === null && isShown(fact))
    .sort(byPlace)
}

function placedOf(standing: StandingFacts, ids: Iterable<string>): PlacedFact[] {
  return Array.from(ids).flatMap((id) => standing.placed(id) ?? [])
}

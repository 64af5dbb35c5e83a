// Ranks the known facts that turns touch.
import { estimateTokens, type KeyTable, type MergeClass } from '@keepsake/text'
import type { RelatedBudget, Segment } from '../extraction/extractor.ts'
import { keysFound } from '../extraction/rules/persona-rules.ts'
import { oncePerFact } from '../facts/fact-lookup.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import type { UserState } from '../user-state/user-state.ts'
import { SharedWords } from './shared-words.ts'
import { tellsOfRequest } from '../memories/kept-request.ts'
import { type SearchOptions, BM25_ONLY, type RetrievalRecipe } from '@keepsake/search'
import type { Engine } from '../work/engine.ts'

/** Tokens of a line besides the statement: number, quotation marks, line break, sometimes a day. */
const TOKENS_A_LINE = 4
const tokensOf = oncePerFact(({ text }: Memory) => estimateTokens(text) + TOKENS_A_LINE)

/** Fills a list within a budget; a fact that is too long is skipped. */
class RoomForFacts {
  readonly #chosen = new Set<Memory>()
  readonly #most: number
  readonly #leastTokens: number
  #left: number

  constructor({ most, tokens }: RelatedBudget, facts: readonly Memory[]) {
    this.#most = most
    this.#left = tokens
    this.#leastTokens = facts.reduce(
      (least, fact) => Math.min(least, tokensOf(fact)),
      Number.POSITIVE_INFINITY,
    )
  }

  get chosen(): Memory[] {
    return [...this.#chosen]
  }

  get isFull(): boolean {
    return this.#chosen.size === this.#most || this.#left < this.#leastTokens
  }

  fits(fact: Memory): boolean {
    return !this.isFull && tokensOf(fact) <= this.#left
  }

  add(fact: Memory): void {
    if (this.#chosen.has(fact) || !this.fits(fact)) return
    this.#chosen.add(fact)
    this.#left -= tokensOf(fact)
  }
}

interface RankedList {
  readonly weight: number
  readonly facts: readonly Memory[]
}

/** Offset of reciprocal rank fusion (Cormack et al. use 60, for lists of thousands). */
const RANK_OFFSET = 8

/** Orders facts by the sum of their reciprocal ranks; ties in list order. */
function fuseLists(lists: readonly RankedList[]): Memory[] {
  const scores = new Map<Memory, number>()
  for (const { weight, facts } of lists)
    for (const [rank, fact] of facts.entries())
      scores.set(fact, (scores.get(fact) ?? 0) + weight / (RANK_OFFSET + rank))
  return [...scores].sort(([, a], [, b]) => b - a).map(([fact]) => fact)
}

/** The time by which facts have ended for those who speak in a segment. */
function endOf({ turns }: Segment): number {
  return turns.at(-1)?.at ?? Number.POSITIVE_INFINITY
}

/** Sorts active facts by time learned, latest first; ties in insertion order. */
function latestFirst(facts: readonly Memory[], time: number): Memory[] {
  return facts.filter((fact) => !isOver(fact, time)).sort((a, b) => b.learnedAt - a.learnedAt)
}

/** Classes with one value at a time, which change without a shared word. */
const CHANGING: ReadonlySet<MergeClass> = new Set(['replace', 'trajectory'])

function isChanging({ key }: Memory, table: KeyTable): boolean {
  return key !== null && CHANGING.has(table.get(key)?.merge ?? 'append')
}

/** Lists facts that may change without being named: single values, newest first. */
export function changing({ engine, state }: UserKnowledge, segment: Segment): Memory[] {
  return latestFirst(factsOf(state, segment.scope), endOf(segment)).filter((fact) =>
    isChanging(fact, engine.preset.keyTable),
  )
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
  { engine, state }: UserKnowledge,
  segment: Segment,
  found: readonly (readonly Memory[])[],
  budget: RelatedBudget,
): Promise<readonly Memory[]> {
  const facts = factsOf(state, segment.scope)
  const latest = latestFirst(facts, endOf(segment))
  const keys = new Set(await keysFound(segment, engine.rules))
  const words = new SharedWords(facts, segment.turns)
  const ranked = fuseLists([
    { weight: RARE_WORDS, facts: words.rare() },
    { weight: TURN_BY_TURN, facts: words.turnByTurn() },
    { weight: SAME_KEYS, facts: latest.filter(({ key }) => key !== null && keys.has(key)) },
    { weight: ONE_AT_A_TIME, facts: latest.filter((fact) => isChanging(fact, engine.preset.keyTable)) },
    ...found.map((hits) => ({ weight: 1, facts: hits.slice(0, HITS_A_TURN) })),
  ])
  const tokens = Math.min(budget.tokens, TOKENS_AT_LEAST + TOKENS_A_TURN * segment.turns.length)
  const room = new RoomForFacts({ ...budget, tokens }, facts)
  const first: Memory[] = []
  for (const fact of ranked) {
    if (room.isFull) break
    if (first.length < BRINGING) first.push(fact)
    room.add(fact)
  }
  for (const fact of fromSameTurns(state, segment, first)) room.add(fact)
  for (const fact of latest) room.add(fact)
  return room.chosen.sort((a, b) => b.learnedAt - a.learnedAt)
}

/** Finds active facts that rest on the same turns, in insertion order. */
function fromSameTurns(state: UserState, segment: Segment, first: readonly Memory[]): Memory[] {
  const turns = new Set(first.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  const ids = [...turns].flatMap((turn) => [...state.memoriesOfTurn(turn)].map(({ id }) => id))
  return state
    .facts(segment.scope)
    .find(ids)
    .filter((fact) => !isOver(fact, endOf(segment)) && isShown(fact))
}

export interface UserKnowledge {
  readonly engine: Engine
  readonly state: UserState
}

/** Finds facts that a statement or turn may change by words and meaning alone; conversation signals do not apply to facts. */
export const BY_WORDS_AND_MEANING: RetrievalRecipe = {
  ...BM25_ONLY,
  name: 'words-and-meaning',
  weights: { ...BM25_ONLY.weights, semantic: 0.7 },
}

/** Checks whether a memory is a live fact, except for notes of requests. */
function isShown(memory: Memory): boolean {
  return memory.form === 'fact' && memory.status === 'live' && !tellsOfRequest(memory)
}

export function factsOf(state: UserState, scope: number): readonly Memory[] {
  return [...state.facts(scope).live()].filter(isShown)
}

export function accepting(
  state: UserState,
  scope: number,
): Pick<SearchOptions, 'kind' | 'scopes' | 'accepts'> {
  const standing = state.facts(scope)
  return {
    kind: 'memory',
    scopes: new Set([scope]),
    accepts: (id) => {
      const memory = standing.get(id)
      return memory !== undefined && isShown(memory)
    },
  }
}

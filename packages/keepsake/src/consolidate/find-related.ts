// Finds the known facts that an extractor is shown with a segment.
import { BM25_ONLY, type RetrievalRecipe } from '@keepsake/search'
import { estimateTokens, type KeyTable, type MergeClass } from '@keepsake/text'
import type { RelatedBudget, Segment, WholeList } from '../extraction/extractor.ts'
import { sureRequestsIn } from '../extraction/rules/hear-requests.ts'
import { keysFound } from '../extraction/rules/persona-rules.ts'
import { oncePerFact } from '../facts/fact-lookup.ts'
import { isRequestNote } from '../memories/kept-request.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { embedCached } from '../models/embed-cached.ts'
import { requestTokens } from '../models/model-window.ts'
import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { SharedWords } from './shared-words.ts'

/** The known facts of a user, and the engine that searches them. */
export interface UserKnowledge {
  readonly engine: Engine
  readonly state: UserState
}

/** Scores facts by words and meaning only, because the other parts of the score are about turns. */
const BY_WORDS_AND_MEANING: RetrievalRecipe = {
  ...BM25_ONLY,
  name: 'words-and-meaning',
  weights: { ...BM25_ONLY.weights, semantic: 0.7 },
}

function isPlainFact(memory: Memory): boolean {
  return memory.form === 'fact' && memory.status === 'live' && !isRequestNote(memory)
}

/** Returns the live facts of a scope without the notes of requests, in insertion order. */
export function plainFacts(state: UserState, scope: number): readonly Memory[] {
  return [...state.facts(scope).live()].filter(isPlainFact)
}

interface FactSearch {
  /** Maximum number of hits per text. */
  readonly limit: number
  readonly accepts?: (id: string) => boolean
}

/** Searches the plain facts of a segment's scope with several texts. Returns the hits of each text, best first. */
export async function searchFacts(
  { engine, state }: UserKnowledge,
  segment: Segment,
  texts: readonly { readonly text: string; readonly at: number }[],
  { limit, accepts = () => true }: FactSearch,
): Promise<Memory[][]> {
  const questions = texts.map(({ text, at }) => readQuestionFor(state.index, text, { now: at }))
  const vectors = await embedCached(
    engine.embedding,
    questions.map(({ about }) => about),
  )
  const facts = state.facts(segment.scope)
  const options = {
    kind: 'memory',
    scopes: new Set([segment.scope]),
    accepts: (id: string): boolean => {
      const fact = facts.get(id)
      return fact !== undefined && isPlainFact(fact) && accepts(id)
    },
    limit,
    now: segment.turns.at(-1)?.at ?? 0,
  } as const
  return questions.map((read, index) => {
    const { hits } = searchIndex(
      state.index,
      { read, vector: vectors[index] ?? null },
      BY_WORDS_AND_MEANING,
      options,
    )
    return hits.flatMap(({ id }) => facts.get(id) ?? [])
  })
}

/** Maximum number of turns that are used as queries, the latest ones. */
const MAX_QUERY_TURNS = 40

/** Searches with each turn of a segment, and with the topic of each request to forget, which may be a small part of its turn. */
function searchByTurns(user: UserKnowledge, segment: Segment, search: FactSearch): Promise<Memory[][]> {
  const turns = segment.turns.slice(-MAX_QUERY_TURNS)
  const topicsToForget = sureRequestsIn({ ...segment, turns }).flatMap(({ about, evidence }) => {
    const at = turns.find((turn) => turn.id === evidence.turn)?.at ?? 0
    return about === null ? [] : [{ text: about, at }]
  })
  return searchFacts(user, segment, [...topicsToForget, ...turns], search)
}

/** Interleaves rankings: first the best fact of each ranking, then the second of each, down to a depth. */
function interleave(rankings: readonly (readonly Memory[])[], depth: number): Memory[] {
  return Array.from({ length: depth }, (_, rank) => rankings.flatMap((ranking) => ranking[rank] ?? [])).flat()
}

/** Share of a request that the list of all facts may fill, if the extractor names no number of tokens. The rest is for the turns and the rules of the prompt. */
const LIST_SHARE = 0.5
/** Tokens of a list line besides the statement: number, day, subject, quotation marks, line break. */
const TOKENS_PER_LIST_LINE = 16
/** Number of hits per turn if not all facts fit. */
const LIST_HITS = 200

/** The memories that an extractor is shown. */
export interface ShownList {
  readonly memories: readonly Memory[]
  /** Number of facts that did not fit. */
  readonly leftOut: number
}

/**
 * Lists all live facts in the order in which they were learned, as the paper MMM requires. If they do not fit, the hits of the
 * segment come first, then the latest facts.
 */
export async function listWhole(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  { tokens }: WholeList,
): Promise<ShownList> {
  const state = await engine.users.load(row.owner)
  const window = requestTokens(engine.language?.for(eventScope(row), 'extraction') ?? {})
  const budget = tokens ?? Math.floor(window * LIST_SHARE)
  const all = plainFacts(state, row.scope).toSorted((a, b) => a.learnedAt - b.learnedAt)
  if (fitInto(budget, all).size === all.length) return { memories: all, leftOut: 0 }
  const rankings = await searchByTurns({ engine, state }, segment, { limit: LIST_HITS })
  const shown = fitInto(budget, [...new Set([...interleave(rankings, LIST_HITS), ...all.toReversed()])])
  return { memories: all.filter((memory) => shown.has(memory)), leftOut: all.length - shown.size }
}

/** Returns the facts that fit into a number of tokens. A fact that does not fit is skipped. */
function fitInto(tokens: number, ranked: readonly Memory[]): Set<Memory> {
  const fitting = new Set<Memory>()
  let tokensLeft = tokens
  for (const fact of ranked) {
    const cost = estimateTokens(fact.text) + TOKENS_PER_LIST_LINE
    if (cost > tokensLeft) continue
    tokensLeft -= cost
    fitting.add(fact)
  }
  return fitting
}

/** Finds live facts that a segment may change, the newest first, within a budget. */
export async function findRelated(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  budget: RelatedBudget,
): Promise<readonly Memory[]> {
  const user = { engine, state: await engine.users.load(row.owner) }
  return rankRelated(user, segment, await searchByTurns(user, segment, { limit: budget.most }), budget)
}

/** Returns the facts that are current at the end of a segment, latest first. */
function currentFacts(state: UserState, segment: Segment): Memory[] {
  return plainFacts(state, segment.scope)
    .filter((fact) => !isOver(fact, endOf(segment)))
    .sort((a, b) => b.learnedAt - a.learnedAt)
}

function endOf({ turns }: Segment): number {
  return turns.at(-1)?.at ?? Number.POSITIVE_INFINITY
}

/** Merge classes of keys with one value at a time. A new value may share no word with the old one. */
const SINGLE_VALUE: ReadonlySet<MergeClass> = new Set(['replace', 'trajectory'])

function hasSingleValue({ key }: Memory, table: KeyTable): boolean {
  return key !== null && SINGLE_VALUE.has(table.get(key)?.merge ?? 'append')
}

/** Weights of the rankings, chosen on 52 changes in talks written for this. With them the former fact was shown for 47, without for 40. */
const WEIGHTS = { rareWords: 8, wordsByTurn: 3, keysOfRules: 4, singleValues: 3, meaning: 1 }
/** Number of semantic hits per turn. Further hits are similar to any turn. */
const MEANING_HITS = 1
/** For this many of the best facts, other facts of the same turns are added. */
const FACTS_WITH_NEIGHBOURS = 12
/** A list may have this many tokens, plus tokens for each turn, but at most the budget. */
const MIN_TOKENS = 280
const TOKENS_PER_TURN = 36

/**
 * Chooses facts that a segment may change, by several rankings, and adds facts of the same turns and the latest ones.
 *
 * @param found the hits of each turn by meaning
 */
async function rankRelated(
  { engine, state }: UserKnowledge,
  segment: Segment,
  found: readonly (readonly Memory[])[],
  budget: RelatedBudget,
): Promise<readonly Memory[]> {
  const facts = plainFacts(state, segment.scope)
  const latest = currentFacts(state, segment)
  const keys = await keysFound(segment, engine.rules)
  const words = new SharedWords(facts, segment.turns)
  const ranked = fuseRankings([
    { weight: WEIGHTS.rareWords, facts: words.rankByRarity() },
    { weight: WEIGHTS.wordsByTurn, facts: words.rankByTurn() },
    { weight: WEIGHTS.keysOfRules, facts: latest.filter(({ key }) => key !== null && keys.has(key)) },
    {
      weight: WEIGHTS.singleValues,
      facts: latest.filter((fact) => hasSingleValue(fact, engine.preset.keyTable)),
    },
    ...found.map((hits) => ({ weight: WEIGHTS.meaning, facts: hits.slice(0, MEANING_HITS) })),
  ])
  const tokens = Math.min(budget.tokens, MIN_TOKENS + TOKENS_PER_TURN * segment.turns.length)
  const list = new BudgetedList({ ...budget, tokens }, facts)
  const best: Memory[] = []
  for (const fact of ranked) {
    if (list.isFull) break
    if (best.length < FACTS_WITH_NEIGHBOURS) best.push(fact)
    list.add(fact)
  }
  for (const fact of factsOfSameTurns(state, segment, best)) list.add(fact)
  for (const fact of latest) list.add(fact)
  return list.facts.sort((a, b) => b.learnedAt - a.learnedAt)
}

/** The constant k of reciprocal rank fusion. Cormack et al. use 60, for lists of thousands. */
const RANK_OFFSET = 8

/** Orders facts by the weighted sum of their reciprocal ranks. Equal sums keep the order of the rankings. */
function fuseRankings(rankings: readonly { weight: number; facts: readonly Memory[] }[]): Memory[] {
  const scores = new Map<Memory, number>()
  for (const { weight, facts } of rankings)
    for (const [rank, fact] of facts.entries())
      scores.set(fact, (scores.get(fact) ?? 0) + weight / (RANK_OFFSET + rank))
  return [...scores].sort(([, a], [, b]) => b - a).map(([fact]) => fact)
}

/** Finds current facts that rest on the same turns as other facts, in insertion order. */
function factsOfSameTurns(state: UserState, segment: Segment, facts: readonly Memory[]): Memory[] {
  const turns = new Set(facts.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return plainFacts(state, segment.scope).filter(
    (fact) => !isOver(fact, endOf(segment)) && fact.evidence.some(({ turn }) => turns.has(turn)),
  )
}

/** Tokens of a line in a budgeted list besides the statement: number, quotation marks, line break, sometimes a day. */
const TOKENS_PER_LINE = 4
const tokensOf = oncePerFact(({ text }: Memory) => estimateTokens(text) + TOKENS_PER_LINE)

/** A list of facts within a budget. A fact that does not fit is skipped. */
class BudgetedList {
  readonly #facts = new Set<Memory>()
  readonly #maxFacts: number
  /** Tokens of the shortest fact. With fewer left, no fact can fit. */
  readonly #minTokens: number
  #tokensLeft: number

  constructor({ most, tokens }: RelatedBudget, candidates: readonly Memory[]) {
    this.#maxFacts = most
    this.#tokensLeft = tokens
    this.#minTokens = candidates.reduce(
      (shortest, fact) => Math.min(shortest, tokensOf(fact)),
      Number.POSITIVE_INFINITY,
    )
  }

  get facts(): Memory[] {
    return [...this.#facts]
  }

  get isFull(): boolean {
    return this.#facts.size === this.#maxFacts || this.#tokensLeft < this.#minTokens
  }

  add(fact: Memory): void {
    const tokens = tokensOf(fact)
    if (this.isFull || this.#facts.has(fact) || tokens > this.#tokensLeft) return
    this.#facts.add(fact)
    this.#tokensLeft -= tokens
  }
}

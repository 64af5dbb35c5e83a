import type { RelatedBudget, Segment, WholeList } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { Memory } from '../memories/memory.ts'
import { embedLately } from '../models/embed-lately.ts'
import { requestTokens } from '../models/model-window.ts'
import { readQuestionFor, searchEach } from '../retrieval/search-question.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { HYBRID, type RetrievalRecipe } from '@keepsake/search'
import { estimateTokens } from '@keepsake/text'
import { accepting, BY_WORDS_AND_MEANING, factsOf, type Known } from './known-of-scope.ts'
import { changing, rankTouched } from './rank-touched.ts'

/** Turns searched with: a segment has at most some thirty, and the latest matter most. */
const MOST_TURNS = 40

/** What each turn of a segment finds among the live facts, best first. */
async function foundBy(
  { engine, state }: Known,
  segment: Segment,
  recipe: RetrievalRecipe,
  hits: number,
): Promise<Memory[][]> {
  const turns = segment.turns.slice(-MOST_TURNS)
  // What is asked to be forgotten by itself as well: the rest of its turn would find other things.
  const named = askedIn({ ...segment, turns }).flatMap(({ about, evidence }) => {
    const at = turns.find((turn) => turn.id === evidence.turn)?.at ?? 0
    return about === null ? [] : [{ text: about, at }]
  })
  const questions = [...named, ...turns].map(({ text, at }) =>
    readQuestionFor(state.index, text, { now: at }),
  )
  const vectors = await embedLately(
    engine.embedding,
    questions.map((read) => read.about),
  )
  const asked = questions.map((read, place) => ({ read, vector: vectors[place] ?? null }))
  const options = {
    ...accepting(state, segment.scope),
    limit: hits,
    now: segment.turns.at(-1)?.at ?? 0,
  }
  const facts = state.facts(segment.scope)
  return searchEach(state.index, asked, recipe, options).map((found) =>
    found.flatMap(({ id }) => facts.get(id) ?? []),
  )
}

/** What a list may take of a request when nobody says how much. */
const SHARE = 0.5
/** Number, day, subject, quotation marks and line break of a line. */
const TOKENS_A_LINE = 16
/** Hits looked at for each turn when not all fit. */
const HITS = 200

/** Memories as a step is shown them, and how many there are besides. */
export interface ShownList {
  readonly memories: readonly Memory[]
  readonly leftOut: number
}

/**
 * All live facts of the scope in the order they were learned, as MMM shows them. Where they do not fit, those nearest to the
 * segment, and for the room that is left the latest learned; they stand in the same order.
 */
export async function listWhole(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  { tokens }: WholeList,
): Promise<ShownList> {
  const state = await engine.users.load(row.owner)
  const room =
    tokens ?? Math.floor(requestTokens(engine.language?.for(eventScope(row), 'extraction') ?? {}) * SHARE)
  const all = factsOf(state, row.scope).toSorted((one, other) => one.learnedAt - other.learnedAt)
  const fits = fitting(all, room)
  if (fits.size === all.length) return { memories: all, leftOut: 0 }
  const found = await foundBy({ engine, state }, segment, BY_WORDS_AND_MEANING, HITS)
  const nearest = Array.from({ length: HITS }, (_, rank) => found.flatMap((hits) => hits[rank] ?? [])).flat()
  const shown = fitting([...new Set([...nearest, ...all.toReversed()])], room)
  return { memories: all.filter((memory) => shown.has(memory)), leftOut: all.length - shown.size }
}

/** As many as there is room for; one that is too long does not keep out those behind it. */
function fitting(ranked: readonly Memory[], room: number): Set<Memory> {
  let left = room
  return new Set(
    ranked.filter(({ text }) => {
      const cost = estimateTokens(text) + TOKENS_A_LINE
      if (cost > left) return false
      left -= cost
      return true
    }),
  )
}

/** Facts found for each turn. */
const HITS_A_TURN = 5
/** Rank by rank: the best hit of each turn before the second of any. */
function rankByRank(found: readonly (readonly Memory[])[]): Memory[] {
  return Array.from({ length: HITS_A_TURN }, (_, rank) => found.flatMap((hits) => hits[rank] ?? [])).flat()
}

/**
 * Live facts that a segment may change, as far as they are wanted. A number of them in the order they were learned, so
 * that their numbers say nothing; those that fill a budget, the newest first. So an update costs the same however much is
 * known.
 */
export async function findRelated(
  engine: Engine,
  row: ScopeRow,
  segment: Segment,
  wanted: number | RelatedBudget,
): Promise<readonly Memory[]> {
  if (wanted === 0) return []
  const known = { engine, state: await engine.users.load(row.owner) }
  if (typeof wanted !== 'number') {
    const found = await foundBy(known, segment, BY_WORDS_AND_MEANING, wanted.most)
    return rankTouched(known, segment, found, wanted)
  }
  const found = await foundBy(known, segment, HYBRID, HITS_A_TURN)
  const everything = [...rankByRank(found), ...changing(known, segment.scope)]
  const chosen = new Map(everything.map((memory) => [memory.id, memory]))
  return [...chosen.values()].slice(0, wanted).sort((one, other) => one.learnedAt - other.learnedAt)
}

import type { RelatedBudget, Segment, WholeList } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import type { Memory } from '../memories/memory.ts'
import { embedCached } from '../models/embed-cached.ts'
import { requestTokens } from '../models/model-window.ts'
import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { HYBRID, type RetrievalRecipe } from '@keepsake/search'
import { estimateTokens } from '@keepsake/text'
import {
  accepting,
  BY_WORDS_AND_MEANING,
  factsOf,
  type UserKnowledge,
  changing,
  rankTouched,
} from './rank-touched.ts'

/** Maximum number of turns used as queries: the latest. */
const MOST_TURNS = 40

/** Searches the live facts with each turn of a segment; best first. */
async function foundBy(
  { engine, state }: UserKnowledge,
  segment: Segment,
  recipe: RetrievalRecipe,
  hits: number,
): Promise<Memory[][]> {
  const turns = segment.turns.slice(-MOST_TURNS)
  // Also searches for the object of a forget request alone, because the rest of its turn finds other facts.
  const named = askedIn({ ...segment, turns }).flatMap(({ about, evidence }) => {
    const at = turns.find((turn) => turn.id === evidence.turn)?.at ?? 0
    return about === null ? [] : [{ text: about, at }]
  })
  const questions = [...named, ...turns].map(({ text, at }) =>
    readQuestionFor(state.index, text, { now: at }),
  )
  const vectors = await embedCached(
    engine.embedding,
    questions.map((read) => read.about),
  )
  const options = {
    ...accepting(state, segment.scope),
    limit: hits,
    now: segment.turns.at(-1)?.at ?? 0,
  }
  const facts = state.facts(segment.scope)
  return questions.map((read, i) => {
    const { hits: found } = searchIndex(state.index, { read, vector: vectors[i] ?? null }, recipe, options)
    return found.flatMap(({ id }) => facts.get(id) ?? [])
  })
}

/** Default share of a request that a list may fill. */
const SHARE = 0.5
/** Tokens of a line besides the statement: number, day, subject, quotation marks, line break. */
const TOKENS_A_LINE = 16
/** Hits per turn if not all facts fit. */
const HITS = 200

export interface ShownList {
  readonly memories: readonly Memory[]
  readonly leftOut: number
}

/**
 * Lists all live facts in the order they were learned, as MMM shows them. If they do not fit, lists those nearest to
 * the segment, then the latest.
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
  const all = factsOf(state, row.scope).toSorted((a, b) => a.learnedAt - b.learnedAt)
  const fits = fitting(all, room)
  if (fits.size === all.length) return { memories: all, leftOut: 0 }
  const found = await foundBy({ engine, state }, segment, BY_WORDS_AND_MEANING, HITS)
  const nearest = Array.from({ length: HITS }, (_, rank) => found.flatMap((hits) => hits[rank] ?? [])).flat()
  const shown = fitting([...new Set([...nearest, ...all.toReversed()])], room)
  return { memories: all.filter((memory) => shown.has(memory)), leftOut: all.length - shown.size }
}

/** Selects the memories that fit; one that is too long is skipped. */
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

/** Hits per turn. */
const HITS_A_TURN = 5
/** Interleaves the hits: the best of each turn, then the second of each. */
function rankByRank(found: readonly (readonly Memory[])[]): Memory[] {
  return Array.from({ length: HITS_A_TURN }, (_, rank) => found.flatMap((hits) => hits[rank] ?? [])).flat()
}

/**
 * Finds live facts that a segment may change, within a number or a token budget. A number of facts is listed in the
 * order learned, a budget newest first.
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
  const everything = [...rankByRank(found), ...changing(known, segment)]
  const chosen = new Map(everything.map((memory) => [memory.id, memory]))
  return [...chosen.values()].slice(0, wanted).sort((a, b) => a.learnedAt - b.learnedAt)
}

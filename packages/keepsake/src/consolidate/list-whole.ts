import type { Segment, WholeList } from '../extraction/extractor.ts'
import type { Memory } from '../memories/memory.ts'
import { requestTokens } from '../models/model-window.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import { estimateTokens } from '@keepsake/text'
import type { Engine } from '../work/engine.ts'
import { foundBy } from './found-by.ts'
import { BY_WORDS_AND_MEANING, factsOf } from './known-of-scope.ts'

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

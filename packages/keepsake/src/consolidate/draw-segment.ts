import type { Extractor, Request, Segment } from '../extraction/extractor.ts'
import { hearRequests } from '../extraction/rules/hear-requests.ts'
import type { RejectedOperation } from '../memories/proposed-operation.ts'
import { applyOperations } from '../merge/apply-operations.ts'
import { askComplexMerges } from '../merge/merge-by-model.ts'
import type { ExtractedSegment } from '../merge/drawn.ts'
import { followUpdates } from '../merge/follow-updates.ts'
import { mergeFacts } from '../merge/merge-facts.ts'
import { opposedValues } from '../merge/opposed-values.ts'
import { likenessOf } from '../merge/value-likeness.ts'
import type { AskModel } from '../models/ask-model.ts'
import { applyRequests } from '../requests/apply-requests.ts'
import { askMeant, withoutDenied, type RequestMeaning } from '../requests/ask-meant.ts'
import { holdRequests, withoutHeld } from '../requests/hold-requests.ts'
import { withSpokenRequests, withoutWidened } from '../requests/with-spoken-requests.ts'
import type { Turn } from '../turns/turn.ts'
import type { ScopeView } from '../work/scope-view.ts'
import { tellingLeftOut } from '../work/tell-left-out.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { findRelated, listWhole, type ShownList } from './find-related.ts'
import { groundExtraction } from './ground-extraction.ts'
import { tellableTurns } from '../work/living-turns.ts'
import { answerOr } from './park-job.ts'
import { settleUnshown } from './settle-unshown.ts'
import { addSegmentSummary } from './add-segment-summary.ts'

/** Number of preceding turns shown for context. */
const TURNS_BEFORE = 4

/** Builds a segment from turns, with the preceding turns as context. */
export async function segmentOf(view: ScopeView, turns: readonly Turn[]): Promise<Segment> {
  const { engine, row, state } = view
  const last = turns.at(-1)
  const from = (turns[0]?.position ?? 1) - 1
  const before =
    turns.length === 0 ? [] : state.turnsAfter(row.scope, Math.max(0, from - TURNS_BEFORE), { upTo: from })
  return {
    scope: row.scope,
    session: last?.session ?? '',
    sessionNumber: state.sessionNumber(row.scope, last?.session ?? ''),
    round: state.roundAt(row.scope, last?.position ?? 0),
    turns,
    before: tellableTurns(
      state,
      before.filter((turn) => turn.session === last?.session),
    ),
    asked: hearRequests([...before, ...turns], engine.rules),
  }
}

/** The extraction of a segment, with the model's reading of its forget requests. */
export interface SegmentResult {
  readonly drawn: ExtractedSegment
  readonly meant: ReadonlyMap<Request, RequestMeaning>
  /** Turns with a request to forget nearly everything, which needs a confirmation. */
  readonly held: ReadonlySet<string>
}

/** Selects the memories to show an extractor. Reports how many of a whole list did not fit. */
async function showRelated(view: ScopeView, extractor: Extractor, segment: Segment): Promise<ShownList> {
  const { engine, row } = view
  const { related: wanted = 0 } = extractor
  if (typeof wanted === 'number' || 'most' in wanted)
    return { memories: await findRelated(engine, row, segment, wanted), leftOut: 0 }
  const list = await listWhole(engine, row, segment, wanted)
  const { leftOut: count, memories } = list
  const leftOut = { what: 'memories', count, of: memories.length + count, cause: 'window' } as const
  if (count > 0) tellingLeftOut(view, extractor)(leftOut)
  return list
}

/** Extracts the segment, grounds the result and merges complex values. Changes nothing yet. */
export async function drawFrom(
  view: ScopeView,
  extractor: Extractor,
  segment: Segment,
  ask: AskModel | null,
): Promise<SegmentResult> {
  const { engine, state } = view
  const { memories: related, leftOut } = await showRelated(view, extractor, segment)
  const isByModel = extractor.prompt !== undefined
  const read = await extractor.extract(segment, { ask, related, leftOut, rules: engine.rules })
  const heard = withoutHeld(segment, isByModel ? withSpokenRequests(segment, read) : read, engine.rules)
  const found =
    ask === null ? new Map<Request, RequestMeaning>() : await askMeant(view, segment, heard.requests, ask)
  const spoken = { extraction: withoutDenied(segment, heard, found), meant: found }
  const { extraction, meant, held } = withoutWidened(view, segment, spoken, related)
  const grounded = await groundExtraction(engine, segment, extraction, {
    ask: isByModel ? ask : null,
    isWritten: isByModel,
    known: related,
  })
  const isSettled = typeof extractor.related === 'object' && 'most' in extractor.related && ask !== null
  const settled = isSettled
    ? await settleUnshown({ engine, state }, segment, { grounded, related }, ask)
    : { grounded, related }
  // Without a usable answer, rules merge complex values.
  const mergeComplex =
    isByModel && ask !== null ? await answerOr(askComplexMerges(view, settled.grounded, ask), null) : null
  const isAlike = await likenessOf(engine, opposedValues(view, settled.grounded))
  return { drawn: { segment, extractor, extraction, ...settled, mergeComplex, isAlike }, meant, held }
}

/** Applies an extraction. @returns the rejected operations */
export async function applyTo(
  unit: UnitOfWork,
  { drawn, meant, held }: SegmentResult,
): Promise<readonly RejectedOperation[]> {
  const { segment, extractor, extraction } = drawn
  const rejected = await applyOperations(unit, drawn)
  if (extractor.follows === undefined) mergeFacts(unit, drawn)
  else await followUpdates(unit, drawn)
  await applyRequests(unit, segment, extraction.requests, { step: extractor.id, meant })
  holdRequests(unit, segment, held)
  addSegmentSummary(unit, drawn)
  return rejected
}

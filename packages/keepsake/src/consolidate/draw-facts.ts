import { InvalidInputError, type ModelError } from '@keepsake/text'
import type { Extractor, Segment, Request } from '../extraction/extractor.ts'
import { hearRequests, hearWideRequests } from '../extraction/rules/hear-requests.ts'
import { holdRequests } from '../requests/confirm-request.ts'
import { keepInstructions } from '../requests/instructions.ts'
import { answerOf, heldBefore, withoutHeld } from '../requests/hold-requests.ts'
import type { FactBranch } from '../presets/preset.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { JobRow, NewJob } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { originOf, viewScope, type ScopeView, tellingLeftOut } from '../work/scope-view.ts'
import { decideAndCommit, type Terms, type UnitOfWork } from '../work/unit-of-work.ts'
import { cutFactWindow, TURNS_AT_A_TIME } from './cut-fact-window.ts'
import { holdBackUnread, releaseHeld } from '../requests/hold-back.ts'
import { isDropped, isHeldBack, tellableTurns } from '../work/living-turns.ts'
import { newJob } from '../work/jobs.ts'
import { isModelAway, waitFor } from '../work/report-failure.ts'
import { isUnusableAnswer, parkJob, answerOr } from './park-job.ts'
import { Outage, readUnread, type Reach } from './read-unread.ts'
import type { RejectedOperation } from '../memories/candidate.ts'
import { applyOperations } from '../merge/apply-operations.ts'
import { askComplexMerges } from '../merge/merge-by-model.ts'
import { mergeFacts, type ExtractedSegment } from '../merge/merge-facts.ts'
import { mergeTurnByTurn } from '../merge/merge-turn-by-turn.ts'
import { matchOpposedValues } from '../merge/value-likeness.ts'
import type { AskModel } from '../models/ask-model.ts'
import { askGuided } from '../models/ask-guided.ts'
import { correctStatements } from '../merge/correct-statements.ts'
import { endFacts } from '../merge/end-facts.ts'
import { applyRequests } from '../requests/apply-requests.ts'
import { askMeant, keepChecked, type RequestMeaning } from '../requests/ask-meant.ts'
import { withSpokenRequests, withoutWidened } from '../requests/with-spoken-requests.ts'
import { guidelinesOf } from '../work/scope-guidelines.ts'
import { findRelated, listWhole, type ShownList } from './find-related.ts'
import { fileStatements } from './file-statements.ts'
import { groundExtraction } from './ground-extraction.ts'
import { screenExtraction } from './screen-extraction.ts'
import { settleUnshown } from './settle-unshown.ts'
import { addSegmentSummary } from './add-segment-summary.ts'

/** Names the step that withholds memories which a pending request may cover. */
const HOLDING = 'hold-back/1'
const READ_SINCE = 'a language model has read its turns since'

/** Number of preceding turns shown for context. */
const TURNS_BEFORE = 4

/** The extraction of a segment, with the model's reading of its forget requests. */
interface SegmentResult {
  readonly drawn: ExtractedSegment
  readonly meant: ReadonlyMap<Request, RequestMeaning>
  /** Turns with a request to forget nearly everything, which needs a confirmation. */
  readonly held: ReadonlySet<string>
}

/** Extracts facts, operations and requests from unread rounds, and merges them with the known facts. */
export async function drawFacts(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  { endingSession, upTo, outage = new Outage() }: Reach,
): Promise<boolean> {
  const { revision, from, turns } = await readUnread(engine, row, branch, { most: TURNS_AT_A_TIME, upTo })
  const window =
    cutFactWindow(turns, branch, endingSession) ??
    cutFactWindow(turns, branch, await sessionOfRequest(engine, row, turns))
  if (window === null) return false
  const view = await viewScope(engine, row)
  const range = { from, to: window.to }
  const progress = [{ branch: branch.kind, ...range }]
  const terms = { revision, progress }
  const read = window.rounds.flatMap((round) => round.turns)
  try {
    outage.throwIfCertain()
    await readSegment(view, branch, read, terms)
  } catch (error) {
    const isAway = outage.note(error) && branch.standIn !== undefined
    if (!isAway && !isUnusableAnswer(error)) throw error
    await parkSegment(view, branch, { turns: read, error }, { ...terms, range })
  }
  return true
}

/** Extracts one segment and applies the result. Deleted turns are left out. */
async function readSegment(
  view: ScopeView,
  branch: FactBranch,
  turns: readonly Turn[],
  terms: Terms,
): Promise<void> {
  const { engine, row, state } = view
  const readable = turns.filter((turn) => !isDropped(state, turn) || isHeldBack(state, turn))
  if (readable.length === 0) await decideAndCommit(engine, row, () => undefined, terms)
  else {
    const ask = engine.language?.for(eventScope(row), 'extraction') ?? null
    const found = await drawFrom(view, branch.extractor, await segmentOf(view, readable), ask)
    await applyDrawn(view, branch, found, terms)
  }
}

async function segmentOf(view: ScopeView, turns: readonly Turn[]): Promise<Segment> {
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

/** Extracts the segment, grounds the result and merges complex values. Changes nothing yet. */
async function drawFrom(
  view: ScopeView,
  extractor: Extractor,
  segment: Segment,
  ask: AskModel | null,
): Promise<SegmentResult> {
  const { engine, state } = view
  const { memories: related, leftOut } = await showRelated(view, extractor, segment)
  const isByModel = extractor.prompt !== undefined
  const guidelines = await guidelinesOf(engine, view.row)
  const guided = ask === null ? null : askGuided(ask, guidelines)
  const read = await extractor.extract(segment, {
    ask: guided,
    related,
    leftOut,
    rules: engine.rules,
    guidelines,
  })
  const heard = withoutHeld(segment, isByModel ? withSpokenRequests(segment, read) : read, engine.rules)
  const found =
    ask === null ? new Map<Request, RequestMeaning>() : await askMeant(view, segment, heard.requests, ask)
  const spoken = { extraction: keepChecked(segment, heard, found, related), meant: found }
  const wanted = withoutWidened(view, segment, spoken, related)
  const { meant, held } = wanted
  const checked = await groundExtraction(engine, segment, wanted.extraction, {
    ask: isByModel ? ask : null,
    isWritten: isByModel,
    known: related,
  })
  const screened = await screenExtraction(
    { extraction: wanted.extraction, grounded: checked },
    guidelines.never,
    isByModel ? ask : null,
  )
  const { extraction } = screened
  const grounded = await fileStatements(screened.grounded, engine.filing, isByModel ? ask : null)
  const isSettled = typeof extractor.related === 'object' && 'most' in extractor.related && ask !== null
  const settled = isSettled
    ? await settleUnshown({ engine, state }, segment, { grounded, related }, ask)
    : { grounded, related }
  // Without a usable answer, rules merge complex values.
  const mergeComplex =
    isByModel && ask !== null ? await answerOr(askComplexMerges(view, settled.grounded, ask), null) : null
  const isAlike = await matchOpposedValues(view, settled.grounded)
  const { never } = guidelines
  return { drawn: { segment, extractor, extraction, ...settled, mergeComplex, isAlike, never }, meant, held }
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

/** Merges the extraction into the current state and commits it with the branch's progress. */
async function applyDrawn(
  { engine, row }: ScopeView,
  { standIn }: FactBranch,
  found: SegmentResult,
  terms: Terms,
): Promise<void> {
  const { segment, extractor } = found.drawn
  const { sessionNumber, round } = segment
  const committed = await decideAndCommit(
    engine,
    row,
    (unit) => {
      releaseHeld(unit, segment, originOf(engine, HOLDING))
      if (standIn !== undefined) dropStoodIn(unit, standIn, segment)
      return applyTo(unit, found)
    },
    { ...terms, at: { sessionNumber, round } },
  )
  for (const { operation, reason } of committed?.result ?? [])
    engine.events.emit('operation-rejected', {
      scope: eventScope(row),
      kind: operation.kind,
      reason,
      prompt: extractor.prompt ?? extractor.id,
    })
}

/** Applies an extraction. @returns the rejected operations */
async function applyTo(
  unit: UnitOfWork,
  { drawn, meant, held }: SegmentResult,
): Promise<readonly RejectedOperation[]> {
  const { segment, extractor, extraction } = drawn
  const rejected = await applyOperations(unit, drawn)
  if (extractor.follows === undefined) {
    mergeFacts(unit, drawn)
    await correctStatements(unit, segment, drawn.never)
  } else await mergeTurnByTurn(unit, drawn)
  endFacts(unit, segment, extractor)
  await applyRequests(unit, segment, extraction.requests, { step: extractor.id, meant })
  await holdRequests(unit, segment, held)
  if (unit.engine.preset.keepsInstructions === true) keepInstructions(unit, segment)
  addSegmentSummary(unit, drawn)
  return rejected
}

/**
 * Finds the session of a stored turn that asks to forget something or answers a pending request. It is read at once,
 * without waiting for a full segment.
 */
async function sessionOfRequest(
  engine: Engine,
  row: ScopeRow,
  unread: readonly Turn[],
): Promise<string | null> {
  const [request] = hearRequests(unread, engine.rules)
  const [wide] = hearWideRequests(unread, engine.rules)
  const answers = unread.filter((turn) => answerOf(turn, true) !== null)
  if (request === undefined && wide === undefined && answers.length === 0) return null
  const view = await viewScope(engine, row)
  const { state } = view
  const answered = answers.find((turn) => heldBefore(view, turn) !== undefined)
  const asked = state.turns.get(request?.evidence.turn ?? wide?.turn ?? answered?.id ?? '')
  return asked === undefined || state.isPending(asked) ? null : asked.session
}

/** Parks a segment with the model's unusable answer, or queues it until the model is back, so that the branch can continue. */
async function parkSegment(
  view: ScopeView,
  branch: FactBranch,
  { turns, error }: { readonly turns: readonly Turn[]; readonly error: ModelError },
  terms: Terms & { readonly range: { readonly from: number; readonly to: number } },
): Promise<void> {
  const { engine, row } = view
  const isAway = isModelAway(error)
  const attempts = isAway ? 0 : 1
  const job: NewJob = {
    ...newJob(engine, row, 'read-segment'),
    branch: branch.kind,
    ...terms.range,
    ...(isAway ? { state: 'queued', delayMs: waitFor(error, 0, 0) } : { state: 'parked' }),
    attempts,
    reason: error.message,
    answer: error.answer,
  }
  const standIn = await drawStandIn(view, branch, turns)
  const apply = async (unit: UnitOfWork): Promise<void> => {
    if (standIn === null) return
    await applyTo(unit, standIn)
    await holdBackUnread(unit, standIn.drawn.segment, originOf(engine, HOLDING))
  }
  const parked = await decideAndCommit(engine, row, apply, { ...terms, queueJobs: [job] })
  if (parked === null) return
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts, parked: !isAway, error })
}

async function drawStandIn(
  view: ScopeView,
  { standIn }: FactBranch,
  turns: readonly Turn[],
): Promise<SegmentResult | null> {
  const readable = turns.filter((turn) => !isDropped(view.state, turn))
  if (standIn === undefined || readable.length === 0) return null
  return drawFrom(view, standIn, await segmentOf(view, readable), null)
}

/** Deletes the facts of the fallback extractor once the model has read the same turns. */
function dropStoodIn(unit: UnitOfWork, standIn: Extractor, { turns }: Segment): void {
  const ids = new Set(turns.map(({ id }) => id))
  const facts = unit.state.facts(unit.row.scope)
  const resting = turns.flatMap((turn) => [...unit.state.memoriesOfTurn(turn.id)].map(({ id }) => id))
  const stoodIn = facts
    .find(resting)
    .filter(
      ({ origin, evidence }) => origin.step === standIn.id && evidence.every(({ turn }) => ids.has(turn)),
    )
  for (const { id } of stoodIn)
    unit.changes.change(
      'delete',
      id,
      { status: 'deleted', reason: READ_SINCE },
      originOf(unit.engine, standIn.id),
    )
}

/** Retries a parked segment. Another failure parks it with the newest answer. */
export async function drawFactsAgain(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  job: JobRow,
): Promise<void> {
  const { from, to } = job
  if (from === null || to === null) throw new InvalidInputError(`Job ${job.id} names no turns to read again.`)
  const view = await viewScope(engine, row)
  const { revision } = view.state
  const turns = view.state.turnsAfter(row.scope, from, { upTo: to }).filter(({ role }) => role !== 'other')
  const terms = { revision, finishJobs: [job.id], expectJobs: [job.id] }
  try {
    await readSegment(view, branch, turns, terms)
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    await parkJob(engine, row, job, { error, revision })
  }
}

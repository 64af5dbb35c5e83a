// Extracts facts from the next segment of unread turns, and commits the result.
import { InvalidInputError, type ModelError } from '@keepsake/text'
import {
  type Extraction,
  type Extractor,
  isByModel,
  type Request,
  type Segment,
} from '../extraction/extractor.ts'
import { namesOfUsers } from '../extraction/rules/find-addressee.ts'
import { hearRequests, hearWideRequests } from '../extraction/rules/hear-requests.ts'
import type { RejectedOperation } from '../memories/candidate.ts'
import { withUtteranceWords } from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { applyOperations } from '../merge/apply-operations.ts'
import { mergeAndCorrect } from '../merge/correct-statements.ts'
import { applyEndings, applyReturns } from '../merge/end-facts.ts'
import { renamePartners } from '../merge/rename-partner.ts'
import { askComplexMerges } from '../merge/merge-by-model.ts'
import type { ExtractedSegment } from '../merge/merge-facts.ts'
import { askGuided, type AskModel } from '../models/ask-model.ts'
import type { FactBranch } from '../presets/preset.ts'
import { applyRequests } from '../requests/apply-requests.ts'
import {
  askMeanings,
  applyMeanings,
  type RequestMeaning,
  addHeardRequests,
  limitRequests,
} from '../requests/check-model-requests.ts'
import { updatePendingRequests } from '../requests/confirm-request.ts'
import {
  withholdTargets,
  restoreWithheld,
  readReply,
  findPendingBefore,
  withoutPendingRequests,
} from '../requests/pending-requests.ts'
import { storeInstructions } from '../requests/instructions.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { JobRow, NewJob } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { newJob, isModelUnavailable, retryDelayOf } from '../work/jobs.ts'
import type { UserState } from '../user-state/user-state.ts'
import { isForgotten, isWithheld, usableTurns } from '../work/usable-turns.ts'
import { guidelinesOf } from '../work/scope-guidelines.ts'
import { originOf, reportLeftOut, viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, type CommitTerms, type UnitOfWork } from '../work/unit-of-work.ts'
import { addSegmentSummary } from './add-segment-summary.ts'
import { compareUnshown } from './compare-unshown.ts'
import { cutFactWindow, MAX_TURNS } from './cut-fact-window.ts'
import { dropForgotten } from './drop-forgotten.ts'
import { fileStatements } from './file-statements.ts'
import { findRelated, listWhole, type ShownList } from './find-related.ts'
import { groundExtraction } from './ground-extraction.ts'
import { answerOr, isUnusableAnswer, parkJob } from './park-job.ts'
import { Outage, readUnread, type Reach } from './read-unread.ts'
import { deleteFactsOfStandIn, dropCorrected } from './replace-stand-in.ts'
import { screenExtraction } from './screen-texts.ts'

/** Name of the step that withholds memories which a request may mean, for the log. */
const HOLD_BACK_STEP = 'hold-back/1'

/** Number of preceding turns that the extractor is shown as context. Chosen, not measured. */
const TURNS_BEFORE = 4

/** An extraction that is ready to be applied, with the meanings of its requests to forget. */
interface SegmentResult {
  readonly extracted: ExtractedSegment
  readonly meanings: ReadonlyMap<Request, RequestMeaning>
  /** Turns with a request to forget nearly everything. Such a request waits for the user's confirmation. */
  readonly pending: ReadonlySet<string>
}

/**
 * Reads the next segment of unread turns with the branch's extractor, and merges its statements with the known facts.
 *
 * @returns whether there was a segment to read
 */
export async function extractFacts(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  { endingSession, upTo, outage = new Outage() }: Reach,
): Promise<boolean> {
  const { revision, from, turns: unread } = await readUnread(engine, row, branch, { limit: MAX_TURNS, upTo })
  const window =
    cutFactWindow(unread, branch, endingSession) ??
    cutFactWindow(unread, branch, await findSessionWithRequest(engine, row, unread))
  if (window === null) return false
  const view = await viewScope(engine, row)
  const range = { from, to: window.to }
  const terms = { revision, progress: [{ branch: branch.kind, ...range }] }
  const turns = window.rounds.flatMap((round) => round.turns)
  try {
    outage.throwIfCertain()
    await readSegment(view, branch, turns, terms)
  } catch (error) {
    const isModelDown = outage.note(error)
    const canStandIn = isModelDown && branch.standIn !== undefined
    if (!canStandIn && !isUnusableAnswer(error)) throw error
    await parkSegment(view, branch, { turns, error, range }, terms)
  }
  return true
}

/** Reads a parked segment again. After another unusable answer, it is parked again with this answer. */
export async function extractFactsAgain(
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
  try {
    await readSegment(view, branch, turns, { revision, finishJobs: [job.id], expectJobs: [job.id] })
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    await parkJob(engine, row, job, { error, revision })
  }
}

/** Finds the session of an unread turn with a request to forget or an answer to one. It is read without waiting for a full segment. */
async function findSessionWithRequest(
  engine: Engine,
  row: ScopeRow,
  unread: readonly Turn[],
): Promise<string | null> {
  const [request] = hearRequests(unread, engine.rules)
  const [wide] = hearWideRequests(unread, engine.rules)
  const answers = unread.filter((turn) => readReply(turn, true) !== null)
  if (request === undefined && wide === undefined && answers.length === 0) return null
  const view = await viewScope(engine, row)
  const answer = answers.find((turn) => findPendingBefore(view, turn) !== undefined)
  const turn = view.state.turns.get(request?.evidence.turn ?? wide?.turn ?? answer?.id ?? '')
  return turn === undefined || view.state.isPending(turn) ? null : turn.session
}

/** Extracts a segment, and commits the result with the branch's progress. Skips turns that were forgotten, also meanwhile. */
async function readSegment(
  view: ScopeView,
  branch: FactBranch,
  turns: readonly Turn[],
  terms: CommitTerms,
): Promise<void> {
  const { engine, row, state } = view
  const readable = turnsToExtract(state, turns)
  if (readable.length === 0) {
    await decideAndCommit(engine, row, () => undefined, terms)
    return
  }
  const ask = engine.language?.for(eventScope(row), 'extraction') ?? null
  const { extractor, standIn } = branch
  const result = await extractSegment(view, extractor, segmentOf(view, readable), ask)
  const { segment } = result.extracted
  const { sessionNumber, round } = segment
  const committed = await decideAndCommit(
    engine,
    row,
    async (unit) => {
      restoreWithheld(unit, segment, originOf(engine, HOLD_BACK_STEP))
      const corrected = standIn === undefined ? [] : await deleteFactsOfStandIn(unit, standIn, segment)
      const readableNow = turnsToExtract(unit.state, [...(segment.before ?? []), ...turns])
      const extracted = dropForgotten(unit, result.extracted, readableNow)
      return applyResult(unit, { ...result, extracted: dropCorrected(extracted, corrected) })
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

/** Returns the turns that an extraction may read. Words that were removed from an utterance are missing in its turns. */
function turnsToExtract(state: UserState, turns: readonly Turn[]): Turn[] {
  return turns
    .filter((turn) => !isForgotten(state, turn) || isWithheld(state, turn))
    .map((turn) => withUtteranceWords(turn, state.utteranceOf(turn.id)))
}

function turnsBefore({ row, state }: ScopeView, turns: readonly Turn[]): readonly Turn[] {
  const [first] = turns
  if (first === undefined) return []
  const upTo = first.position - 1
  return state.turnsAfter(row.scope, Math.max(0, upTo - TURNS_BEFORE), { upTo })
}

function segmentOf(view: ScopeView, turns: readonly Turn[]): Segment {
  const { engine, row, state } = view
  const last = turns.at(-1)
  const users = namesOfUsers(state)
  const before = turnsBefore(view, turns)
  return {
    scope: row.scope,
    session: last?.session ?? '',
    sessionNumber: state.sessionNumber(row.scope, last?.session ?? ''),
    round: state.roundAt(row.scope, last?.position ?? 0),
    turns,
    before: usableTurns(
      state,
      before.filter((turn) => turn.session === last?.session),
    ),
    asked: hearRequests([...before, ...turns], engine.rules, users),
    users,
  }
}

/** Extracts a segment, then grounds, screens, files and compares the result. Changes no memory yet. */
async function extractSegment(
  view: ScopeView,
  extractor: Extractor,
  segment: Segment,
  ask: AskModel | null,
): Promise<SegmentResult> {
  const { engine, row } = view
  // Results of rules need no check by a model.
  const askChecks = isByModel(extractor) ? ask : null
  const shown = await findShown(view, extractor, segment)
  const guidelines = await guidelinesOf(engine, row)
  const { never } = guidelines
  const read = await extractor.extract(segment, {
    ask: ask === null ? null : askGuided(ask, guidelines),
    related: shown.memories,
    leftOut: shown.leftOut,
    rules: engine.rules,
    guidelines,
  })
  const withRequests = isByModel(extractor) ? addHeardRequests(segment, read) : read
  const { extraction, meanings, pending } = await readRequests(
    view,
    segment,
    withoutPendingRequests(segment, withRequests, engine.rules),
    { ask, shown: shown.memories },
  )
  const grounded = await groundExtraction(engine, segment, extraction, {
    ask: askChecks,
    isWrittenByModel: isByModel(extractor),
    known: shown.memories,
  })
  const screened = await screenExtraction({ extraction, grounded }, never, askChecks)
  const filed = await fileStatements(screened.grounded, engine.filing, askChecks)
  const filedExtraction = { grounded: filed, related: shown.memories }
  // An extractor with a budget (`most`) is not shown all memories. A statement may repeat or contradict one that it was not shown.
  const isBudgeted = extractor.related !== undefined && 'most' in extractor.related
  const compared =
    isBudgeted && ask !== null ? await compareUnshown(view, segment, filedExtraction, ask) : filedExtraction
  // Without a usable answer, rules merge complex values.
  const mergeComplex =
    askChecks === null ? null : await answerOr(askComplexMerges(view, compared.grounded, askChecks), null)
  const extracted = {
    segment,
    extractor,
    extraction: screened.extraction,
    ...compared,
    mergeComplex,
    never,
  }
  return { extracted, meanings, pending }
}

/** Asks the model what the requests of an extraction mean, and withholds those that need a confirmation. */
async function readRequests(
  view: ScopeView,
  segment: Segment,
  read: Extraction,
  { ask, shown }: { readonly ask: AskModel | null; readonly shown: readonly Memory[] },
): Promise<ReturnType<typeof limitRequests>> {
  const meanings =
    ask === null ? new Map<Request, RequestMeaning>() : await askMeanings(view, segment, read.requests, ask)
  const extraction = applyMeanings(segment, read, meanings, shown)
  return limitRequests(view, segment, { extraction, meanings }, shown)
}

/** Finds the memories that an extractor is shown. Reports how many of a whole list do not fit. */
async function findShown(view: ScopeView, extractor: Extractor, segment: Segment): Promise<ShownList> {
  const { engine, row } = view
  const { related } = extractor
  if (related === undefined) return { memories: [], leftOut: 0 }
  // Some extractors are shown at most some memories, the others the whole list.
  if ('most' in related) return { memories: await findRelated(engine, row, segment, related), leftOut: 0 }
  const list = await listWhole(engine, row, segment, related)
  const { leftOut: count, memories } = list
  const report = reportLeftOut(view, extractor)
  if (count > 0) report({ what: 'memories', count, of: memories.length + count, cause: 'window' })
  return list
}

/** Applies an extraction to the state of a unit of work. @returns the rejected operations */
async function applyResult(
  unit: UnitOfWork,
  { extracted, meanings, pending }: SegmentResult,
): Promise<readonly RejectedOperation[]> {
  const { segment, extractor, extraction } = extracted
  const rejected = await applyOperations(unit, extracted)
  await mergeAndCorrect(unit, extracted)
  applyEndings(unit, segment, extractor)
  applyReturns(unit, segment)
  renamePartners(unit, segment, extractor)
  await applyRequests(unit, segment, extraction.requests, { step: extractor.id, meanings })
  await updatePendingRequests(unit, segment, pending)
  if (unit.engine.preset.keepsInstructions === true) storeInstructions(unit, segment)
  addSegmentSummary(unit, extracted)
  return rejected
}

/** A segment that the model did not read, with its error. */
interface UnreadSegment {
  readonly turns: readonly Turn[]
  readonly error: ModelError
  readonly range: { readonly from: number; readonly to: number }
}

/**
 * Parks a segment with the model's unusable answer, or queues it until the model is available. So the branch can continue.
 * Until the model reads the segment, facts of the stand-in extractor are used.
 */
async function parkSegment(
  view: ScopeView,
  { kind, standIn }: FactBranch,
  { turns, error, range }: UnreadSegment,
  terms: CommitTerms,
): Promise<void> {
  const { engine, row, state } = view
  const isUnavailable = isModelUnavailable(error)
  const attempts = isUnavailable ? 0 : 1
  const job: NewJob = {
    ...newJob(engine, row, 'read-segment'),
    branch: kind,
    ...range,
    ...(isUnavailable ? { state: 'queued', delayMs: retryDelayOf(error, 0, 0) } : { state: 'parked' }),
    attempts,
    reason: error.message,
    answer: error.answer,
  }
  const readable = turns.filter((turn) => !isForgotten(state, turn))
  const result =
    standIn === undefined || readable.length === 0
      ? null
      : await extractSegment(view, standIn, segmentOf(view, readable), null)
  const apply = async (unit: UnitOfWork): Promise<void> => {
    if (result === null) return
    await applyResult(unit, result)
    withholdTargets(unit, result.extracted.segment, originOf(engine, HOLD_BACK_STEP))
  }
  const parked = await decideAndCommit(engine, row, apply, { ...terms, queueJobs: [job] })
  if (parked !== null)
    engine.events.emit('job-failed', {
      scope: eventScope(row),
      job: job.id,
      attempts,
      parked: !isUnavailable,
      error,
    })
}

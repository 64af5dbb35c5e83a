import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { ModelError } from '../errors/model-error.ts'
import type { Request, Segment } from '../extraction/extractor.ts'
import { hearRequests } from '../extraction/rules/hear-requests.ts'
import { applyOperations } from '../merge/apply-operations.ts'
import { askComplexMerges } from '../merge/ask-complex-merges.ts'
import type { Drawn } from '../merge/drawn.ts'
import { mergeFacts } from '../merge/merge-facts.ts'
import type { FactBranch } from '../presets/preset.ts'
import { applyRequests } from '../requests/apply-requests.ts'
import { askMeant, type Meant } from '../requests/ask-meant.ts'
import { withSpokenRequests } from '../requests/with-spoken-requests.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { JobRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, type Terms } from '../work/unit-of-work.ts'
import { cutFactWindow, TURNS_AT_A_TIME } from './cut-fact-window.ts'
import { findRelated } from './find-related.ts'
import { groundExtraction } from './ground-extraction.ts'
import { isDropped } from './living-turns.ts'
import { isUnusableAnswer, parkJob } from './park-job.ts'
import { readUnread } from './read-unread.ts'
import { tellSegment } from './tell-segment.ts'

/** Turns before a segment that are shown for context. */
const TURNS_BEFORE = 4

async function segmentOf(view: ScopeView, turns: readonly Turn[]): Promise<Segment> {
  const { engine, row, cache } = view
  const last = turns.at(-1)
  const sessions = await engine.store.sessions(row.owner, [row.scope])
  const session = sessions.find((one) => one.id === last?.session)
  const before = await turnsBefore(view, turns)
  return {
    scope: row.scope,
    session: last?.session ?? '',
    sessionNumber: session?.number ?? 0,
    round: cache.roundAt(row.scope, last?.position ?? 0),
    turns,
    before: before.filter((turn) => turn.session === last?.session && !isDropped(cache, turn)),
    asked: hearRequests([...before, ...turns], engine.rules),
  }
}

async function turnsBefore({ engine, row }: ScopeView, [first]: readonly Turn[]): Promise<readonly Turn[]> {
  if (first === undefined) return []
  const before = await engine.store.turns({
    owner: row.owner,
    scopes: [row.scope],
    afterPosition: Math.max(0, first.position - 1 - TURNS_BEFORE),
    limit: TURNS_BEFORE,
  })
  return before.filter((turn) => turn.position < first.position)
}

/** What a segment yields, and what a model took its requests to forget to mean. */
interface DrawnAndMeant {
  readonly drawn: Drawn
  readonly meant: ReadonlyMap<Request, Meant>
}

/** Asks whatever reads the segment, grounds what it answers, and has complex values merged. Nothing is changed yet. */
async function drawFrom(
  view: ScopeView,
  { extractor }: FactBranch,
  segment: Segment,
): Promise<DrawnAndMeant> {
  const { engine, row } = view
  const ask = engine.language?.for(eventScope(row)) ?? null
  const related = await findRelated(engine, row, segment, extractor.related ?? 0)
  const isByModel = extractor.prompt !== undefined
  const read = await extractor.extract(segment, { ask, related, rules: engine.rules })
  const extraction = isByModel ? withSpokenRequests(segment, read) : read
  const grounded = await groundExtraction(engine, segment, extraction, {
    ask: isByModel ? ask : null,
    isWritten: isByModel,
    known: related,
  })
  const mergeComplex = isByModel && ask !== null ? await askComplexMerges(view, grounded, ask) : null
  const meant = ask === null ? new Map() : await askMeant(view, segment, extraction.requests, ask)
  return { drawn: { segment, extractor, extraction, grounded, related, mergeComplex }, meant }
}

/** Decides over what the store holds now, and commits it with how far the branch got. */
async function applyDrawn(
  engine: Engine,
  row: ScopeRow,
  { drawn, meant }: DrawnAndMeant,
  terms: Terms,
): Promise<void> {
  const { segment, extractor, extraction } = drawn
  const { sessionNumber, round } = segment
  const committed = await decideAndCommit(
    engine,
    row,
    async (unit) => {
      const rejected = await applyOperations(unit, drawn)
      mergeFacts(unit, drawn)
      await applyRequests(unit, segment, extraction.requests, { step: extractor.id, meant })
      tellSegment(unit, drawn)
      return rejected
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

/** Reads turns as one segment, and applies what they yield. Those of which nothing may be told any more yield nothing. */
async function readSegment(
  view: ScopeView,
  branch: FactBranch,
  turns: readonly Turn[],
  terms: Terms,
): Promise<void> {
  const { engine, row, cache } = view
  const told = turns.filter((turn) => !isDropped(cache, turn))
  if (told.length === 0) await decideAndCommit(engine, row, () => undefined, terms)
  else await applyDrawn(engine, row, await drawFrom(view, branch, await segmentOf(view, told)), terms)
}

/** Leaves a segment for later, with what the model answered, and lets the branch go on behind it. */
async function parkSegment(
  { engine, row }: ScopeView,
  branch: FactBranch,
  error: ModelError,
  terms: Terms & { readonly range: { readonly from: number; readonly to: number } },
): Promise<void> {
  const job = {
    id: engine.newId(),
    kind: 'read-segment',
    scope: row.scope,
    session: null,
    at: engine.now(),
    branch: branch.kind,
    ...terms.range,
    state: 'parked',
    attempts: 1,
    reason: error.message,
    answer: error.answer,
  } as const
  const parked = await decideAndCommit(engine, row, () => undefined, { ...terms, queueJobs: [job] })
  if (parked === null) return
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts: 1, parked: true, error })
}

/**
 * The session in which somebody asks to have something forgotten, once that turn is kept: what is asked is carried out at
 * once, not when enough was said for a segment.
 */
async function sessionOfRequest(
  engine: Engine,
  row: ScopeRow,
  unread: readonly Turn[],
): Promise<string | null> {
  const [request] = hearRequests(unread, engine.rules)
  if (request === undefined) return null
  const { cache } = await viewScope(engine, row)
  const asked = cache.turn(request.evidence.turn)
  return asked === undefined || cache.isPending(asked) ? null : asked.session
}

/** Draws facts, operations and requests from the rounds that were not read yet, and merges them with what is known. */
export async function drawFacts(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  endingSession: string | null,
): Promise<boolean> {
  const { epoch, from, turns } = await readUnread(engine, row, branch, TURNS_AT_A_TIME)
  const window =
    cutFactWindow(turns, branch, endingSession, from === 0) ??
    cutFactWindow(turns, branch, await sessionOfRequest(engine, row, turns), true)
  if (window === null) return false
  const view = await viewScope(engine, row)
  const range = { from, to: window.to }
  const terms = { epoch, progress: [{ branch: branch.kind, ...range }] }
  try {
    const read = window.rounds.flatMap((round) => round.turns)
    await readSegment(view, branch, read, terms)
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    await parkSegment(view, branch, error, { ...terms, range })
  }
  return true
}

/** Reads a parked segment again. What fails once more goes back to wait, with its newest answer. */
export async function drawFactsAgain(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  job: JobRow,
): Promise<void> {
  const { from, to } = job
  if (from === null || to === null) throw new InvalidInputError(`Job ${job.id} names no turns to read again.`)
  const { owner, scope } = row
  const { epoch } = await engine.store.version(owner)
  const behind = await engine.store.turns({ owner, scopes: [scope], afterPosition: from, limit: to - from })
  const turns = behind.filter((turn) => turn.position <= to && turn.role !== 'other')
  const terms = { epoch, finishJobs: [job.id], expectJobs: [job.id] }
  try {
    await readSegment(await viewScope(engine, row), branch, turns, terms)
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    await parkJob(engine, row, job, { error, epoch })
  }
}

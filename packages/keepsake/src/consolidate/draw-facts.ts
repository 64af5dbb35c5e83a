import type { Extraction, Segment } from '../extraction/extractor.ts'
import { withSpokenRequests } from '../requests/with-spoken-requests.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { ModelError } from '../errors/model-error.ts'
import type { Memory } from '../memories/memory.ts'
import type { MergeComplex } from '../merge/merge-snapshot.ts'
import type { FactBranch } from '../presets/preset.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { JobRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import { applyOperations } from '../merge/apply-operations.ts'
import { applyRequests } from '../requests/apply-requests.ts'
import { askComplexMerges } from '../merge/ask-complex-merges.ts'
import { commitChanges } from '../work/commit-changes.ts'
import { cutFactWindow, TURNS_AT_A_TIME } from './cut-fact-window.ts'
import type { Engine } from '../work/engine.ts'
import { findRelated } from './find-related.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import { groundExtraction } from './ground-extraction.ts'
import { isDropped } from './living-turns.ts'
import { mergeFacts } from '../merge/merge-facts.ts'
import { momentOf, startChanges } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { isUnusableAnswer, parkJob } from './park-job.ts'
import { readUnread } from './read-unread.ts'
import { tellSegment } from './tell-segment.ts'

/** Turns before a segment that are shown for context. */
const TURNS_BEFORE = 4

/** What the commit of a segment carries besides its memories. */
interface Reach {
  readonly epoch: number
  readonly progress: readonly { branch: string; from: number; to: number }[]
  readonly finishJobs?: readonly string[]
  /** Jobs that must still be there: another process may have done them. */
  readonly expectJobs?: readonly string[]
}

/** Everything a segment yielded, decided on without holding anything up. */
interface Drawn {
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
  readonly related: readonly Memory[]
  readonly mergeComplex: MergeComplex | null
}

async function segmentOf(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  turns: readonly Turn[],
): Promise<Segment> {
  const last = turns.at(-1)
  const sessions = await engine.store.sessions(row.owner, [row.scope])
  const session = sessions.find((one) => one.id === last?.session)
  return {
    scope: row.scope,
    session: last?.session ?? '',
    sessionNumber: session?.number ?? 0,
    round: cache.roundAt(row.scope, last?.position ?? 0),
    turns,
    before: await turnsBefore(engine, row, cache, turns),
  }
}

async function turnsBefore(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  turns: readonly Turn[],
): Promise<readonly Turn[]> {
  const [first] = turns
  if (first === undefined) return []
  const before = await engine.store.turns({
    owner: row.owner,
    scopes: [row.scope],
    session: first.session,
    afterPosition: Math.max(0, first.position - 1 - TURNS_BEFORE),
    limit: TURNS_BEFORE,
  })
  return before.filter((turn) => turn.position < first.position && !isDropped(cache, turn))
}

/** What a segment yields of which every turn was dropped. */
const NOTHING: Drawn = {
  extraction: { candidates: [], requests: [] },
  grounded: { candidates: [], operations: [] },
  related: [],
  mergeComplex: null,
}

/** Asks whatever reads the segment, grounds what it answers, and has complex values merged. Nothing is changed yet. */
async function drawFrom(engine: Engine, row: ScopeRow, branch: FactBranch, segment: Segment): Promise<Drawn> {
  const { extractor } = branch
  if (segment.turns.length === 0) return NOTHING
  const ask = engine.language?.for(eventScope(row)) ?? null
  const related = await findRelated(engine, row, segment, extractor.related ?? 0)
  const isByModel = extractor.prompt !== undefined
  const drawn = await extractor.extract(segment, { ask, related })
  const extraction = isByModel ? await withSpokenRequests(segment, drawn) : drawn
  const grounded = await groundExtraction(engine, segment, extraction, {
    ask: isByModel ? ask : null,
    isWritten: isByModel,
    known: related,
  })
  const mergeComplex = isByModel && ask !== null ? await askComplexMerges(engine, row, grounded, ask) : null
  return { extraction, grounded, related, mergeComplex }
}

/** Decides over what the store holds now, and commits with how far the branch got. */
async function applyDrawn(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  segment: Segment,
  drawn: Drawn,
  reach: Reach,
): Promise<void> {
  const { extractor } = branch
  await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
    const cache = await engine.caches.get(row.owner)
    const moment = {
      ...(await momentOf(engine, row, cache)),
      sessionNumber: segment.sessionNumber,
      round: segment.round,
    }
    const changes = startChanges(engine, cache, moment)
    const { extraction, grounded, related, mergeComplex } = drawn
    const rejected = await applyOperations(engine, row, cache, changes, segment, grounded, related, extractor)
    mergeFacts(engine, cache, changes, segment, grounded.candidates, extractor, mergeComplex)
    await applyRequests(engine, row, cache, changes, segment, extraction.requests, extractor.id)
    tellSegment(engine, cache, changes, segment, extraction, extractor)
    if ((await commitChanges(engine, row, changes, reach)) === null) return
    for (const { operation, reason } of rejected)
      engine.events.emit('operation-rejected', {
        scope: eventScope(row),
        kind: operation.kind,
        reason,
        prompt: extractor.prompt ?? extractor.id,
      })
  })
}

/** Leaves a segment for later, with what the model answered, and lets the branch go on behind it. */
async function parkSegment(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  range: { readonly from: number; readonly to: number },
  error: ModelError,
  epoch: number,
): Promise<void> {
  const cache = await engine.caches.get(row.owner)
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  const job = {
    id: engine.newId(),
    kind: 'read-segment',
    scope: row.scope,
    session: null,
    at: engine.now(),
    branch: branch.kind,
    ...range,
    state: 'parked',
    attempts: 1,
    reason: error.message,
    answer: error.answer,
  } as const
  const progress = [{ branch: branch.kind, ...range }]
  if ((await commitChanges(engine, row, changes, { epoch, progress, queueJobs: [job] })) === null) return
  engine.events.emit('job-failed', {
    scope: eventScope(row),
    job: job.id,
    attempts: 1,
    parked: true,
    error,
  })
}

/** Draws facts, operations and requests from the rounds that were not read yet, and merges them with what is known. */
export async function drawFacts(
  engine: Engine,
  row: ScopeRow,
  branch: FactBranch,
  endingSession: string | null,
): Promise<boolean> {
  const { epoch, from, turns } = await readUnread(engine, row, branch, TURNS_AT_A_TIME)
  const window = cutFactWindow(turns, branch, endingSession, from === 0)
  if (window === null) return false
  const cache = await engine.caches.get(row.owner)
  const read = window.rounds.flatMap((round) => round.turns).filter((turn) => !isDropped(cache, turn))
  const segment = await segmentOf(engine, row, cache, read)
  const range = { from, to: window.to }
  try {
    const drawn = await drawFrom(engine, row, branch, segment)
    await applyDrawn(engine, row, branch, segment, drawn, {
      epoch,
      progress: [{ branch: branch.kind, ...range }],
    })
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    await parkSegment(engine, row, branch, range, error, epoch)
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
  if (job.from === null || job.to === null)
    throw new InvalidInputError(`Job ${job.id} names no turns to read again.`)
  const { owner, scope } = row
  const { from, to } = job
  const { epoch } = await engine.store.version(owner)
  const behind = await engine.store.turns({ owner, scopes: [scope], afterPosition: from, limit: to - from })
  const cache = await engine.caches.get(owner)
  const turns = behind.filter(
    (turn) => turn.position <= to && turn.role !== 'other' && !isDropped(cache, turn),
  )
  const segment = await segmentOf(engine, row, cache, turns)
  try {
    const drawn = await drawFrom(engine, row, branch, segment)
    await applyDrawn(engine, row, branch, segment, drawn, {
      epoch,
      progress: [],
      finishJobs: [job.id],
      expectJobs: [job.id],
    })
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    await parkJob(engine, row, job, error, epoch)
  }
}

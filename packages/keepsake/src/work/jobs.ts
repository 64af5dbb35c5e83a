// Creates jobs, records their failures and retries them.
import { ModelError } from '@keepsake/text'
import { ClosedError, StoreError } from '../errors/errors.ts'
import { type ScopeRow, eventScope } from '../scopes/scope.ts'
import type { JobRow, JobKind, NewJob } from '../store/store.ts'
import type { Engine } from './engine.ts'

/** The work that `drain()` could not do. */
export interface DrainResult {
  /** Jobs that failed, with the reason: parked, or waiting for their next try. Empty when all work is done. */
  readonly failed: readonly JobRow[]
  /** Failures that belong to no job, such as those of an embedding model. */
  readonly errors: readonly Error[]
}

/** Runs the waiting work and returns its failures. @throws ClosedError when the memory is closed */
export async function drainAndReport(
  { events }: Engine,
  work: () => Promise<void>,
  jobs: () => Promise<readonly JobRow[]>,
): Promise<DrainResult> {
  const errors: Error[] = []
  const note = ({ error }: { readonly error: Error }): void => void errors.push(error)
  events.on('background-failed', note)
  try {
    await work()
  } catch (error) {
    if (error instanceof ClosedError) throw error
    errors.push(asError(error))
  } finally {
    events.off('background-failed', note)
  }
  return { failed: (await jobs()).filter(hasFailed), errors }
}

/** Postpones a segment that waits for a model, because this process has none. */
export async function postponeForModel(
  engine: Engine,
  { owner, id, attempts, reason }: JobRow,
): Promise<void> {
  await engine.store.updateJob(owner, id, { state: 'queued', attempts, reason, delayMs: MAX_OUTAGE_WAIT_MS })
}

/** Checks whether a job is parked or waits for its next try. */
export function hasFailed(job: JobRow): boolean {
  return job.state === 'parked' || job.attempts > 0 || isPostponed(job)
}

/** Checks whether a job waits for a model or store. An erasure removes the reason, since it may quote what was erased. */
export function isPostponed({ reason, nextTryAt }: JobRow): boolean {
  return reason !== null || nextTryAt !== null
}

/** Makes jobs due that wait for an unavailable model or store, and returns their number. */
export async function retryPostponed(engine: Engine): Promise<number> {
  const queued = await engine.store.listJobs({ state: 'queued' })
  return retryJobs(
    engine,
    queued.filter(({ attempts }) => attempts === 0),
  )
}

/**
 * Makes those of these jobs due that are parked or wait for their next try. Without a model, rules then do what waits for one. Returns
 * their number.
 */
export async function retryJobs(engine: Engine, jobs: readonly JobRow[]): Promise<number> {
  const failed = jobs.filter(hasFailed)
  for (const { owner, id, state, attempts, reason } of failed)
    await engine.store.updateJob(owner, id, {
      state: 'queued',
      attempts: state === 'parked' ? 0 : attempts,
      reason: engine.language === null ? null : reason,
    })
  for (const job of failed) engine.worker.wake(job)
  return failed.length
}

/** Makes a job for a scope, or for one of its sessions. */
export function newJob(
  engine: Pick<Engine, 'newId' | 'now'>,
  row: ScopeRow,
  kind: JobKind,
  session: string | null = null,
): NewJob {
  return { id: engine.newId(), kind, scope: row.scope, session, at: engine.now() }
}

/** After this number of failures a job is parked until an operator retries it. */
const MAX_ATTEMPTS = 5
/** Delay before the first retry. It doubles with each failure. */
const FIRST_RETRY_MS = 1_000
/** Maximum delay before a retry, whatever delay the provider of a model asks for. */
const MAX_WAIT_MS = 24 * 3_600_000
/** Maximum delay for an unavailable model. The delay is as long as the job has waited already. */
const MAX_OUTAGE_WAIT_MS = 4 * 3_600_000

/** Statuses that refuse one request, for example because it is too long. Other requests may succeed. */
const REFUSAL_STATUSES: ReadonlySet<unknown> = new Set([400, 413, 414, 422])

/** Checks whether the model's server refused the request for its content. A retry does not help. */
export function isRefusedRequest(error: unknown): error is ModelError {
  return error instanceof ModelError && REFUSAL_STATUSES.has(error.details['status'])
}

/** Whether the model is unavailable: no network, server error, rate limit, unknown key or name. Waiting may help. */
export function isModelUnavailable(error: unknown): error is ModelError {
  return error instanceof ModelError && error.code === 'model-failed' && !isRefusedRequest(error)
}

/** Converts a thrown value to an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Whether an error ends by itself (budget, unavailable database or model), and so counts as no failed attempt. */
function isTemporary(error: Error): boolean {
  if (error instanceof StoreError) return error.isRetryable
  return isModelUnavailable(error) || (error instanceof ModelError && error.code === 'model-budget')
}

/** Returns the delay before the next try, in milliseconds. @param waitedMs how long the job has waited already */
export function retryDelayOf(error: Error, attempts: number, waitedMs: number): number {
  const backOff = isModelUnavailable(error)
    ? Math.min(MAX_OUTAGE_WAIT_MS, Math.max(FIRST_RETRY_MS, waitedMs))
    : FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1)
  const retryAfterMs = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0
  return Math.min(MAX_WAIT_MS, Math.max(backOff, retryAfterMs))
}

async function recordJobFailure(
  engine: Engine,
  row: ScopeRow,
  job: JobRow,
  { error, revision }: { readonly error: Error; readonly revision: number | undefined },
): Promise<void> {
  const attempts = isTemporary(error) ? job.attempts : job.attempts + 1
  const parked = attempts >= MAX_ATTEMPTS
  // The revision shows the store whether something that the answer quotes was erased meanwhile.
  const isAnswer = error instanceof ModelError && error.answer !== null && revision !== undefined
  const answer = isAnswer ? { answer: error.answer, revision } : {}
  // A provider's message may quote the request or a key.
  const reason = await engine.textGate.admit(error.message)
  await engine.store.updateJob(row.owner, job.id, {
    ...(parked
      ? { state: 'parked' }
      : { state: 'queued', delayMs: retryDelayOf(error, attempts, engine.now() - job.at) }),
    attempts,
    reason,
    ...answer,
  })
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts, parked, error })
}

/** Reports a failure that belongs to no scope. */
export function reportFailure(engine: Pick<Engine, 'events'>, cause: unknown): void {
  const error = asError(cause)
  if (!(error instanceof ClosedError)) engine.events.emit('background-failed', { error })
}

/**
 * Records a failure of background work in its jobs. A job is retried a few times and then parked. Its turns can be recalled meanwhile.
 *
 * @param work.jobs the jobs that were queued when the work began. Later ones stay due.
 */
export async function recordFailure(
  engine: Engine,
  row: ScopeRow,
  cause: unknown,
  { revision, jobs }: { readonly revision: number | undefined; readonly jobs: readonly JobRow[] },
): Promise<void> {
  const error = asError(cause)
  // Closing the memory interrupted the work, so the jobs stay queued as they are.
  if (error instanceof ClosedError) return
  const ids = new Set(jobs.map(({ id }) => id))
  const queued = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
  for (const job of queued)
    if (job.scope === row.scope && ids.has(job.id))
      await recordJobFailure(engine, row, job, { error, revision })
}

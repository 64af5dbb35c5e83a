import { ClosedError, StoreError } from '../errors/errors.ts'
import { ModelError } from '@keepsake/text'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { JobRow } from '../store/store.ts'
import type { Engine } from './engine.ts'

/** After this number of failures a job is parked with its reason, until an operator retries it. */
const ATTEMPTS = 5
const FIRST_RETRY_MS = 1_000
/** Whatever a model's maker asks for: after a day it is tried all the same. */
const LONGEST_WAIT_MS = 24 * 3_600_000
/** A model that is away is tried again after as long as it has been away, and at least this often. */
const LONGEST_OUTAGE_WAIT_MS = 4 * 3_600_000

/** Statuses that refuse this very request (too long, of a form that the model does not take): another one may pass. */
const REFUSED_REQUEST: ReadonlySet<unknown> = new Set([400, 413, 414, 422])

/** Checks for a request that the model's server refuses for what it asks. Repeating it soon does not help. */
export function isRefusedRequest(error: unknown): error is ModelError {
  return error instanceof ModelError && REFUSED_REQUEST.has(error.details['status'])
}

/**
 * Checks for a model that is away: no network, an error of its server, a limit on its requests, a key or a model that it does not know.
 * That is the model's state and not a fault of the job: waiting helps, or opening the memory with other settings.
 */
export function isModelAway(error: unknown): error is ModelError {
  return error instanceof ModelError && error.code === 'model-failed' && !isRefusedRequest(error)
}

/** Whatever was thrown, as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/**
 * What passes by itself is no failed attempt: a budget that is spent comes back with its window, a database or a model that is away comes
 * back when it does, however long that takes, and it is not the job that has to be looked at.
 */
function isPassing(error: Error): boolean {
  if (error instanceof StoreError) return error.isRetryable
  return isModelAway(error) || (error instanceof ModelError && error.code === 'model-budget')
}

/** @param waited how long the job has waited already, in milliseconds */
export function waitFor(error: Error, attempts: number, waited: number): number {
  const backOff = isModelAway(error)
    ? Math.min(LONGEST_OUTAGE_WAIT_MS, Math.max(FIRST_RETRY_MS, waited))
    : FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1)
  const retryAfterMs = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0
  return Math.min(LONGEST_WAIT_MS, Math.max(backOff, retryAfterMs))
}

async function noteWithJob(
  engine: Engine,
  row: ScopeRow,
  job: JobRow,
  { error, revision }: { readonly error: Error; readonly revision: number | undefined },
): Promise<void> {
  const attempts = isPassing(error) ? job.attempts : job.attempts + 1
  const parked = attempts >= ATTEMPTS
  // An answer may repeat what was erased since the turns were read.
  const isAnswer = error instanceof ModelError && error.answer !== null && revision !== undefined
  const answer = isAnswer ? { answer: error.answer, revision } : {}
  // What a provider says may quote what it was sent, a key with it.
  const reason = await engine.textGate.admit(error.message)
  await engine.store.updateJob(row.owner, job.id, {
    ...(parked
      ? { state: 'parked' }
      : { state: 'queued', delayMs: waitFor(error, attempts, engine.now() - job.at) }),
    attempts,
    reason,
    ...answer,
  })
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts, parked, error })
}

/** Reports a failure that belongs to no scope. */
export function tellFailure(engine: Pick<Engine, 'events'>, cause: unknown): void {
  const error = asError(cause)
  if (!(error instanceof ClosedError)) engine.events.emit('background-failed', { error })
}

/**
 * Notes a failure of background work with the scope's jobs: tried again later, a few times, and then parked
 * with the reason. Nothing is lost: the turns stay, and stay recallable.
 *
 * @param revision the user's when what failed was begun; `undefined` where it failed before that was known
 */
export async function noteFailure(
  engine: Engine,
  row: ScopeRow,
  cause: unknown,
  revision: number | undefined,
): Promise<void> {
  const error = asError(cause)
  // Closing interrupted it: the work stays queued as it was, for the next open.
  if (error instanceof ClosedError) return
  const jobs = await engine.store.listJobs({ owner: row.owner, state: 'queued' })
  for (const job of jobs)
    if (job.scope === row.scope) await noteWithJob(engine, row, job, { error, revision })
}

import { ClosedError } from '../errors/closed-error.ts'
import { ModelError } from '../errors/model-error.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { JobRow } from '../stores/store.ts'
import type { Engine } from './engine.ts'

/** After so many failures a job is parked with its reason, until somebody looks. */
const ATTEMPTS = 5
const FIRST_RETRY_MS = 1_000
/** The longest a timer can wait; a scope that waits longer is woken earlier and finds that it must wait on. */
const LONGEST_WAIT_MS = 24 * 3_600_000

/** Whatever was thrown, as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** A budget that is spent comes back with its window; that is no failed attempt. */
function isBudget(error: Error): error is ModelError {
  return error instanceof ModelError && error.code === 'model-budget'
}

function waitFor(error: Error, attempts: number): number {
  const backOff = FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1)
  const asked = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0
  return Math.min(LONGEST_WAIT_MS, Math.max(backOff, asked))
}

async function noteFailure(
  engine: Engine,
  row: ScopeRow,
  job: JobRow,
  { error, epoch }: { readonly error: Error; readonly epoch: number | null },
): Promise<void> {
  const attempts = isBudget(error) ? job.attempts : job.attempts + 1
  const parked = attempts >= ATTEMPTS
  // An answer may repeat what was erased since the turns were read: without their epoch it is not kept.
  const isKept = error instanceof ModelError && error.answer !== null && epoch !== null
  const answer = isKept ? { answer: error.answer, epoch } : {}
  await engine.store.updateJob(job.id, {
    state: parked ? 'parked' : 'queued',
    attempts,
    reason: error.message,
    ...answer,
  })
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts, parked, error })
  if (!parked) setTimeout(() => engine.worker.wake(row), waitFor(error, attempts)).unref()
}

/**
 * Notes a failure of background work with the scope's jobs: tried again later, a few times, and then parked
 * with the reason. Nothing is lost: the turns stay, and stay recallable.
 *
 * @param epoch the person's epoch when what failed was begun; `null` where no turns were read
 */
export function reportFailure(
  engine: Engine,
  row: ScopeRow | null,
  cause: unknown,
  epoch: number | null = null,
): void {
  const error = asError(cause)
  // Closing interrupted it: the work stays queued as it was, for the next open.
  if (error instanceof ClosedError) return
  if (row === null) {
    engine.events.emit('background-failed', { error })
    return
  }
  void engine.store
    .jobs({ owner: row.owner, state: 'queued' })
    .then((jobs) =>
      Promise.all(
        jobs
          .filter((job) => job.scope === row.scope)
          .map((job) => noteFailure(engine, row, job, { error, epoch })),
      ),
    )
    .catch((second: unknown) => engine.events.emit('background-failed', { error: asError(second) }))
}

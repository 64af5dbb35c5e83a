import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { JobRow } from '../stores/store.ts'
import type { Engine } from './engine.ts'

/** After so many failures a job is parked with its reason, until somebody looks. */
const ATTEMPTS = 5
const FIRST_RETRY_MS = 1_000

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

async function noteFailure(engine: Engine, row: ScopeRow, job: JobRow, error: Error): Promise<void> {
  const attempts = job.attempts + 1
  const parked = attempts >= ATTEMPTS
  await engine.store.updateJob(job.id, {
    state: parked ? 'parked' : 'queued',
    attempts,
    reason: error.message,
  })
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts, parked, error })
  if (!parked) setTimeout(() => engine.worker.wake(row), FIRST_RETRY_MS * 2 ** (attempts - 1)).unref()
}

/**
 * Notes a failure of background work with the scope's jobs: tried again later, a few times, and then parked
 * with the reason. Nothing is lost: the turns stay, and stay recallable.
 */
export function reportFailure(engine: Engine, row: ScopeRow | null, cause: unknown): void {
  const error = asError(cause)
  if (row === null) {
    engine.events.emit('background-failed', { error })
    return
  }
  void engine.store
    .jobs({ owner: row.owner, state: 'queued' })
    .then((jobs) =>
      Promise.all(
        jobs.filter((job) => job.scope === row.scope).map((job) => noteFailure(engine, row, job, error)),
      ),
    )
    .catch((second: unknown) => engine.events.emit('background-failed', { error: asError(second) }))
}

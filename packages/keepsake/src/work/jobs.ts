// Makes, retries and reports jobs.
import { ClosedError } from '../errors/errors.ts'
import type { JobRow, JobKind, NewJob } from '../store/store.ts'
import type { Engine } from './engine.ts'
import { asError } from './report-failure.ts'
import type { ScopeRow } from '../scopes/scope.ts'

/** What `drain()` leaves undone. */
export interface DrainResult {
  /** Jobs that failed, with the reason: parked for good, or waiting for their next try. Empty where all is done. */
  readonly failed: readonly JobRow[]
  /** What failed meanwhile that is no job's, such as making vectors. */
  readonly errors: readonly Error[]
}

/**
 * Does what waits, and says what of it failed instead of throwing it.
 *
 * @param jobs reads those to look at afterwards
 * @throws ClosedError when the memory is closed
 */
export async function drainTelling(
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

/** Whether a job is parked, or waits for its next try. */
function hasFailed({ state, attempts, reason }: JobRow): boolean {
  return state === 'parked' || attempts > 0 || reason !== null
}

/**
 * Tries again what waits for a model or store that was away. A job that failed by itself keeps its place.
 *
 * @returns how many
 */
export async function retryWaiting(engine: Engine): Promise<number> {
  const queued = await engine.store.listJobs({ state: 'queued' })
  return retryJobs(
    engine,
    queued.filter(({ attempts }) => attempts === 0),
  )
}

/** Tries again what failed of these: parked jobs, and those that wait for their next try. @returns how many */
export async function retryJobs(engine: Engine, jobs: readonly JobRow[]): Promise<number> {
  const failed = jobs.filter(hasFailed)
  for (const { owner, id, state, attempts, reason } of failed)
    await engine.store.updateJob(owner, id, {
      state: 'queued',
      attempts: state === 'parked' ? 0 : attempts,
      reason,
    })
  for (const job of failed) engine.worker.wake(job)
  return failed.length
}

/** A job of a scope, or of one of its sessions. */
export function newJob(
  engine: Pick<Engine, 'newId' | 'now'>,
  row: ScopeRow,
  kind: JobKind,
  session: string | null = null,
): NewJob {
  return { id: engine.newId(), kind, scope: row.scope, session, at: engine.now() }
}

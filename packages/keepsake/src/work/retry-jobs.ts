import type { JobRow } from '../store/store.ts'
import { hasFailed } from './drained.ts'
import type { Engine } from './engine.ts'

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

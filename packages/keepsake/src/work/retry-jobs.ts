import type { JobRow } from '../store/store.ts'
import { hasFailed } from './drained.ts'
import type { Engine } from './engine.ts'

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

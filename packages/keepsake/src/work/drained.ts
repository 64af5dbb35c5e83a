import { ClosedError } from '../errors/closed-error.ts'
import type { JobRow } from '../store/store.ts'
import type { Engine } from './engine.ts'
import { asError } from './report-failure.ts'

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
export function hasFailed({ state, attempts, reason }: JobRow): boolean {
  return state === 'parked' || attempts > 0 || reason !== null
}

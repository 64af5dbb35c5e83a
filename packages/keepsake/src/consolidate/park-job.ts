// Parks jobs that failed because of a model's answer, and finds parked segments that are read once more.
import { ModelError } from '@keepsake/text'
import type { NotPossibleError } from '../errors/errors.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { JobRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { isRefusedRequest } from '../work/jobs.ts'

/** Checks for an unusable answer of a model, or a refused request. An immediate retry would probably fail again. */
export function isUnusableAnswer(error: unknown): error is ModelError {
  return isRefusedRequest(error) || (error instanceof ModelError && error.code === 'model-answer')
}

/** Waits for a model's answer. Returns the fallback if the answer is unusable. */
export async function answerOr<Answer>(answer: Promise<Answer>, fallback: Answer): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    return fallback
  }
}

/** Parks a job with the reason and the model's answer until the application retries it. */
export async function parkJob(
  engine: Engine,
  row: ScopeRow,
  job: JobRow,
  failed: { readonly error: ModelError | NotPossibleError; readonly revision: number },
): Promise<void> {
  const { error, revision } = failed
  const attempts = job.attempts + 1
  const answer = error instanceof ModelError ? { answer: error.answer } : {}
  await engine.store.updateJob(row.owner, job.id, {
    state: 'parked',
    attempts,
    reason: error.message,
    ...answer,
    revision,
  })
  engine.events.emit('job-failed', { scope: eventScope(row), job: job.id, attempts, parked: true, error })
}

/**
 * Finds segments that were parked after one failure. They are read again when a later session ends, because a second answer
 * is often usable.
 *
 * @param ending the jobs of the sessions that end. Segments of these sessions are not returned.
 */
export async function parkedOnce(
  engine: Engine,
  row: ScopeRow,
  ending: readonly JobRow[],
): Promise<readonly JobRow[]> {
  if (ending.length === 0) return []
  const sessions = new Set(ending.map(({ session }) => session))
  const state = await engine.users.load(row.owner)
  const parkedJobs: JobRow[] = []
  for (const job of await engine.store.listJobs({ owner: row.owner, state: 'parked' })) {
    const { scope, kind, attempts, from, to } = job
    if (scope !== row.scope || kind !== 'read-segment' || attempts !== 1) continue
    const last = state.turnsAfter(scope, from ?? 0, { upTo: to ?? Number.POSITIVE_INFINITY }).at(-1)
    if (!sessions.has(last?.session ?? null)) parkedJobs.push(job)
  }
  return parkedJobs
}

/** Queues the parked segments that an interrupted pass did not reach. Otherwise they would wait for the end of another session. */
export async function queueParked(
  engine: Engine,
  row: ScopeRow,
  parked: readonly JobRow[],
  ending: readonly JobRow[],
): Promise<void> {
  const parkedBefore = new Set(parked.map(({ id }) => id))
  for (const { id, attempts, reason } of await parkedOnce(engine, row, ending))
    if (parkedBefore.has(id))
      await engine.store.updateJob(row.owner, id, { state: 'queued', attempts, reason })
}

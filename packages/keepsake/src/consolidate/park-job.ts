import { ModelError } from '@keepsake/text'
import type { NotPossibleError } from '../errors/not-possible-error.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { JobRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'

/** Checks for an unusable model answer: an immediate retry would cost as much and not help. */
export function isUnusableAnswer(error: unknown): error is ModelError {
  return error instanceof ModelError && error.code === 'model-answer'
}

/** Returns the model's answer, or the fallback if it is unusable. */
export async function answerOr<Answer>(question: Promise<Answer>, without: Answer): Promise<Answer> {
  try {
    return await question
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    return without
  }
}

/**
 * Parks a job until it is retried by hand, with the reason and the model's answer.
 *
 * @param failed with the revision that the model's input was read at
 */
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

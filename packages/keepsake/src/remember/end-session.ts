import { NotFoundError } from '../errors/not-found-error.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { newJob } from '../work/new-job.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'

/**
 * Queues the end of a session, durably. The worker then reads the rest of it, summarises it and runs the
 * policy. Ending an ended session does nothing.
 *
 * @throws NotFoundError when there is no such session.
 */
export async function endSession(
  engine: Engine,
  row: ScopeRow | null,
  given: string | undefined,
): Promise<void> {
  const sessions =
    row === null ? [] : await engine.store.listSessions({ userId: row.owner, scopes: [row.scope] })
  const session = given === undefined ? sessions.at(-1) : sessions.find((one) => one.id === given)
  if (session === undefined || row === null) {
    if (given === undefined) return
    throw new NotFoundError('session', given)
  }
  if (session.endedAt !== null) return
  const queueJobs = [newJob(engine, row, 'end-session', session.id)]
  await decideAndCommit(engine, row, () => undefined, { queueJobs })
  engine.worker.wake(row)
}

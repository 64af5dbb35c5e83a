import type { ScopeRow } from '../scopes/scope.ts'
import type { Store } from '../store/store.ts'
import { readId } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import type { Engine } from '../work/engine.ts'
import { newJob } from '../work/jobs.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import type { UserState } from '../user-state/user-state.ts'

const COLLECTION = 'unremembered-sessions'

type Sessions = Pick<Store, 'getRecord' | 'putRecord' | 'removeRecord'>

function keyOf({ scope }: ScopeRow, session: string): string {
  return JSON.stringify([scope, session])
}

/** Whether the user asked not to remember this session. The answer is stored in a record, which is erased with the user. */
export async function isUnremembered(store: Sessions, row: ScopeRow, session: string): Promise<boolean> {
  return (await store.getRecord(COLLECTION, keyOf(row, session))) !== null
}

/** Sets whether turns of a session are stored from now on. Turns that are stored already stay. @throws InvalidInputError */
export async function setRemembered(
  store: Sessions,
  row: ScopeRow,
  session: string,
  remember: boolean,
): Promise<void> {
  const key = keyOf(row, readId(session, 'session'))
  if (remember) await store.removeRecord(COLLECTION, key)
  else await store.putRecord({ collection: COLLECTION, key, owner: row.owner, value: {} })
}

/** Queues the end of a session. The worker then reads its last turns, summarises it, and forgets. @throws NotFoundError */
export async function endSession(
  engine: Engine,
  row: ScopeRow | null,
  id: string | undefined,
): Promise<void> {
  const sessions =
    row === null ? [] : await engine.store.listSessions({ userId: row.owner, scopes: [row.scope] })
  const session = id === undefined ? sessions.at(-1) : sessions.find((row) => row.id === id)
  if (session === undefined || row === null) {
    if (id === undefined) return
    throw new NotFoundError('session', id)
  }
  if (session.endedAt !== null) return
  const queueJobs = [newJob(engine, row, 'end-session', session.id)]
  await decideAndCommit(engine, row, () => undefined, { queueJobs })
  engine.worker.wake(row)
}

/** Whether the silence before a turn is longer than `gapMs`, so that a new session starts. A turn that arrives late starts none. */
export function isNewSession(lastAt: number, time: number, gapMs: number): boolean {
  return time - lastAt > gapMs
}

/** The scope in which turns are recorded, and the user's state if it is cached and current. */
export interface RecordTarget {
  readonly row: ScopeRow
  readonly state: UserState | undefined
}

/** Chooses the session of new turns: the given one, the open one, or a new one after a long silence. */
export async function chooseSession(
  engine: Engine,
  { row, state }: RecordTarget,
  id: string | undefined,
  time: number,
): Promise<ChosenSession> {
  if (id !== undefined) return { session: readId(id, 'session'), endedSession: null }
  const query = { userId: row.owner, scopes: [row.scope], newestFirst: true, limit: 1 }
  const last = (state?.sessions(row.scope) ?? (await engine.store.listSessions(query))).at(-1)
  if (last === undefined) return { session: 'session-1', endedSession: null }
  const nextId = `session-${last.number + 1}`
  if (last.endedAt !== null) return { session: nextId, endedSession: null }
  if (isNewSession(last.lastAt, time, engine.preset.sessionGap))
    return { session: nextId, endedSession: last.id }
  return { session: last.id, endedSession: null }
}

interface ChosenSession {
  readonly session: string
  /** The session before, if a silence has ended it. */
  readonly endedSession: string | null
}

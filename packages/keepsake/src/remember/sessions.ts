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

/** Whether a user asked that this session not be remembered. It stands in the records, for every process, and goes with the person. */
export async function isUnremembered(store: Sessions, row: ScopeRow, session: string): Promise<boolean> {
  return (await store.getRecord(COLLECTION, keyOf(row, session))) !== null
}

/** Says whether turns of a session are kept from now on. What was kept before stays until it is erased. @throws InvalidInputError */
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

/** Queues a session's end durably: the worker reads the rest, summarises and forgets. @throws NotFoundError for none */
export async function endSession(
  engine: Engine,
  row: ScopeRow | null,
  given: string | undefined,
): Promise<void> {
  const sessions =
    row === null ? [] : await engine.store.listSessions({ userId: row.owner, scopes: [row.scope] })
  const session = given === undefined ? sessions.at(-1) : sessions.find((row) => row.id === given)
  if (session === undefined || row === null) {
    if (given === undefined) return
    throw new NotFoundError('session', given)
  }
  if (session.endedAt !== null) return
  const queueJobs = [newJob(engine, row, 'end-session', session.id)]
  await decideAndCommit(engine, row, () => undefined, { queueJobs })
  engine.worker.wake(row)
}

/** Whether the silence before a turn, above `gapMs`, starts a new session. Late turns start none. */
export function isNewSession(lastAt: number, time: number, gapMs: number): boolean {
  return time - lastAt > gapMs
}

/** Where turns are recorded: a scope, and the user's state where it is in memory and current. */
export interface Place {
  readonly row: ScopeRow
  readonly state: UserState | undefined
}

export async function chooseSession(
  engine: Engine,
  { row, state }: Place,
  given: string | undefined,
  time: number,
): Promise<ChosenSession> {
  if (given !== undefined) return { session: readId(given, 'session'), over: null }
  const query = { userId: row.owner, scopes: [row.scope], newestFirst: true, limit: 1 }
  const last = (state?.sessions(row.scope) ?? (await engine.store.listSessions(query))).at(-1)
  if (last === undefined) return { session: 'session-1', over: null }
  if (last.endedAt !== null) return { session: `session-${last.number + 1}`, over: null }
  if (!isNewSession(last.lastAt, time, engine.preset.sessionGap)) return { session: last.id, over: null }
  return { session: `session-${last.number + 1}`, over: last.id }
}

interface ChosenSession {
  readonly session: string
  /** The session before, whose silence ended it. */
  readonly over: string | null
}

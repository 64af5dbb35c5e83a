import { setTimeout as sleep } from 'node:timers/promises'
import { translateError } from '../translate-error.ts'
import { codeOf, IN_FAILED_TRANSACTION, isConnectionLost } from './postgres-codes.ts'
import type { Session, Sessions } from './session.ts'
import { name, part, type SqlPart } from './sql-part.ts'
import { asObjects, Sql } from './sql.ts'

/** Whose rows a transaction may see. */
export type Sight =
  /** One person's; with their place among all people where that changes too. */
  | { readonly owner: number; readonly sees?: 'all' }
  /** What has to be found without knowing whose it is: people, jobs, claims, erasures to finish. */
  | 'all'
  /** How many rows there are, of whomever. */
  | 'counts'

export interface WriteOptions {
  /** As of `CommitRequest`. */
  readonly flush?: boolean | undefined
}

/** The role under which statements run, the schema they are about, and how long they wait. */
export interface Place {
  readonly schema: string
  /** `null`: that of the connection. */
  readonly role: string | null
  /** How long a statement waits for a lock that another connection holds, in milliseconds. */
  readonly lockTimeoutMs: number
}

/** A process that stops in the middle of a transaction, and is not gone, loses it after this: others wait for its locks. */
const STALLED = '60s'

const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const BEGIN_UNFLUSHED = 'BEGIN; SET LOCAL synchronous_commit = off'

/** How often it is asked whether a commit that was cut off happened, and how long to wait in between. */
const ASKED_AT_MOST = 50
const ASK_EVERY_MS = 100

/** Everything is done in transactions, each of which says first whose rows it is about. */
export class Transactions {
  readonly #sessions: Sessions
  readonly #place: SqlPart

  constructor(sessions: Sessions, { schema, role, lockTimeoutMs }: Place) {
    this.#sessions = sessions
    const settings = [
      `set_config('search_path', '${schema}', true)`,
      `set_config('lock_timeout', '${lockTimeoutMs}', true)`,
      `set_config('idle_in_transaction_session_timeout', '${STALLED}', true)`,
    ]
    if (role !== null) settings.push(`set_config('role', '${role}', true)`)
    this.#place = name(settings.join(', '))
  }

  get name(): string {
    return this.#sessions.name
  }

  /** All or nothing, and durable when it returns, unless it need not be. */
  async write<Result>(
    sight: Sight,
    work: (sql: Sql) => Promise<Result>,
    { flush = true }: WriteOptions = {},
  ): Promise<Result> {
    const begin = flush ? 'BEGIN' : BEGIN_UNFLUSHED
    const settings = part`SELECT ${this.#settings(sight)}, ${name(flush ? 'pg_current_xact_id()::text' : 'NULL')}`
    const commit: Commit = { number: null, life: null }
    return this.#run(async () => {
      try {
        return await this.#sessions.use((session) => {
          if (flush) noteLife(session, commit)
          return runWithin(session, { begin, settings, commit }, work)
        })
      } catch (error) {
        if (commit.result === undefined || !isConnectionLost(error)) throw error
        if (!(await this.#hasHappened(commit))) throw error
        return commit.result.value as Result
      }
    })
  }

  /**
   * One statement that needs nothing decided on the way, in one way to the server with its transaction's beginning and end. For what need
   * not outlive a failure of power: no flush waits for it, and one whose end was cut off is told as failed.
   */
  async once<Result>(sight: Sight, statement: SqlPart): Promise<Result[]> {
    return this.#run(() =>
      this.#sessions.use(async (session) => {
        const [, , answer] = await allOf([
          session.command(BEGIN_UNFLUSHED),
          session.ask(part`SELECT ${this.#settings(sight)}`),
          session.ask(statement),
          session.command('COMMIT'),
        ] as const)
        return asObjects<Result>(answer)
      }),
    )
  }

  /**
   * One snapshot for what `work` asks, all of it at once: it goes to the server together with the transaction's beginning and end. A
   * connection that turns out to be cut is no reason to fail: nothing was changed.
   */
  read<Result>(sight: Sight, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#readBy(sight, (session, settings) => readWithin(session, settings, work))
  }

  /** The same for what asks further when it has seen the first answers. */
  readOn<Result>(sight: Sight, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#readBy(sight, (session, settings) =>
      runWithin(session, { begin: BEGIN_READING, settings, commit: null }, work),
    )
  }

  #readBy<Result>(
    sight: Sight,
    read: (session: Session, settings: SqlPart) => Promise<Result>,
  ): Promise<Result> {
    const settings = part`SELECT ${this.#settings(sight)}`
    const once = (): Promise<Result> => this.#sessions.use((session) => read(session, settings))
    return this.#run(() =>
      once().catch((error: unknown) => {
        if (isConnectionLost(error)) return once()
        throw error
      }),
    )
  }

  #settings(sight: Sight): SqlPart {
    const owner = typeof sight === 'string' ? '' : String(requireNumber(sight.owner))
    const sees = typeof sight === 'string' ? sight : (sight.sees ?? '')
    return part`${this.#place}, set_config('keepsake.owner', ${owner}, true), set_config('keepsake.sees', ${sees}, true)`
  }

  /**
   * Whether a transaction whose connection was cut while it committed did: the server knows, once it is there again. After a crash it may
   * have given the number of a transaction that was lost to another, so that only in the same life is its answer about this one; and what
   * is told as failed though it happened is found by whoever tries again.
   */
  async #hasHappened({ number, life }: Commit): Promise<boolean> {
    if (number === null || life === null) return false
    for (let asked = 0; asked < ASKED_AT_MOST; asked += 1) {
      const status = await this.#sessions
        .use(async (session) => {
          const [{ rows }, now] = await Promise.all([
            session.ask(part`SELECT pg_xact_status(${number}::xid8)`),
            session.life(),
          ])
          return now === life ? rows[0]?.[0] : 'unknown'
        })
        .catch(unlessLost)
      if (status !== 'in progress') return status === 'committed'
      await sleep(ASK_EVERY_MS)
    }
    return false
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw translateError(error, this.#sessions.name)
    }
  }
}

/** Waits for all, also where one fails, so that the session is done with them; the first that failed says why. */
async function allOf<const Given extends readonly Promise<unknown>[]>(
  given: Given,
): Promise<{ -readonly [Index in keyof Given]: Awaited<Given[Index]> }> {
  await Promise.allSettled(given)
  return Promise.all(given)
}

/** In which life of the server a transaction is made. Whatever keeps it from being known, the transaction itself says. */
function noteLife(session: Session, commit: Commit): void {
  session.life().then(
    (life) => (commit.life = life),
    () => {},
  )
}

/** A server that crashed need not know the number of what it lost. */
function unlessLost(error: unknown): 'aborted' {
  if (isConnectionLost(error)) throw error
  return 'aborted'
}

/** Within a transaction that is about several people, one after another. */
export async function turnTo(sql: Sql, owner: number): Promise<void> {
  await sql.run`SELECT set_config('keepsake.owner', ${String(requireNumber(owner))}, true)`
}

function requireNumber(owner: number): number {
  if (!Number.isSafeInteger(owner)) throw new TypeError('an owner is a whole number')
  return owner
}

/** What is known of a transaction's end when the connection is cut in it. */
interface Commit {
  /** Postgres' number of the transaction. */
  number: string | null
  /** The life of the server in which it has that number. */
  life: string | null
  /** What the work gave, from when the commit is asked for. */
  result?: { readonly value: unknown }
}

interface Frame {
  readonly begin: string
  readonly settings: SqlPart
  /** `null`: nothing is changed, so that nobody waits for the end. */
  readonly commit: Commit | null
}

/** What is asked first goes to the server together with the beginning; what is sent last, with the commit. */
async function runWithin<Result>(
  session: Session,
  { begin, settings, commit }: Frame,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const began = session.command(begin)
  const set = session.ask(settings).then(({ rows }) => noteNumber(commit, rows[0]?.at(-1)))
  for (const one of [began, set]) one.catch(() => {})
  const sql = new Sql(session)
  try {
    const value = await work(sql)
    await Promise.all([began, set])
    if (commit !== null) commit.result = { value }
    const committed = session.command('COMMIT')
    committed.catch(() => {})
    if (commit === null) return value
    // The first that failed says why, the commit only that it did not happen.
    await sql.settle()
    await committed
    return value
  } catch (error) {
    const rolledBack = session.command('ROLLBACK').catch(() => {})
    await began
    await set
    await sql.settle().catch(() => {})
    await rolledBack
    throw codeOf(error) === IN_FAILED_TRANSACTION ? (sql.failure ?? error) : error
  }
}

/** Everything is asked before anything is answered, so that the end goes with it. Nobody waits for that. */
async function readWithin<Result>(
  session: Session,
  settings: SqlPart,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const began = session.command(BEGIN_READING)
  const set = session.ask(settings)
  const sql = new Sql(session)
  const asked = (async () => work(sql))()
  sql.end()
  const ended = session.command('COMMIT')
  for (const one of [began, set, ended]) one.catch(() => {})
  try {
    const [value] = await Promise.all([asked, began, set])
    return value
  } catch (error) {
    await ended.catch(() => {})
    throw codeOf(error) === IN_FAILED_TRANSACTION ? (sql.failure ?? error) : error
  }
}

function noteNumber(commit: Commit | null, number: unknown): void {
  if (commit !== null && typeof number === 'string') commit.number = number
}

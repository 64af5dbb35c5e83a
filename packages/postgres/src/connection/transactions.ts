import { translateError } from '../translate-error.ts'
import type { Session, Sessions } from './session.ts'
import { Sql } from './sql.ts'

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

/** The role under which statements run, and the schema they are about. */
export interface Place {
  readonly schema: string
  /** `null`: that of the connection. */
  readonly role: string | null
}

/** Everything is done in transactions, each of which says first whose rows it is about. */
export class Transactions {
  readonly #sessions: Sessions
  readonly #prelude: string

  constructor(sessions: Sessions, { schema, role }: Place) {
    this.#sessions = sessions
    const settings = [`set_config('search_path', '${schema}', true)`]
    if (role !== null) settings.push(`set_config('role', '${role}', true)`)
    this.#prelude = settings.join(', ')
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
    const begin = `BEGIN; ${this.#settings(sight)};${flush ? '' : ' SET LOCAL synchronous_commit = off;'}`
    return this.#run((session) => runWithin(session, begin, work))
  }

  /** One snapshot for all reads in `work`. */
  async read<Result>(sight: Sight, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${this.#settings(sight)};`
    return this.#run((session) => runWithin(session, begin, work))
  }

  #settings(sight: Sight): string {
    const owner = typeof sight === 'string' ? '' : String(requireNumber(sight.owner))
    const sees = typeof sight === 'string' ? sight : (sight.sees ?? '')
    return `SELECT ${this.#prelude}, set_config('keepsake.owner', '${owner}', true), set_config('keepsake.sees', '${sees}', true)`
  }

  async #run<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    try {
      return await this.#sessions.use(work)
    } catch (error) {
      throw translateError(error, this.#sessions.name)
    }
  }
}

/** Within a transaction that is about several people, one after another. */
export async function turnTo(sql: Sql, owner: number): Promise<void> {
  await sql.run`SELECT set_config('keepsake.owner', ${String(requireNumber(owner))}, true)`
}

/** It stands in a statement's text. */
function requireNumber(owner: number): number {
  if (!Number.isSafeInteger(owner)) throw new TypeError('an owner is a whole number')
  return owner
}

/** What is asked first goes to the server together with `begin`; what is sent last, with the commit. */
async function runWithin<Result>(
  session: Session,
  begin: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const began = session.command(begin)
  began.catch(() => {})
  const sql = new Sql(session)
  try {
    const result = await work(sql)
    const committed = session.command('COMMIT')
    committed.catch(() => {})
    // In this order: the first that failed says why, the others only that it did.
    await began
    await sql.settle()
    await committed
    return result
  } catch (error) {
    const rolledBack = session.command('ROLLBACK').then(
      () => null,
      (failure: unknown) => failure,
    )
    await began
    await sql.settle().catch(() => {})
    await rolledBack
    throw error
  }
}

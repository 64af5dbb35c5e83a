import type { PGlite, QueryOptions, Results } from '@electric-sql/pglite'
import { ClosedError } from 'keepsake/store-kit'
import { escapeNul, unescapeNul } from './escape-nul.ts'
import { readNumbers } from './pg-sessions.ts'
import type { Answer, Session, Sessions } from './session.ts'
import { textOf, type SqlPart, type SqlValue } from './sql-part.ts'

const OPTIONS: QueryOptions = {
  rowMode: 'array',
  parsers: {
    17: (hex) => Buffer.from(hex.slice(2), 'hex'),
    20: Number,
    25: unescapeNul,
    1016: readNumbers,
  },
}

/** Whoever has the one session of a database, by database: several stores may be open on it. */
const turns = new WeakMap<PGlite, Promise<unknown>>()

/** Postgres in this process, in WebAssembly: one session, which callers take in turns. */
export class PgliteSessions implements Sessions {
  readonly name = 'PGlite'
  readonly #database: PGlite
  #isClosed = false

  constructor(database: PGlite) {
    this.#database = database
  }

  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new ClosedError()
    const before = turns.get(this.#database) ?? Promise.resolve()
    const mine = before.then(() => work(this.#session()))
    turns.set(
      this.#database,
      mine.catch(() => {}),
    )
    return mine
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    const stop = await this.use(() => this.#database.listen(channel, hear))
    // What was said before was not heard.
    hear('')
    return async () => {
      await stop()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await turns.get(this.#database)
  }

  #session(): Session {
    return {
      ask: async (statement: SqlPart): Promise<Answer> => {
        const values = statement.values.map(encode)
        const answer: Results<unknown[]> = await this.#database.query(textOf(statement), values, OPTIONS)
        const columns = answer.fields.map((field) => field.name)
        return { rows: answer.rows, columns, count: answer.affectedRows || answer.rows.length }
      },
      command: async (text) => void (await this.#database.exec(text)),
      life: () => Promise.resolve('of this process'),
    }
  }
}

function encode(value: SqlValue): unknown {
  if (typeof value === 'string') return escapeNul(value)
  return Array.isArray(value) ? (value as readonly SqlValue[]).map((one) => encode(one)) : value
}

import { Mutex } from 'async-mutex'
import { giveWay } from '../../give-way.ts'
import type { Connection } from './connection.ts'
import type { Steps } from './long-writer.ts'
import type { Sql } from './sql.ts'

/**
 * Reads what is much in steps: as the file stood when it began, over a connection of its own, with looks at the event loop between its
 * steps. Who writes meanwhile waits for nothing.
 */
export class LongReader {
  readonly #open: () => Promise<Connection>
  readonly #turn = new Mutex()
  #connection: Promise<Connection> | null = null
  #isClosed = false

  /** @param open a connection to the file that is read; opened when there first is much */
  constructor(open: () => Promise<Connection>) {
    this.#open = open
  }

  /**
   * @param otherwise reads it in one go, where no other connection can be had
   * @throws what the steps throw, told as an error of the store
   */
  read<Result>(work: (sql: Sql) => Steps<Result>, otherwise: () => Promise<Result>): Promise<Result> {
    return this.#turn.runExclusive(async () => {
      const connection = await this.#connect()
      return connection === null ? otherwise() : connection.readInSteps(work, giveWay)
    })
  }

  async #connect(): Promise<Connection | null> {
    if (this.#isClosed) return null
    this.#connection ??= this.#open()
    try {
      return await this.#connection
    } catch {
      this.#connection = null
      return null
    }
  }

  /** Waits for what is under way, and closes the connection. Before the file's other connections are. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#turn.runExclusive(async () => {
      const connection = await this.#connection?.catch(() => null)
      await connection?.close()
      this.#connection = null
    })
  }
}

import { Mutex } from 'async-mutex'
import type { Connection } from './connection.ts'

/** Another connection to a file, by which one work after another is done. It is opened for the first of them, and never once it was closed. */
export class SideConnection {
  readonly #open: () => Promise<Connection>
  readonly #turn = new Mutex()
  #connection: Promise<Connection> | null = null
  #isClosed = false

  constructor(open: () => Promise<Connection>) {
    this.#open = open
  }

  /** @param work given the connection; `null` where another cannot be had, of which there are only so many */
  use<Result>(work: (connection: Connection | null) => Promise<Result>): Promise<Result> {
    return this.#turn.runExclusive(async () => work(await this.#connect()))
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

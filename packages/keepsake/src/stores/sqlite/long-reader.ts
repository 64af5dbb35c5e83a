import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { Connection } from './connection.ts'
import type { Steps } from './long-writer.ts'
import { SideConnection } from './side-connection.ts'
import type { Sql } from './sql.ts'

/**
 * Reads what is much in steps: as the file stood when it began, over a connection of its own, with looks at the event loop between its
 * steps. Who writes meanwhile waits for nothing.
 */
export class LongReader {
  readonly #side: SideConnection

  /** @param open a connection to the file that is read; opened when there first is much */
  constructor(open: () => Promise<Connection>) {
    this.#side = new SideConnection(open)
  }

  /**
   * @param otherwise reads it in one go, where no other connection can be had
   * @throws what the steps throw, told as an error of the store
   */
  read<Result>(work: (sql: Sql) => Steps<Result>, otherwise: () => Promise<Result>): Promise<Result> {
    return this.#side.use((connection) =>
      connection === null ? otherwise() : connection.readInSteps(work, yieldToEventLoop),
    )
  }

  /** Waits for what is under way, and closes the connection. Before the file's other connections are. */
  close(): Promise<void> {
    return this.#side.close()
  }
}

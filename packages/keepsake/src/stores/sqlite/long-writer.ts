import { setImmediate as nextTurn } from 'node:timers/promises'
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { Connection } from './connection.ts'
import { SideConnection } from './side-connection.ts'
import type { Sql } from './sql.ts'

/** Work of one transaction, which gives way between its steps. */
export type Steps<Result> = Generator<undefined, Result>

/**
 * Writes what is much in steps: one transaction, all of it or nothing, over a connection of its own, with looks at the event loop between its
 * steps. Nobody reads anything of it before its end, for they read over another connection. Who writes meanwhile waits for that end, and
 * goes before the next that is much.
 */
export class LongWriter {
  readonly #side: SideConnection
  #running: Promise<unknown> | null = null
  /** Works that must not be met by what another connection writes. */
  #without = 0

  /** @param open the connection to write by, to the file that is written; opened when there first is much */
  constructor(open: () => Promise<Connection>) {
    this.#side = new SideConnection(open)
  }

  /** Resolves when what is written now is over; `null` where nothing is. */
  get ending(): Promise<unknown> | null {
    return this.#running
  }

  /** Runs something, during which nothing is written here: a copy of the file is begun anew with each change by another connection. */
  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#without += 1
    try {
      await this.#running
      return await work()
    } finally {
      this.#without -= 1
    }
  }

  /**
   * @param otherwise writes it in one go, where it cannot be written here
   * @throws what the steps throw, or the store: nothing of it is there then
   */
  write<Result>(work: (sql: Sql) => Steps<Result>, otherwise: () => Promise<Result>): Promise<Result> {
    return this.#side.use(async (connection) => {
      // Those who waited for the one before begin now.
      await nextTurn()
      if (connection === null || this.#without > 0) return otherwise()
      const running = connection.callInSteps(work, yieldToEventLoop)
      this.#running = running.catch(() => undefined)
      try {
        return await running
      } finally {
        this.#running = null
      }
    })
  }

  /** Waits for what is under way, and closes the connection. Before the file's other connections are. */
  close(): Promise<void> {
    return this.#side.close()
  }
}

/** Takes the steps in one go. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

import { randomUUID } from 'node:crypto'
import type { Sessions } from './connection/session.ts'
import { part } from './connection/sql-part.ts'

/** Tells other processes of queued work and hears of theirs, by NOTIFY on a channel of the schema. */
export class WorkWatch {
  readonly #sessions: Sessions
  readonly #channel: string
  /** Which notifications are our own: of these this process knows by itself. */
  readonly #name = randomUUID()
  readonly #listeners = new Set<() => void>()
  #listening: Promise<() => Promise<void>> | null = null
  #telling: Promise<void> | null = null
  #hasMore = false

  constructor(sessions: Sessions, schema: string) {
    this.#sessions = sessions
    this.#channel = `${schema}_work`
  }

  /**
   * After the commit and not in it: a transaction that notifies commits while no other may. What comes while a telling is
   * under way is told together, after it. Whoever is not reached looks for work every second anyway.
   */
  readonly tell = (): void => {
    this.#hasMore = this.#telling !== null
    this.#telling ??= this.#tell()
  }

  async #tell(): Promise<void> {
    do {
      this.#hasMore = false
      await this.#sessions
        .use((session) => session.ask(part`SELECT pg_notify(${this.#channel}, ${this.#name})`))
        .catch(() => {})
    } while (this.#hasMore)
    this.#telling = null
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#listening ??= this.#sessions.listen(this.#channel, (payload) => {
      if (payload !== this.#name) for (const each of this.#listeners) each()
    })
    this.#listening.catch(() => {})
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    await this.#telling
    const stop = await this.#listening?.catch(() => undefined)
    await stop?.()
  }
}

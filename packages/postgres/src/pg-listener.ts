import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier, type ClientConfig } from 'pg'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 5_000

/** A connection that listens on a channel, and is made again for as long as anybody wants to hear. */
export class PgListener {
  readonly #config: ClientConfig
  readonly #channel: string
  readonly #hear: (payload: string) => void
  #client: Client | null = null
  #isEnded = false

  private constructor(config: ClientConfig, channel: string, hear: (payload: string) => void) {
    this.#config = config
    this.#channel = channel
    this.#hear = hear
  }

  static async start(
    config: ClientConfig,
    channel: string,
    hear: (payload: string) => void,
  ): Promise<PgListener> {
    const listener = new PgListener(config, channel, hear)
    if (!(await listener.#begin())) void listener.#beginAgain()
    return listener
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#client?.end()
  }

  async #begin(): Promise<boolean> {
    const client = new Client(this.#config)
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${escapeIdentifier(this.#channel)}`)
    } catch {
      // Callers retry; meanwhile workers poll every second.
      await client.end().catch(() => {})
      return false
    }
    this.#client = client
    client.once('end', () => void this.#beginAgain())
    // Notifications sent before were missed.
    this.#hear('')
    return true
  }

  async #beginAgain(): Promise<void> {
    this.#client = null
    let wait = FIRST_WAIT_MS
    while (!this.#isEnded) {
      await sleep(wait, undefined, { ref: false })
      if (this.#isEnded || (await this.#begin())) return
      wait = Math.min(2 * wait, LONGEST_WAIT_MS)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier, type ClientConfig } from 'pg'

const FIRST_WAIT_MS = 50
const MAX_WAIT_MS = 5_000

/** A connection that listens on a channel, and reconnects until `end()` is called. */
export class PgListener {
  readonly #config: ClientConfig
  readonly #channel: string
  readonly #onNotify: (payload: string) => void
  #client: Client | null = null
  #isEnded = false

  private constructor(config: ClientConfig, channel: string, onNotify: (payload: string) => void) {
    this.#config = config
    this.#channel = channel
    this.#onNotify = onNotify
  }

  static async start(
    config: ClientConfig,
    channel: string,
    onNotify: (payload: string) => void,
  ): Promise<PgListener> {
    const listener = new PgListener(config, channel, onNotify)
    if (!(await listener.#connect())) void listener.#reconnect()
    return listener
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#client?.end()
  }

  async #connect(): Promise<boolean> {
    const client = new Client(this.#config)
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#onNotify(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${escapeIdentifier(this.#channel)}`)
    } catch {
      // Callers retry; meanwhile workers poll every second.
      await client.end().catch(() => {})
      return false
    }
    this.#client = client
    client.once('end', () => void this.#reconnect())
    // Earlier notifications were missed.
    this.#onNotify('')
    return true
  }

  async #reconnect(): Promise<void> {
    this.#client = null
    let wait = FIRST_WAIT_MS
    while (!this.#isEnded) {
      await sleep(wait, undefined, { ref: false })
      if (this.#isEnded || (await this.#connect())) return
      wait = Math.min(2 * wait, MAX_WAIT_MS)
    }
  }
}

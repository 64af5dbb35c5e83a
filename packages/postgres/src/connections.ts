// Connects to a Postgres server, or to PGlite, which is Postgres inside the process.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { ClosedError } from 'keepsake'
import { escapeNul, unescapeNul } from 'keepsake/store'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import {
  Pool,
  types as pgTypes,
  type ClientConfig,
  type CustomTypesConfig,
  type PoolClient,
  Client,
  escapeIdentifier,
} from 'pg'
import { isConnectionLost, isNotYetReady } from './postgres-codes.ts'

/** A connection pool with LISTEN and NOTIFY. */
export interface Connections {
  readonly name: string
  readonly pool: PostgresPool
  /** Listens on a channel. @param onNotify is also called with an empty text when listening begins, since earlier notifications were missed */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
}

/** Delays between attempts to connect. They double from the minimum to the maximum. */
const MIN_CONNECT_WAIT_MS = 20
const MAX_CONNECT_WAIT_MS = 500

/** Object ids of Postgres' types. */
const BYTEA = 17
const INT8 = 20
const TEXT = 25

/** Reads 64-bit integers as numbers, and restores NUL characters in texts. */
const typeParsers: CustomTypesConfig = {
  getTypeParser(oid: number, format) {
    if (format === 'binary') return pgTypes.getTypeParser(oid, format)
    if (oid === TEXT) return unescapeNul
    return oid === INT8 ? Number : pgTypes.getTypeParser(oid, format)
  },
}

export interface ServerOptions {
  readonly connectionString: string
  readonly connections: number
  /** Maximum wait of a call for an unreachable or starting server, in milliseconds. */
  readonly patienceMs: number
  /** Whether to use prepared statements: each connection parses a statement once. */
  readonly prepare: boolean
}

/** Connects to a server, with a pool of connections. */
export function connectServer(options: ServerOptions): Connections {
  const { connectionString, connections, patienceMs, prepare } = options
  const config: ClientConfig = {
    connectionString,
    types: typeParsers,
    keepAlive: true,
    application_name: 'keepsake',
  }
  const pool = new Pool({ ...config, max: connections })
  // The pool discards a lost connection, and the next call opens another.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const wrappers = new WeakMap<PoolClient, PostgresPoolClient>()
  let isEnded = false
  return {
    name: withoutPassword(connectionString),
    pool: {
      options: config,
      connect: async () => {
        const client = await connectWhenReady(pool, patienceMs, () => isEnded)
        const wrapper = wrappers.get(client) ?? wrapPoolClient(client, prepare)
        wrappers.set(client, wrapper)
        return wrapper
      },
      end: async () => {
        if (isEnded) return
        isEnded = true
        await pool.end()
      },
    },
    listen: async (channel, onNotify) => {
      const listener = await PgListener.start(config, channel, onNotify)
      return () => listener.end()
    },
  }
}

/** Connects, and waits for a server that is starting or unreachable. @throws ClosedError when the pool was ended meanwhile */
async function connectWhenReady(pool: Pool, patienceMs: number, isEnded: () => boolean): Promise<PoolClient> {
  const deadline = performance.now() + patienceMs
  for (let wait = MIN_CONNECT_WAIT_MS; ; wait = Math.min(2 * wait, MAX_CONNECT_WAIT_MS)) {
    if (isEnded()) throw new ClosedError()
    try {
      return await pool.connect()
    } catch (error) {
      if (!isNotYetReady(error) || performance.now() + wait > deadline) throw error
      await sleep(wait)
    }
  }
}

function wrapPoolClient(client: PoolClient, prepare: boolean): PostgresPoolClient {
  let connectionError: Error | undefined
  client.on('error', (error) => void (connectionError = error))
  const query = async (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<never>> => {
    try {
      // A text without values may contain several statements, which cannot be prepared.
      const isNamed = prepare && values.length > 0
      const name = isNamed ? { name: `keepsake_${hash('sha256', text).slice(0, 16)}` } : {}
      const answer: unknown = await client.query({ text, values: values.map(encodeValue), ...name })
      return (Array.isArray(answer) ? answer.at(-1) : answer) as PostgresQueryResult<never>
    } catch (error) {
      if (isConnectionLost(error)) connectionError ??= error
      throw error
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(connectionError),
  }
}

function encodeValue(value: unknown): unknown {
  return typeof value === 'string' ? escapeNul(value) : value
}

/** By database: a promise that resolves when its single connection is free. Several stores may use one database. */
const queues = new WeakMap<PGlite, Promise<unknown>>()

/** Connects to PGlite: Postgres in this process, in WebAssembly, with one connection. */
export function connectPglite(database: PGlite): Connections {
  const options = {
    rowMode: 'object' as const,
    parsers: {
      [BYTEA]: (hex: string) => Buffer.from(hex.slice(2), 'hex'),
      [INT8]: Number,
      [TEXT]: unescapeNul,
    },
  }
  const query = async (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<never>> => {
    const [command = ''] = text.trimStart().toUpperCase().split(/\s/, 1)
    if (values.length === 0) {
      const answer = (await database.exec(text, options)).at(-1)
      return {
        command: command as 'SELECT',
        rowCount: answer?.affectedRows ?? 0,
        rows: (answer?.rows ?? []) as never[],
      }
    }
    const answer = await database.query<never>(text, values.map(encodeValue), options)
    return { command: command as 'SELECT', rowCount: answer.affectedRows ?? 0, rows: answer.rows }
  }
  let isEnded = false
  return {
    name: 'PGlite',
    pool: {
      options: {},
      connect: async () => {
        if (isEnded) throw new ClosedError()
        // Waits for the previous user of the connection. `release` lets the next one continue.
        const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
        const previous = queues.get(database) ?? Promise.resolve()
        const whenReleased = previous.then(() => released)
        queues.set(database, whenReleased)
        await previous
        return { query: query as unknown as PostgresPoolClient['query'], release: () => release(undefined) }
      },
      end: async () => {
        isEnded = true
        await queues.get(database)
      },
    },
    listen: async (channel, onNotify) => {
      const stop = await database.listen(channel, onNotify)
      onNotify('')
      return () => stop()
    },
  }
}

export function withoutPassword(connectionString: string): string {
  try {
    const url = new URL(connectionString)
    url.password = ''
    url.search = ''
    return url.href
  } catch {
    return 'Postgres'
  }
}

/** Delays between attempts to reconnect. They double from the minimum to the maximum. */
const MIN_RECONNECT_WAIT_MS = 50
const MAX_RECONNECT_WAIT_MS = 5_000

/** A connection that listens on a channel, and reconnects until `end()` is called. */
class PgListener {
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
    let wait = MIN_RECONNECT_WAIT_MS
    while (!this.#isEnded) {
      await sleep(wait, undefined, { ref: false })
      if (this.#isEnded || (await this.#connect())) return
      wait = Math.min(2 * wait, MAX_RECONNECT_WAIT_MS)
    }
  }
}

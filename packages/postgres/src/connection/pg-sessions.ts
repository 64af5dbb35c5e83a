import { hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, types as pgTypes, type ClientConfig, type CustomTypesConfig, type PoolClient } from 'pg'
import { ClosedError } from 'keepsake/store-kit'
import { escapeNul, unescapeNul } from './escape-nul.ts'
import { PgListener } from './pg-listener.ts'
import { isConnectionLost, isNotYetReady } from './postgres-codes.ts'
import type { Answer, Session, Sessions } from './session.ts'
import { part, textOf, type SqlPart, type SqlValue } from './sql-part.ts'

export interface PgOptions {
  readonly connectionString: string
  /** Connections at most. */
  readonly connections: number
  /** How long to wait for a server that is starting or out of reach, in milliseconds. */
  readonly patienceMs: number
  /** Whether statements are parsed once a connection. */
  readonly prepare: boolean
}

const TEXT = 25
const INT8 = 20
const INT8_ARRAY = 1016

/** Numbers up to 2⁵³ are JavaScript's; texts come as they were given, NUL included. */
const types: CustomTypesConfig = {
  getTypeParser(oid: number, format) {
    if (format === 'binary') return pgTypes.getTypeParser(oid, format)
    if (oid === TEXT) return unescapeNul
    if (oid === INT8) return Number
    if (oid === INT8_ARRAY) return readNumbers
    return pgTypes.getTypeParser(oid, format)
  },
}

/** What `{1,2,3}` says. */
export function readNumbers(list: string): number[] {
  return list === '{}' ? [] : list.slice(1, -1).split(',').map(Number)
}

/**
 * When the server started, and since when it counts what its background writer does: it starts to count anew after a crash that the
 * postmaster itself outlived.
 */
const LIFE = part`SELECT concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`

/** Connections to a server, kept open, each made anew when it was cut. */
export class PgSessions implements Sessions {
  readonly name: string
  readonly #options: PgOptions
  readonly #pool: Pool
  readonly #prepared = new Map<string, string>()
  readonly #lives = new WeakMap<PoolClient, Promise<string>>()
  /** The server's, as the last connection told that was made. */
  #life: string | null = null
  readonly #onNewLife: (() => void)[] = []
  #closing: Promise<void> | null = null

  constructor(options: PgOptions) {
    this.#options = options
    this.name = nameOf(options.connectionString)
    this.#pool = new Pool({ ...this.#config(), max: options.connections })
    // An idle connection that was cut: the pool has let go of it already, and the next call makes another.
    this.#pool.on('error', () => {})
    // One that is cut while nobody asks anything, on its way back or out, fails nobody.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#closing !== null) throw new ClosedError()
    const client = await this.#connect()
    let lost: Error | undefined
    const onError = (error: Error): void => void (lost = error)
    client.on('error', onError)
    try {
      if (!this.#lives.has(client)) await this.#noteLife(client)
      return await work(this.#session(client))
    } catch (error) {
      if (isConnectionLost(error)) lost ??= error
      throw error
    } finally {
      client.off('error', onError)
      client.release(lost)
    }
  }

  onNewLife(listener: () => void): void {
    this.#onNewLife.push(listener)
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    const listener = await PgListener.start(this.#config(), channel, hear)
    return () => listener.end()
  }

  async close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    await this.#closing
  }

  /** Waits for a server that is starting, or that was there a moment ago. */
  async #connect(): Promise<PoolClient> {
    const deadline = performance.now() + this.#options.patienceMs
    for (let wait = 20; ; wait = Math.min(2 * wait, 500)) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (!isNotYetReady(error) || this.#closing !== null || performance.now() + wait > deadline)
          throw error
        await sleep(wait)
      }
    }
  }

  #session(client: PoolClient): Session {
    return {
      ask: (statement) => {
        sendTogether(client)
        return this.#ask(client, statement)
      },
      command: async (text) => {
        sendTogether(client)
        await client.query(text)
      },
      life: () => {
        sendTogether(client)
        return this.#lifeOf(client)
      },
    }
  }

  /** What was told by a server that has crashed since may be gone, which nobody may learn after they were answered by this one. */
  async #noteLife(client: PoolClient): Promise<void> {
    const life = await this.#lifeOf(client)
    const isAnother = this.#life !== null && this.#life !== life
    this.#life = life
    if (isAnother) for (const listener of this.#onNewLife) listener()
  }

  /** Asked once a connection: none outlives the server's life. */
  #lifeOf(client: PoolClient): Promise<string> {
    const known = this.#lives.get(client)
    if (known !== undefined) return known
    const asked = this.#ask(client, LIFE).then(({ rows }) => String(rows[0]?.[0]))
    this.#lives.set(client, asked)
    asked.catch(() => this.#lives.delete(client))
    return asked
  }

  async #ask(client: PoolClient, statement: SqlPart): Promise<Answer> {
    const text = textOf(statement)
    const query = { text, values: statement.values.map(encode), rowMode: 'array' as const }
    const named = this.#options.prepare ? { ...query, name: this.#nameOf(text) } : query
    const { rows, fields, rowCount } = await client.query<unknown[]>(named)
    return { rows, columns: fields.map((field) => field.name), count: rowCount ?? 0 }
  }

  /** Statements are the code's own, so there are as many names as ways of asking. */
  #nameOf(text: string): string {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const made = `keepsake_${hash('sha256', text).slice(0, 16)}`
    this.#prepared.set(text, made)
    return made
  }

  #config(): ClientConfig {
    const { connectionString } = this.#options
    // Statements that are given together go to the server together.
    return { connectionString, types, pipeline: true, keepAlive: true, application_name: 'keepsake' }
  }
}

/** Connections whose messages wait for those that are given in the same turn of the event loop. */
const gathering = new WeakSet<PoolClient>()

/**
 * What is given without waiting in between is written to the socket at once. The driver writes each statement by itself, which costs more
 * than most statements do.
 */
function sendTogether(client: PoolClient): void {
  const { connection } = client as PoolClient & { readonly connection?: { readonly stream?: Writable } }
  const stream = connection?.stream
  if (stream === undefined || gathering.has(client)) return
  gathering.add(client)
  stream.cork()
  process.nextTick(() => {
    gathering.delete(client)
    stream.uncork()
  })
}

function encode(value: SqlValue): unknown {
  if (typeof value === 'string') return escapeNul(value)
  if (value instanceof Uint8Array) return toBuffer(value)
  return isList(value) ? value.map((one) => encode(one)) : value
}

function isList(value: SqlValue): value is Extract<SqlValue, readonly unknown[]> {
  return Array.isArray(value)
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** An address as it may be shown: no password, and no options, which may hold one. */
export function nameOf(connectionString: string): string {
  try {
    const url = new URL(connectionString)
    url.password = ''
    url.search = ''
    return url.href
  } catch {
    return 'Postgres'
  }
}

import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { ClosedError } from 'keepsake'
import { escapeNul, unescapeNul } from 'keepsake/store'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Pool, types as pgTypes, type ClientConfig, type CustomTypesConfig, type PoolClient } from 'pg'
import { PgListener } from './pg-listener.ts'
import { isConnectionLost, isNotYetReady } from './postgres-codes.ts'

/** Where statements go, and notifications come from. */
export interface Connections {
  readonly name: string
  readonly pool: PostgresPool
  /** @param hear called with the empty text when listening begins: what was notified before was not heard. */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
}

const BYTEA = 17
const INT8 = 20
const TEXT = 25

/** Numbers up to 2⁵³ are JavaScript's, and texts come as they were given, NUL included. */
const types: CustomTypesConfig = {
  getTypeParser(oid: number, format) {
    if (format === 'binary') return pgTypes.getTypeParser(oid, format)
    if (oid === TEXT) return unescapeNul
    return oid === INT8 ? Number : pgTypes.getTypeParser(oid, format)
  },
}

export interface ServerOptions {
  readonly connectionString: string
  readonly connections: number
  /** How long a call waits for a server that is starting or cannot be reached, in milliseconds. */
  readonly patienceMs: number
  /** Whether statements are parsed once for each connection. */
  readonly prepare: boolean
}

export function connectServer({
  connectionString,
  connections,
  patienceMs,
  prepare,
}: ServerOptions): Connections {
  const config: ClientConfig = { connectionString, types, keepAlive: true, application_name: 'keepsake' }
  const pool = new Pool({ ...config, max: connections })
  // The pool drops a connection that was cut, and the next call makes another.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  let isEnded = false
  const connect = async (): Promise<PoolClient> => {
    const deadline = performance.now() + patienceMs
    for (let wait = 20; ; wait = Math.min(2 * wait, 500)) {
      if (isEnded) throw new ClosedError()
      try {
        return await pool.connect()
      } catch (error) {
        if (!isNotYetReady(error) || performance.now() + wait > deadline) throw error
        await sleep(wait)
      }
    }
  }
  return {
    name: nameOf(connectionString),
    pool: {
      options: config,
      connect: async () => {
        const client = await connect()
        const known = clients.get(client) ?? wrapClient(client, prepare)
        clients.set(client, known)
        return known
      },
      end: async () => {
        if (isEnded) return
        isEnded = true
        await pool.end()
      },
    },
    listen: async (channel, hear) => {
      const listener = await PgListener.start(config, channel, hear)
      return () => listener.end()
    },
  }
}

function wrapClient(client: PoolClient, prepare: boolean): PostgresPoolClient {
  let lost: Error | undefined
  client.on('error', (error) => void (lost = error))
  const query = async (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<never>> => {
    try {
      // Without values several statements may stand in one text.
      const isNamed = prepare && values.length > 0
      const name = isNamed ? { name: `keepsake_${hash('sha256', text).slice(0, 16)}` } : {}
      const answer: unknown = await client.query({ text, values: values.map(encode), ...name })
      return (Array.isArray(answer) ? answer.at(-1) : answer) as PostgresQueryResult<never>
    } catch (error) {
      if (isConnectionLost(error)) lost ??= error
      throw error
    }
  }
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(lost) }
}

function encode(value: unknown): unknown {
  return typeof value === 'string' ? escapeNul(value) : value
}

/** Callers who wait for the one connection of a database: several stores may be open on it. */
const lines = new WeakMap<PGlite, Promise<unknown>>()

/** Postgres in this process, in WebAssembly, with one connection. */
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
    const answer = await database.query<never>(text, values.map(encode), options)
    return { command: command as 'SELECT', rowCount: answer.affectedRows ?? 0, rows: answer.rows }
  }
  let isEnded = false
  const clients = new WeakMap<object, PostgresPoolClient>()
  return {
    name: 'PGlite',
    pool: {
      options: {},
      connect: async () => {
        if (isEnded) throw new ClosedError()
        const { promise, resolve } = Promise.withResolvers<undefined>()
        const before = lines.get(database) ?? Promise.resolve()
        lines.set(
          database,
          before.then(() => promise),
        )
        await before
        const client = {
          query: query as unknown as PostgresPoolClient['query'],
          release: () => resolve(undefined),
        }
        clients.set(client, client)
        return client
      },
      end: async () => {
        isEnded = true
        await lines.get(database)
      },
    },
    listen: async (channel, hear) => {
      const stop = await database.listen(channel, hear)
      hear('')
      return () => stop()
    },
  }
}

/** An address without its password and options, which may hold one. */
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

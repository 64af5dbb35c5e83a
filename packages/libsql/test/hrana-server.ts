// A server for a file that speaks Hrana 2 over HTTP, like sqld and Turso. It refuses the statements that sqld refuses.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createClient, type Client, type InValue, type ResultSet, type Transaction } from '@libsql/client'

type WireValue =
  | { readonly type: 'null' }
  | { readonly type: 'integer' | 'float' | 'text'; readonly value: string | number }
  | { readonly type: 'blob'; readonly base64: string }
interface WireStatement {
  readonly sql?: string
  readonly sql_id?: number
  readonly args?: readonly WireValue[]
}
type Condition =
  { readonly type: 'ok'; readonly step: number } | { readonly type: 'not'; readonly cond: Condition }
interface WireRequest {
  readonly type: string
  readonly sql?: string
  readonly sql_id?: number
  readonly stmt?: WireStatement
  readonly batch?: {
    readonly steps: readonly { readonly condition?: Condition; readonly stmt: WireStatement }[]
  }
}

/** Matches statements that sqld refuses, because they would change a connection or the files. */
const REFUSED =
  /^\s*(VACUUM|ATTACH|PRAGMA\s+(?!user_version|foreign_keys)\w+\s*[=(]|PRAGMA\s+wal_checkpoint)/i

class Stream {
  readonly #client: Client
  readonly #texts = new Map<number, string>()
  transaction: Transaction | null = null

  constructor(client: Client) {
    this.#client = client
  }

  async answer(request: WireRequest): Promise<object> {
    if (request.type === 'store_sql') this.#texts.set(request.sql_id ?? 0, request.sql ?? '')
    if (request.type === 'close') this.transaction?.close()
    if (request.type === 'execute')
      return { type: 'execute', result: await this.#execute(request.stmt ?? {}) }
    if (request.type === 'batch')
      return { type: 'batch', result: await this.#batch(request.batch?.steps ?? []) }
    return { type: request.type }
  }

  async #batch(
    steps: NonNullable<WireRequest['batch']>['steps'],
  ): Promise<{ step_results: unknown[]; step_errors: unknown[] }> {
    const results: unknown[] = []
    const errors: unknown[] = []
    for (const { condition, stmt } of steps) {
      let result: unknown = null
      let error: unknown = null
      if (condition === undefined || (condition.type === 'ok' && results[condition.step] !== null))
        result = await this.#execute(stmt).catch((thrown: unknown) => {
          error = wireError(thrown)
          return null
        })
      results.push(result)
      errors.push(error)
    }
    return { step_results: results, step_errors: errors }
  }

  async #execute({ sql, sql_id, args = [] }: WireStatement): Promise<object> {
    const text = sql ?? this.#texts.get(sql_id ?? 0) ?? ''
    if (REFUSED.test(text)) throw new Error(`unsupported statement: ${text}`)
    if (/^BEGIN/i.test(text)) {
      // As in the store: if the file is locked, the driver leaves the statement unfinished.
      if (!/READONLY/.test(text)) await this.#client.executeMultiple('BEGIN IMMEDIATE; ROLLBACK')
      this.transaction = await this.#client.transaction(/READONLY/.test(text) ? 'read' : 'write')
      return wireResult()
    }
    const end = /^(COMMIT|ROLLBACK)/i.exec(text)?.[1]?.toLowerCase() as 'commit' | 'rollback' | undefined
    if (end !== undefined) {
      await this.transaction?.[end]()
      this.transaction = null
      return wireResult()
    }
    return wireResult(
      await (this.transaction ?? this.#client).execute({ sql: text, args: args.map(readValue) }),
    )
  }
}

function readValue(value: WireValue): InValue {
  if (value.type === 'null') return null
  if (value.type === 'blob') return new Uint8Array(Buffer.from(value.base64, 'base64'))
  return value.type === 'integer' ? BigInt(value.value) : value.value
}

function wireResult(result?: ResultSet): object {
  const write = (value: unknown): object => {
    if (value === null) return { type: 'null' }
    if (value instanceof ArrayBuffer) return { type: 'blob', base64: Buffer.from(value).toString('base64') }
    if (typeof value === 'string') return { type: 'text', value }
    return Number.isInteger(value)
      ? { type: 'integer', value: Number(value).toFixed() }
      : { type: 'float', value }
  }
  return {
    cols: (result?.columns ?? []).map((name) => ({ name })),
    rows: (result?.rows ?? []).map((row) => Array.from(row as ArrayLike<unknown>, write)),
    affected_row_count: result?.rowsAffected ?? 0,
    last_insert_rowid: result?.lastInsertRowid?.toString() ?? null,
  }
}

function wireError(error: unknown): object {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'SQL_PARSE_ERROR'
  return { message: error instanceof Error ? error.message : String(error), code }
}

/** Starts a server for a file. @param refusal the status of all answers, for a server that refuses every request */
export async function startServer(
  file: string,
  refusal?: number,
): Promise<{ readonly url: string; readonly server: Server }> {
  const client = createClient({ url: `file:${file}`, timeout: 0, concurrency: 50 })
  await client.execute('PRAGMA journal_mode = WAL')
  const streams = new Map<string, Stream>()
  let batonCount = 0
  const answer = async (request: IncomingMessage): Promise<object> => {
    const { baton, requests } = (await json(request)) as {
      readonly baton?: string
      readonly requests: readonly WireRequest[]
    }
    const stream = streams.get(baton ?? '') ?? new Stream(client)
    streams.delete(baton ?? '')
    const results: object[] = []
    for (const step of requests)
      results.push(
        await stream.answer(step).then(
          (response) => ({ type: 'ok', response }),
          (error: unknown) => ({ type: 'error', error: wireError(error) }),
        ),
      )
    if (requests.some(({ type }) => type === 'close')) return { baton: null, base_url: null, results }
    const next = String((batonCount += 1))
    streams.set(next, stream)
    return { baton: next, base_url: null, results }
  }
  const server = createServer((request, response) => {
    if (request.url !== '/v2/pipeline' || refusal !== undefined)
      return void response.writeHead(refusal ?? 404).end()
    void answer(request).then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  server.on('close', () => client.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

// Reads request bodies within limits of size and time.
import { Readable } from 'node:stream'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import pTimeout from 'p-timeout'
import type { RequestCounter } from '../access/limit-requests.ts'
import { Problem } from '../problem.ts'
import { asksModel, isImport, isPassedThrough } from '../protocols.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'

/** Limits of a request's size in bytes, and of its time. */
export interface BodyLimits {
  /** Maximum of most requests. Default: 1 MB. */
  readonly bytes: number
  /** Maximum of a request to a language model, which may have images. Default: 20 MB. */
  readonly chatBytes: number
  /** Maximum of an import or a passed-through request, which are streamed. Default: 500 MB. */
  readonly importBytes: number
  /** Milliseconds for the whole body; for an import, between two chunks. Default: 20,000. */
  readonly bodyMs: number
}

export const BODY_LIMITS: BodyLimits = {
  bytes: 1_000_000,
  chatBytes: 20_000_000,
  importBytes: 500_000_000,
  bodyMs: 20_000,
}

export interface BodyOptions {
  readonly limits: BodyLimits
  /** Bytes a minute of keys without a limit of their own; `null`: no limit. */
  readonly bytesPerMinute: number | null
  /** Counts bytes; `null` counts nothing. */
  readonly counter: RequestCounter | null
}

/** Methods whose requests have no body. */
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Bytes of a streamed body that are counted together, because each count may write to the store. */
const COUNT_BATCH_BYTES = 1_000_000

/** The limits of one body. `count` throws 429 when the key has sent too much. */
interface BodyCheck {
  readonly maxBytes: number
  readonly bodyMs: number
  readonly count: (bytes: number) => Promise<void>
}

/** Reads a body within its limits, as UTF-8 and JSON; streams stay in `c.req.raw.body`. @throws Problem 413, 408, 429, 400 */
export function readBody(options: BodyOptions): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (METHODS_WITHOUT_BODY.has(c.req.method)) return next()
    const { limits } = options
    const isStreamed = isImport(c.req) || isPassedThrough(c.req)
    const maxUnstreamed = asksModel(c.get('protocol')) ? limits.chatBytes : limits.bytes
    const maxBytes = isStreamed ? limits.importBytes : maxUnstreamed
    const check = { maxBytes, bodyMs: limits.bodyMs, count: byteCounter(c, options) }
    const declaredBytes = declaredLength(c)
    if (declaredBytes !== null) {
      if (declaredBytes > maxBytes) throw tooLarge(c, maxBytes)
      await check.count(declaredBytes)
    }
    if (isStreamed) limitStream(c, check, declaredBytes)
    else cacheBody(c.req, await readWhole(c, check, declaredBytes))
    return next()
  }
}

/** Returns the declared length of a body; `null` when it is sent in chunks of unknown number. */
function declaredLength({ req }: ServerRequest): number | null {
  const length = req.header('content-length')
  return length === undefined || req.header('transfer-encoding') !== undefined ? null : Number(length)
}

function byteCounter(c: ServerRequest, { bytesPerMinute, counter }: BodyOptions): BodyCheck['count'] {
  const { id, bytesPerMinute: ownLimit } = c.get('grant')
  const limit = ownLimit ?? bytesPerMinute
  return async (bytes) => {
    if (limit === null || counter === null || bytes === 0) return
    const { isAllowed, reset } = await counter.take(`${id}/bytes`, limit, bytes)
    if (isAllowed) return
    const detail = `This key may send ${limit} bytes a minute. Nothing was changed: wait, then retry.`
    throw new Problem(429, 'too-many-bytes', detail, { retryAfter: reset })
  }
}

async function readWhole(
  c: ServerRequest,
  check: BodyCheck,
  declaredBytes: number | null,
): Promise<ArrayBuffer> {
  const { maxBytes, bodyMs } = check
  const read = async (): Promise<ArrayBuffer> => {
    if (declaredBytes === null) {
      const refuse = (): never => {
        throw tooLarge(c, maxBytes)
      }
      await bodyLimit({ maxSize: maxBytes, onError: refuse })(c, () => Promise.resolve())
    }
    return c.req.raw.arrayBuffer()
  }
  try {
    const bytes = await pTimeout(read(), { milliseconds: bodyMs, fallback: () => refuseSlow(c, bodyMs) })
    if (declaredBytes === null) await check.count(bytes.byteLength)
    return bytes
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem(400, 'incomplete-body', 'The request ended before its body was complete.', { cause })
  }
}

/** Replaces the body by a stream that fails when it is too large or stalls. */
function limitStream(c: ServerRequest, check: BodyCheck, declaredBytes: number | null): void {
  const { body } = c.req.raw
  if (body === null) return
  const limited = Readable.toWeb(
    Readable.from(limitChunks(c, body, check, declaredBytes), { objectMode: false }),
  )
  c.req.raw = new Request(c.req.raw, { body: limited, duplex: 'half' } as unknown as RequestInit)
}

async function* limitChunks(
  c: ServerRequest,
  body: ReadableStream,
  { maxBytes, bodyMs, count }: BodyCheck,
  declaredBytes: number | null,
): AsyncGenerator<Uint8Array> {
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  let [bytes, uncounted] = [0, 0]
  for (;;) {
    const fallback = (): never => refuseSlow(c, bodyMs)
    const chunk = await pTimeout(chunks.next(), { milliseconds: bodyMs, fallback })
    if (declaredBytes === null && (chunk.done === true || uncounted >= COUNT_BATCH_BYTES)) {
      await count(uncounted)
      uncounted = 0
    }
    if (chunk.done === true) return
    bytes += chunk.value.length
    uncounted += chunk.value.length
    if (bytes > maxBytes) throw tooLarge(c, maxBytes)
    yield chunk.value
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a body into the request's cache, which Hono's `text()`, `json()` and `arrayBuffer()` read. */
function cacheBody(request: HonoRequest, bytes: ArrayBuffer): void {
  const cache = request.bodyCache as Partial<Record<string, Promise<unknown>>>
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch (cause) {
    throw new Problem(400, 'malformed-utf8', 'The body is not UTF-8. Nothing was changed.', { cause })
  }
  cache['arrayBuffer'] = Promise.resolve(bytes)
  cache['text'] = Promise.resolve(text)
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(request.header('content-type') ?? '')
  if (isJson && text !== '') cache['json'] = Promise.resolve(parseJson(text))
}

/** Maximum of nested lists and objects. No request needs more, and deep nesting costs a parser far more than a long body. */
const MAX_DEPTH = 128

/** Parses a caller's JSON. The parser's own message is hidden: it quotes its input. @throws Problem 400 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    const detail = `The body nests more than ${MAX_DEPTH} objects and lists. Nothing was changed.`
    throw new Problem(400, 'too-deep', detail)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [, position] = /at position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
    const where = position === undefined ? '' : ` (at character ${position})`
    throw new Problem(400, 'malformed-json', `The body is not JSON${where}. Nothing was changed.`)
  }
}

/** Whether brackets outside of strings nest too deep. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Finds the closing quote of a string: the next one after an even number of backslashes. */
export function endOfString(text: string, from: number): number {
  for (let index = text.indexOf('"', from + 1); index >= 0; index = text.indexOf('"', index + 1)) {
    let beforeBackslashes = index - 1
    while (text[beforeBackslashes] === '\\') beforeBackslashes -= 1
    const backslashes = index - 1 - beforeBackslashes
    if (backslashes % 2 === 0) return index
  }
  return text.length
}

function tooLarge(c: ServerRequest, maxBytes: number): Problem {
  closeConnection(c)
  const detail = `The body is larger than the ${maxBytes} bytes that this route accepts. Nothing was changed.`
  return new Problem(413, 'too-large', detail)
}

function refuseSlow(c: ServerRequest, milliseconds: number): never {
  closeConnection(c)
  const seconds = Math.round(milliseconds / 1_000)
  throw new Problem(
    408,
    'too-slow',
    `The body was not complete after ${seconds} seconds. Nothing was changed.`,
  )
}

/** Closes the connection, because the rest of the body is not read. */
function closeConnection(c: ServerRequest): void {
  c.set('replyHeaders', { ...c.var.replyHeaders, Connection: 'close' })
}

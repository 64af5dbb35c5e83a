import { Readable } from 'node:stream'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'

/** How much a request may send, in bytes, and how long it may take. */
export interface BodyLimits {
  /** Of any request. 1 MB when absent. */
  readonly bytes: number
  /** Of a request to a language model, which may carry images. 20 MB when absent. */
  readonly chatBytes: number
  /** Of an import, which is read as it comes, and held in memory until it is whole. 500 MB when absent. */
  readonly importBytes: number
  /** Milliseconds for a body to be whole; of an import, between two pieces of it. 20,000 when absent. */
  readonly bodyMs: number
}

export const BODY_LIMITS: BodyLimits = {
  bytes: 1_000_000,
  chatBytes: 20_000_000,
  importBytes: 500_000_000,
  bodyMs: 20_000,
}

/** Read as they come, by their handler, from `c.req.raw.body`. */
const STREAMED = new Set(['/v1/import'])
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Reads a request's body, whole and within limits, before any handler sees it: too much is 413, too slow 408, what is no UTF-8
 * or no JSON 400. Handlers read it by `c.req.json()`, `text()` or `arrayBuffer()`, which wait for nothing then; `c.req.raw` has no body left.
 */
export function readBody(limits: BodyLimits): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (BODILESS.has(c.req.method)) return next()
    const { path } = c.req
    const most = path.startsWith('/v1/chat/') ? limits.chatBytes : limits.bytes
    if (STREAMED.has(path)) {
      limitStream(c, limits)
      return next()
    }
    requireLength(c, most)
    const bytes = await readWhole(c, most, limits.bodyMs)
    const text = decode(bytes)
    requireJson(c, text)
    keepBody(c.req, bytes, text)
    return next()
  }
}

function requireLength(c: ServerRequest, most: number): void {
  const length = Number(c.req.header('content-length') ?? 0)
  if (length > most) throw tooLarge(c, most)
}

async function readWhole(c: ServerRequest, most: number, milliseconds: number): Promise<ArrayBuffer> {
  const isCounted =
    c.req.header('content-length') !== undefined && c.req.header('transfer-encoding') === undefined
  const reading = isCounted ? c.req.raw.arrayBuffer() : readPieces(c, most)
  try {
    return await within(reading, milliseconds, () => tooSlow(c, milliseconds))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(400, 'incomplete-body', 'The request ended before its body was whole.', {
      cause: error,
    })
  }
}

/** Of a body that does not say how long it is. */
async function readPieces(c: ServerRequest, most: number): Promise<ArrayBuffer> {
  const { body } = c.req.raw
  if (body === null) return new ArrayBuffer(0)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > most) throw tooLarge(c, most)
    pieces.push(piece)
  }
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole.buffer
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: ArrayBuffer): string {
  try {
    return UTF8.decode(bytes)
  } catch (cause) {
    throw new Problem(400, 'malformed-utf8', 'The body is not UTF-8. Nothing was changed.', { cause })
  }
}

/** Looked at here, so that every door says the same of it. The parser's own message quotes the body. */
function requireJson(c: ServerRequest, text: string): void {
  if (text === '' || !/^application\/(?:[\w.-]+\+)?json\b/i.test(c.req.header('content-type') ?? '')) return
  try {
    JSON.parse(text)
  } catch (cause) {
    const [, at] = /at position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
    const where = at === undefined ? '' : ` (at character ${at})`
    throw new Problem(400, 'malformed-json', `The body is not JSON${where}. Nothing was changed.`)
  }
}

/** Hono gives out what stands in its cache; typed there as what it became. */
function keepBody({ bodyCache }: HonoRequest, bytes: ArrayBuffer, text: string): void {
  const cache: Partial<Record<string, Promise<unknown>>> = bodyCache as Partial<
    Record<string, Promise<unknown>>
  >
  cache['text'] = Promise.resolve(text)
  cache['arrayBuffer'] = Promise.resolve(bytes)
}

/** Fails the stream, and with it its reader, when it is too much or stands still. */
function limitStream(c: ServerRequest, { importBytes, bodyMs }: BodyLimits): void {
  requireLength(c, importBytes)
  const { body, url, method, headers, signal } = c.req.raw
  if (body === null) return
  const limited = limitPieces(c, body as AsyncIterable<Uint8Array>, importBytes, bodyMs)
  c.req.raw = new Request(url, {
    method,
    headers,
    signal,
    body: Readable.toWeb(Readable.from(limited, { objectMode: false })),
    duplex: 'half',
  } as unknown as RequestInit)
}

async function* limitPieces(
  c: ServerRequest,
  body: AsyncIterable<Uint8Array>,
  most: number,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  const pieces = body[Symbol.asyncIterator]()
  for (;;) {
    const piece = await within(pieces.next(), milliseconds, () => tooSlow(c, milliseconds))
    if (piece.done === true) return
    bytes += piece.value.length
    if (bytes > most) throw tooLarge(c, most)
    yield piece.value
  }
}

async function within<Value>(work: Promise<Value>, milliseconds: number, late: () => Error): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

function tooLarge(c: ServerRequest, most: number): Problem {
  hangUp(c)
  return new Problem(
    413,
    'too-large',
    `The body is larger than the ${most} bytes taken here. Nothing was changed.`,
  )
}

function tooSlow(c: ServerRequest, milliseconds: number): Problem {
  hangUp(c)
  return new Problem(
    408,
    'too-slow',
    `The body was not whole after ${Math.round(milliseconds / 1_000)} seconds. Nothing was changed.`,
  )
}

/** What is left of the body is not read, so nothing else can come over this connection. */
function hangUp(c: ServerRequest): void {
  c.set('replyHeaders', { ...c.var.replyHeaders, Connection: 'close' })
}

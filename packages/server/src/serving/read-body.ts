import { Readable } from 'node:stream'
import { arrayBuffer } from 'node:stream/consumers'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import pTimeout from 'p-timeout'
import { Problem } from '../problem.ts'
import { asksModel, isImport, isPassedThrough } from '../protocols.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'

/** How much a request may send, in bytes, and how long it may take. */
export interface BodyLimits {
  /** Of any request. 1 MB when absent. */
  readonly bytes: number
  /** Of a request to a language model, which may carry images. 20 MB when absent. */
  readonly chatBytes: number
  /** Of an import, and of what is passed through to a language model's API, which are read as they come. 500 MB when absent. */
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

/** Whether a request's body is read as it comes, by its handler, from `c.req.raw.body`. */
export function isStreamed({ req }: ServerRequest): boolean {
  return isImport(req) || isPassedThrough(req)
}

/** Characters of a body. */
const MUCH = 50_000

/** Methods whose requests bring nothing. */
export const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Objects and lists within each other. What is deeper costs a parser far more than it is long, and no request here is. */
const DEEPEST = 128

/** Refuses a body that says it is larger than is taken, before anything of it is counted or read. @throws Problem 413 `too-large` */
export function refuseTooLarge(limits: BodyLimits): MiddlewareHandler<ServerEnv> {
  return (c, next) => {
    if (!BODILESS.has(c.req.method)) requireLength(c, mostOf(c, limits))
    return next()
  }
}

function mostOf(c: ServerRequest, { bytes, chatBytes, importBytes }: BodyLimits): number {
  if (isStreamed(c)) return importBytes
  return asksModel(c.get('protocol')) ? chatBytes : bytes
}

/**
 * Reads a request's body, whole and within limits: too much is 413, too slow 408. Nothing is done with its bytes yet: that is work,
 * which waits for its turn, and is {@link parseBody}'s.
 */
export function readBody(limits: BodyLimits): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (BODILESS.has(c.req.method)) return next()
    if (isStreamed(c)) {
      limitStream(c, limits)
      return next()
    }
    const bytes = await readWhole(c, mostOf(c, limits), limits.bodyMs)
    cacheOf(c.req)['arrayBuffer'] = Promise.resolve(bytes)
    return next()
  }
}

/**
 * Reads what the bytes of a body say, once, before any handler sees it: what is no UTF-8, no JSON, or too deep is 400. Handlers read it by
 * `c.req.json()`, `text()` or `arrayBuffer()`, which wait for nothing then; `c.req.raw` has no body left.
 */
export function parseBody(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const cache = cacheOf(c.req)
    const bytes = (await cache['arrayBuffer']) as ArrayBuffer | undefined
    if (bytes === undefined) return next()
    const text = decode(bytes)
    cache['text'] = Promise.resolve(text)
    if (text !== '' && isJson(c.req.header('content-type') ?? ''))
      cache['json'] = Promise.resolve(parseJson(text))
    // What is much takes some milliseconds to parse, and as many to check: others go in between.
    if (text.length >= MUCH) await new Promise(setImmediate)
    return next()
  }
}

/** JSON of a caller's. The parser's own message quotes what it was given. @throws Problem 400 `malformed-json`. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    const detail = `The body has more than ${DEEPEST} objects and lists within each other. Nothing was changed.`
    throw new Problem(400, 'too-deep', detail)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [, at] = /at position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
    const where = at === undefined ? '' : ` (at character ${at})`
    throw new Problem(400, 'malformed-json', `The body is not JSON${where}. Nothing was changed.`)
  }
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)
}

async function readWhole(c: ServerRequest, most: number, milliseconds: number): Promise<ArrayBuffer> {
  const { raw } = c.req
  const isCounted = raw.headers.has('content-length') && !raw.headers.has('transfer-encoding')
  const reading = isCounted ? raw.arrayBuffer() : arrayBuffer(limitPieces(c, raw.body, most, milliseconds))
  try {
    return await pTimeout(reading, { milliseconds, fallback: () => refuseSlow(c, milliseconds) })
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem(400, 'incomplete-body', 'The request ended before its body was whole.', { cause })
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: ArrayBuffer): string {
  try {
    return UTF8.decode(bytes)
  } catch (cause) {
    throw new Problem(400, 'malformed-utf8', 'The body is not UTF-8. Nothing was changed.', { cause })
  }
}

/** Whether brackets outside of texts lie deeper than a request may. Read sign by sign, texts at a stroke: a pattern could be led astray. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfText(text, at)
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((sign | CURLY) === OPENS) depth += 1
    else if ((sign | CURLY) === CLOSES) depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

/** Where the text that begins here ends: at the next quote that no odd number of backslashes stands before. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

const [QUOTE, BACKSLASH, CURLY, OPENS, CLOSES] = [0x22, 0x5c, 0x20, 0x7b, 0x7d]

/** Hono gives out what stands in its cache; typed there as what it became. */
function cacheOf({ bodyCache }: HonoRequest): Partial<Record<string, Promise<unknown>>> {
  return bodyCache as Partial<Record<string, Promise<unknown>>>
}

/** Fails the stream, and with it its reader, when it is too much or stands still. */
function limitStream(c: ServerRequest, { importBytes, bodyMs }: BodyLimits): void {
  const { body, url, method, headers, signal } = c.req.raw
  if (body === null) return
  const limited = Readable.toWeb(
    Readable.from(limitPieces(c, body, importBytes, bodyMs), { objectMode: false }),
  )
  const init = { method, headers, signal, body: limited, duplex: 'half' }
  c.req.raw = new Request(url, init as unknown as RequestInit)
}

async function* limitPieces(
  c: ServerRequest,
  body: ReadableStream | null,
  most: number,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  let bytes = 0
  const pieces = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  for (;;) {
    const fallback = (): never => refuseSlow(c, milliseconds)
    const piece = await pTimeout(pieces.next(), { milliseconds, fallback })
    if (piece.done === true) return
    bytes += piece.value.length
    if (bytes > most) throw tooLarge(c, most)
    yield piece.value
  }
}

function requireLength(c: ServerRequest, most: number): void {
  if (Number(c.req.header('content-length') ?? 0) > most) throw tooLarge(c, most)
}

function tooLarge(c: ServerRequest, most: number): Problem {
  hangUp(c)
  const detail = `The body is larger than the ${most} bytes taken here. Nothing was changed.`
  return new Problem(413, 'too-large', detail)
}

function refuseSlow(c: ServerRequest, milliseconds: number): never {
  hangUp(c)
  const seconds = Math.round(milliseconds / 1_000)
  throw new Problem(408, 'too-slow', `The body was not whole after ${seconds} seconds. Nothing was changed.`)
}

/** What is left of the body is not read, so nothing else can come over this connection. */
function hangUp(c: ServerRequest): void {
  c.set('replyHeaders', { ...c.var.replyHeaders, Connection: 'close' })
}

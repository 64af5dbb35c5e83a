import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { rm } from 'node:fs/promises'
import type { AddressInfo, ListenOptions, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import pTimeout from 'p-timeout'
import { problemBody, Problem, type ProblemBody } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'
import { passedOn, passOn } from '../workers/pass-on.ts'
import { SHARES_PORT } from '../workers/share-port.ts'
import type { Siblings } from '../workers/siblings.ts'

export interface StartOptions {
  readonly app: Hono<ServerEnv>
  /** `127.0.0.1` when absent. */
  readonly host?: string
  /** `0`: any that is free. 4150 when absent. */
  readonly port?: number
  /** Aborted when the server begins to stop: event streams end then. */
  readonly stopping: AbortController
  /** Milliseconds for the head of a request to come. 10,000 when absent. */
  readonly headersMs?: number
  /** Milliseconds for a whole request to come, an import too. 30 minutes when absent. */
  readonly requestMs?: number
  /** Milliseconds that requests under way may take to end once the server stops. 10,000 when absent. */
  readonly graceMs?: number
  /** Other processes on the same port, each of which serves its own people; `null` when absent. */
  readonly siblings?: Siblings | null
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Requests under way. */
  readonly inFlight: () => number
  /**
   * Takes no more requests, ends event streams, lets what is under way end, and cuts off what takes longer than the grace.
   * Stopping twice waits for the same end.
   * @returns how many requests were cut off.
   */
  stop(): Promise<number>
}

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4150
const HEADERS_MS = 10_000
const REQUEST_MS = 30 * 60_000
const GRACE_MS = 10_000
/** How often connections that got their answer, and requests that come too slowly, are looked for. */
const LOOK_EVERY_MS = 1_000
const LOOK_WHILE_STOPPING_MS = 20
/** For handlers whose connection was cut off to notice it. */
const AFTERMATH_MS = 1_000

/**
 * Puts an app on a port of this machine.
 *
 * @throws Error of Node's when it cannot listen there (`EADDRINUSE`, `EACCES`).
 * @example
 * const server = await startServer({ app, port: 0, stopping: new AbortController() })
 * await fetch(`${server.url}/healthz`)
 * await server.stop()
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { app, host = DEFAULT_HOST, port = DEFAULT_PORT, siblings = null } = options
  const listener = getRequestListener(app.fetch, {
    hostname: 'localhost',
    errorHandler: () =>
      problemResponse(new Problem(400, 'malformed-request', 'This is no request that can be read.')),
  })
  const serve: RequestListener = (incoming, outgoing) => void listener(incoming, outgoing)
  const front = httpServer(options, siblings === null ? serve : passOn(serve, siblings))
  const servers =
    siblings === null ? [front] : [front, await openDoor(options, passedOn(serve, siblings), siblings.door)]
  const counts = servers.map(countRequests)
  const inFlight = (): number => counts.reduce((sum, count) => sum + count(), 0)
  const at = { port, host: host.replace(/^\[(.*)\]$/, '$1') }
  await listen(front, siblings !== null && SHARES_PORT ? { ...at, exclusive: true, reusePort: true } : at)
  const { port: listensOn } = front.address() as AddressInfo
  let stopped: Promise<number> | null = null
  return {
    url: `http://${host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}:${listensOn}`,
    host,
    port: listensOn,
    inFlight,
    stop: () => (stopped ??= stopServers(servers, options, inFlight)),
  }
}

function httpServer(
  { headersMs = HEADERS_MS, requestMs = REQUEST_MS }: StartOptions,
  serve: RequestListener,
): Server {
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, headersMs),
  }
  return createServer(limits, inSlices(serve)).on('clientError', answerClientError)
}

/** Requests begun between two looks at the event loop. */
const BEGUN_AT_ONCE = 16

/** Begins requests a few at a time: a thousand that arrive on a thousand connections are read in one go, before anything else has its turn. */
export function inSlices(serve: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = []
  let begun = 0
  const goOn = (): void => {
    begun = 0
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      serve(...next)
      begun += 1
      if (begun === BEGUN_AT_ONCE) break
    }
    if (begun > 0) setImmediate(goOn)
  }
  return (request, response) => {
    if (begun === 0) setImmediate(goOn)
    if (begun >= BEGUN_AT_ONCE || waiting.length > 0) return void waiting.push([request, response])
    begun += 1
    serve(request, response)
  }
}

/** Where other processes of this machine pass requests on to. */
async function openDoor(options: StartOptions, serve: RequestListener, door: string): Promise<Server> {
  const server = httpServer(options, serve)
  // Who asks here is a process of ours and keeps its connections: one that is ended just as it is asked over would fail a request for nothing.
  server.keepAliveTimeout = 0
  // One that was killed leaves its own behind.
  await rm(door, { force: true })
  // Its own, and not the primary's: what waits at a door that the primary holds waits for ever where its process is killed.
  await listen(server, { path: door, exclusive: true })
  return server
}

function listen(server: Server, at: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function countRequests(server: Server): () => number {
  let count = 0
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    count += 1
    response.once('close', () => {
      count -= 1
    })
  })
  return () => count
}

async function stopServers(
  servers: readonly Server[],
  { stopping, graceMs = GRACE_MS }: StartOptions,
  inFlight: () => number,
): Promise<number> {
  stopping.abort()
  const closed = Promise.all(
    servers.map((server) => new Promise<null>((resolve) => server.close(() => resolve(null)))),
  )
  // A connection that has its answer is idle, and would hold the server until its client lets go.
  const look = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, LOOK_WHILE_STOPPING_MS)
  try {
    const ended = closed.then(() => null)
    const cutOff = await pTimeout(ended, { milliseconds: graceMs, fallback: inFlight })
    if (cutOff === null) return 0
    for (const server of servers) server.closeAllConnections()
    await pTimeout(ended, { milliseconds: AFTERMATH_MS, message: false })
    return cutOff
  } finally {
    clearInterval(look)
  }
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: number, code: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers-too-large', 'The headers are larger than the 16 KB taken here.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'too-slow', 'The request came too slowly.'],
}

/** What cannot be read as HTTP never reaches the app: it is answered here, in the same form. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, code, detail] = CLIENT_ERRORS[error.code ?? ''] ?? [
    400,
    'malformed-request',
    'This is no HTTP request that can be read.',
  ]
  const body = JSON.stringify(bodyOf(new Problem(status, code, detail)))
  const head = [
    `HTTP/1.1 ${status} ${code}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function problemResponse(problem: Problem): Response {
  const headers = { 'Content-Type': 'application/problem+json' }
  return new Response(JSON.stringify(bodyOf(problem)), { status: problem.status, headers })
}

/** It came to nothing before it got an id. */
function bodyOf(problem: Problem): ProblemBody {
  return problemBody(problem, '')
}

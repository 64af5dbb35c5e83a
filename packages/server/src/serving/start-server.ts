// Starts the HTTP server and stops it in order. Called by `keepsake serve`.
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import pTimeout from 'p-timeout'
import type { ServerEnv } from '../server-context.ts'

/** The address of a server, and its time limits. */
export interface StartOptions {
  readonly app: Hono<ServerEnv>
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** `0`: any free port. Default: 4150. */
  readonly port?: number
  /** Aborted when the server begins to stop, which ends event streams. */
  readonly stopping: AbortController
  /** Milliseconds for a request's head. Default: 10,000. */
  readonly headersMs?: number
  /** Milliseconds for a whole request, including imports. Default: 30 minutes. */
  readonly requestMs?: number
  /** Milliseconds for running requests to end once the server stops. Default: 10,000. */
  readonly graceMs?: number
  /** Whether other processes listen on the same port (on Linux). Default: `false`. */
  readonly sharesPort?: boolean
}

/** A server that listens, until it is closed. */
export interface RunningServer {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Number of running requests. */
  readonly inFlight: () => number
  /** Stops accepting, ends event streams, and waits for requests. Cuts requests off after the grace period, and returns their number. */
  stop(): Promise<number>
}

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4150
const HEADERS_MS = 10_000
const REQUEST_MS = 30 * 60_000
const GRACE_MS = 10_000
/** Interval of checks for slow requests, and for idle connections while the server stops. */
const CHECK_INTERVAL_MS = 1_000
const STOPPING_CHECK_INTERVAL_MS = 20
/** Time for handlers to notice that their connection was closed. */
const CLOSE_TIMEOUT_MS = 1_000

/**
 * Serves an app on a port of this machine.
 *
 * @throws Error of Node's when it cannot listen there (`EADDRINUSE`, `EACCES`).
 * @example
 * const server = await startServer({ app, port: 0, stopping: new AbortController() })
 * await fetch(`${server.url}/healthz`)
 * await server.stop()
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { app, host = DEFAULT_HOST, port = DEFAULT_PORT, sharesPort = false } = options
  const { headersMs = HEADERS_MS, requestMs = REQUEST_MS } = options
  const listener = getRequestListener(app.fetch, { hostname: 'localhost' })
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersMs),
  }
  const serve: RequestListener = (incoming, outgoing) => void listener(incoming, outgoing)
  const server = createServer(limits, serve)
  const inFlight = countRequests(server)
  const bareHost = host.replace(/^\[(.*)\]$/, '$1')
  const address = { port, host: bareHost }
  server.listen(sharesPort ? { ...address, exclusive: true, reusePort: true } : address)
  await once(server, 'listening')
  const { port: actualPort } = server.address() as AddressInfo
  const urlHost = bareHost.includes(':') ? `[${bareHost}]` : bareHost
  let stopped: Promise<number> | null = null
  return {
    url: `http://${urlHost}:${actualPort}`,
    host,
    port: actualPort,
    inFlight,
    stop: () => (stopped ??= stopServer(server, options, inFlight)),
  }
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

async function stopServer(
  server: Server,
  { stopping, graceMs = GRACE_MS }: StartOptions,
  inFlight: () => number,
): Promise<number> {
  stopping.abort()
  const closed = new Promise<null>((resolve) => server.close(() => resolve(null)))
  // Closes idle connections, which would keep the server open until their clients close them.
  const idleTimer = setInterval(() => server.closeIdleConnections(), STOPPING_CHECK_INTERVAL_MS)
  try {
    const cutOff = await pTimeout(closed, { milliseconds: graceMs, fallback: inFlight })
    if (cutOff === null) return 0
    server.closeAllConnections()
    await pTimeout(closed, { milliseconds: CLOSE_TIMEOUT_MS, message: false })
    return cutOff
  } finally {
    clearInterval(idleTimer)
  }
}

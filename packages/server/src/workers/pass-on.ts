import { Agent, request, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { problemBody, Problem } from '../problem.ts'
import { personOf } from './person-of.ts'
import type { Siblings } from './siblings.ts'

/** The address of a caller whose request another process passed on. */
const CALLER = 'x-keepsake-caller'
/** The number of the process that passed it on. */
const PASSED_BY = 'x-keepsake-passed-by'

const callers = new WeakMap<IncomingMessage, string>()

/** Where a request comes from that was passed on here; `undefined` for one that came by itself. */
export function callerOf(incoming: IncomingMessage): string | undefined {
  return callers.get(incoming)
}

/** Serves what is this process's, and passes on what is another's. */
export function passOn(serve: RequestListener, siblings: Siblings): RequestListener {
  const agent = new Agent({ keepAlive: true })
  return (incoming, outgoing) => {
    const person = personOf(incoming)
    const home = person === null ? null : siblings.homeOf(person)
    const go = (door: string | null): void => {
      if (door !== null) return forward({ agent, door, by: siblings.number }, incoming, outgoing)
      if (person !== null) siblings.served(person, null)
      serve(incoming, outgoing)
    }
    // Asked for once a person: afterwards it is known here.
    if (home === null || typeof home === 'string') go(home)
    else home.then(go, () => void outgoing.destroy())
  }
}

/** Serves what other processes pass on. */
export function passedOn(serve: RequestListener, siblings: Siblings): RequestListener {
  return (incoming, outgoing) => {
    const { [CALLER]: caller, [PASSED_BY]: by } = incoming.headers
    delete incoming.headers[CALLER]
    delete incoming.headers[PASSED_BY]
    callers.set(incoming, typeof caller === 'string' ? caller : '')
    const person = personOf(incoming)
    // A session of MCP is where it began, as long as that lasts.
    const isSession = incoming.url?.startsWith('/mcp') === true
    if (person !== null) siblings.served(person, isSession ? null : Number(by))
    serve(incoming, outgoing)
  }
}

interface Way {
  readonly agent: Agent
  readonly door: string
  readonly by: number
}

function forward({ agent, door, by }: Way, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, rawHeaders } = incoming
  const own = [CALLER, incoming.socket.remoteAddress ?? '', PASSED_BY, String(by)]
  const headers = [...ofEveryHop(rawHeaders), ...own]
  const passed = request({ socketPath: door, agent, method, path: url, headers, setHost: false })
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, ofEveryHop(answer.rawHeaders))
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
    // Streams are told at once that they have begun.
    outgoing.flushHeaders()
  })
  passed.on('error', () => {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
    else refuse(outgoing)
  })
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
}

/** Headers of one connection alone, and those that processes tell each other, which nobody else is to. How long a body is stands for both. */
const OF_ONE_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
  CALLER,
  PASSED_BY,
])

/**
 * Names and values as they came, but for those of one connection (RFC 9110, 7.6.1). A caller who ends theirs would have the one between two
 * processes ended too, and what is written to it just then fails, though the request was served.
 */
function ofEveryHop(raw: readonly string[]): string[] {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))
  const named = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === 'connection' ? value.split(',').map((one) => one.trim().toLowerCase()) : [],
  )
  return pairs.flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    return OF_ONE_HOP.has(lower) || named.includes(lower) ? [] : [name, value]
  })
}

/** It is not known whether the request was served: whoever sends it again should send its `Idempotency-Key`. */
function refuse(outgoing: ServerResponse): void {
  const problem = new Problem(503, 'worker-gone', 'The process that served this ended. Ask again.', {
    retryAfter: 1,
  })
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '1' }
  outgoing.writeHead(503, headers).end(JSON.stringify(problemBody(problem, '')))
}

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServiceRequest {
  readonly method: string
  /** Without parameters. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** `undefined` when nothing was sent. */
  readonly body: unknown
}

export interface ServiceAnswer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Something that goes wrong once, instead of the service's own answer. */
export type Fault =
  | { readonly kind: 'answer'; readonly answer: ServiceAnswer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' }

/** Answers a request; the strings are the groups of the route's pattern. */
export type Handler = (request: ServiceRequest, ...groups: readonly string[]) => ServiceAnswer
export type Route = readonly [method: string, path: RegExp, handler: Handler]

/** A service on the loopback interface that a test scripts. */
export interface ScriptedService {
  readonly origin: string
  /** Everything it was asked, in order. */
  readonly requests: readonly ServiceRequest[]
  /** Goes wrong at the next requests, in order, one each. */
  fail(...faults: readonly Fault[]): void
  readonly stop: () => Promise<void>
}

/** Starts a service; a request that fits no route is answered with status 404, as by a real one. */
export async function startService(
  routes: readonly Route[],
  authorise: (headers: IncomingHttpHeaders) => ServiceAnswer | null,
): Promise<ScriptedService> {
  const requests: ServiceRequest[] = []
  const faults: Fault[] = []
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming).then((request) => {
      requests.push(request)
      const fault = faults.shift()
      if (fault !== undefined) return goWrong(fault, incoming, outgoing)
      return send(outgoing, authorise(request.headers) ?? answerBy(routes, request))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    fail: (...more) => void faults.push(...more),
    stop: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections()
        server.close((error) => (error === undefined ? resolve() : reject(error)))
      }),
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ServiceRequest> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk)
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function answerBy(routes: readonly Route[], request: ServiceRequest): ServiceAnswer {
  for (const [method, path, handler] of routes) {
    const match = method === request.method ? path.exec(request.path) : null
    if (match !== null) return handler(request, ...match.slice(1).map(decodeURIComponent))
  }
  return { status: 404, body: { message: `no route for ${request.method} ${request.path}` } }
}

function goWrong(fault: Fault, incoming: IncomingMessage, outgoing: ServerResponse): void {
  switch (fault.kind) {
    case 'answer':
      return send(outgoing, fault.answer)
    case 'text':
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(fault.text)
      return
    case 'silence':
      return
    case 'reset':
      incoming.socket.destroy()
  }
}

function send(outgoing: ServerResponse, answer: ServiceAnswer): void {
  outgoing
    .writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    .end(JSON.stringify(answer.body))
}

/** Requires a header to be exactly this. */
export function requireHeader(name: string, value: string, refusal: unknown) {
  return (headers: IncomingHttpHeaders): ServiceAnswer | null =>
    headers[name] === value ? null : { status: 401, body: refusal }
}

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ScriptedStore } from './scripted-store.ts'

interface Message {
  readonly role: string
  readonly content: string
}

/** Every field that a script reads of a body; a request holds those of its service. */
export interface SentBody {
  readonly id: string
  readonly user_id: string
  readonly thread_id: string
  readonly memory_id: string
  readonly task_id: string
  readonly customId: string
  readonly containerTag: string
  readonly containerTags: readonly string[]
  readonly conversation_id: string
  readonly metadata: { readonly session: string }
  readonly messages: readonly Message[]
  readonly blob_data: { readonly messages: readonly Message[] }
  readonly content: string
  readonly newContent: string
  readonly text: string
  readonly fact: string
  readonly query: string
  readonly q: string
  readonly scope: string
  readonly filters: { readonly user_id: string }
  readonly top_k: number
  readonly limit: number
  readonly memory_limit_number: number
  readonly page: number
  readonly size: number
  readonly uuid_cursor?: string
}

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

/** What a handler is given: the body, the query, and the variable part of the path that comes last. */
export interface Asked {
  readonly body: SentBody
  readonly query: Readonly<Record<string, string>>
  readonly name: string
}

/** How a service answers: each request, as `GET /v1/event/:id/`, and what comes back. */
export type Routes = Readonly<Record<string, (asked: Asked) => ServiceAnswer>>

/** A peer as a test plays it. */
export interface Script {
  /** Where the interface begins, as in the default URL. */
  readonly path: string
  /** The header that must carry the key. */
  readonly keyHeader: (key: string) => readonly [name: string, value: string]
  /** What is said to another key, with status 401. */
  readonly refusal: unknown
  readonly routes: (store: ScriptedStore) => Routes
}

/** A service on the loopback interface that a test scripts, and what it keeps. */
export interface ScriptedService {
  readonly baseUrl: string
  readonly store: ScriptedStore
  /** Everything it was asked, in order. */
  readonly requests: readonly ServiceRequest[]
  /** Goes wrong at the next requests, in order, one each. */
  fail(...faults: readonly Fault[]): void
  /** Answers the next requests with these bodies, in order, one each. */
  answerNext(...bodies: readonly unknown[]): void
  readonly stop: () => Promise<void>
}

/** Starts a service with an empty store. A request that fits no route is answered with status 404, as by a real one. */
export async function startService(script: Script, key: string): Promise<ScriptedService> {
  const requests: ServiceRequest[] = []
  const faults: Fault[] = []
  const store = new ScriptedStore()
  const routes = script.routes(store)
  const [header, value] = script.keyHeader(key)
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming).then((request) => {
      requests.push(request)
      const fault = faults.shift()
      if (fault !== undefined) return goWrong(fault, incoming, outgoing)
      if (request.headers[header] !== value) return send(outgoing, { status: 401, body: script.refusal })
      return send(outgoing, answerBy(script.path, routes, request))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${script.path}`,
    store,
    requests,
    fail: (...more) => void faults.push(...more),
    answerNext: (...bodies) =>
      void faults.push(...bodies.map((body) => ({ kind: 'answer', answer: { body } }) as const)),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
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

function answerBy(
  base: string,
  routes: Routes,
  { method, path, query, body }: ServiceRequest,
): ServiceAnswer {
  const line = `${method} ${path.slice(base.length)}`
  for (const [route, handler] of Object.entries(routes)) {
    const match = new RegExp(`^${route.replaceAll(/:\w+/g, '([^/]+)')}$`, 'u').exec(line)
    const name = decodeURIComponent(match?.slice(1).at(-1) ?? '')
    if (match !== null) return handler({ body: body as SentBody, query, name })
  }
  return { status: 404, body: { message: `no route for ${line}` } }
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

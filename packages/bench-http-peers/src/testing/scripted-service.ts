import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ScriptedStore } from './scripted-store.ts'

interface Message {
  readonly role: string
  readonly content: string
}

/** All fields of request bodies that the scripts read. A request has only the fields of its service. */
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
  /** The path without parameters. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** `undefined`: the request has no body. */
  readonly body: unknown
}

export interface ServiceAnswer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A fault that replaces the service's answer to one request. */
export type Fault =
  | { readonly kind: 'answer'; readonly answer: ServiceAnswer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' }

/** The parts of a request that a handler gets. */
export interface HandlerInput {
  readonly body: SentBody
  readonly query: Readonly<Record<string, string>>
  /** The last variable part of the path. */
  readonly name: string
}

/** Handlers by the request that they answer: `GET /v1/event/:id/`. */
export type Routes = Readonly<Record<string, (request: HandlerInput) => ServiceAnswer>>

/** The answers of a peer in tests. */
export interface Script {
  /** The path of the base URL. */
  readonly path: string
  /** The header that must carry the key. */
  readonly keyHeader: (key: string) => readonly [name: string, value: string]
  /** Body of the answer to a wrong key, which has status 401. */
  readonly refusal: unknown
  readonly routes: (store: ScriptedStore) => Routes
}

/** A scripted service on this machine, and its data. */
export interface ScriptedService {
  readonly baseUrl: string
  readonly store: ScriptedStore
  /** All requests, in order. */
  readonly requests: readonly ServiceRequest[]
  /** Adds faults for the next requests, one for each. */
  failNext(...faults: readonly Fault[]): void
  /** Adds answers with these bodies for the next requests, one for each. */
  answerNext(...bodies: readonly unknown[]): void
  readonly stop: () => Promise<void>
}

/** Starts a service with an empty store. Like a real service, it answers an unknown request with status 404. */
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
      if (fault !== undefined) return sendFault(fault, incoming, outgoing)
      if (request.headers[header] !== value) return send(outgoing, { status: 401, body: script.refusal })
      return send(outgoing, findAnswer(script.path, routes, request))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${script.path}`,
    store,
    requests,
    failNext: (...more) => void faults.push(...more),
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

function findAnswer(
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

function sendFault(fault: Fault, incoming: IncomingMessage, outgoing: ServerResponse): void {
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

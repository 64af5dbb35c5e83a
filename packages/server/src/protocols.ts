import type { Hono } from 'hono'
import type { Problem } from './problem.ts'
import type { ServerDeps, ServerEnv, Protocol } from './server-context.ts'

/** A protocol of another package: a Hono app that the server mounts behind its keys and limits. */
export interface ProtocolAdapter {
  /** Its name in metrics and the audit log: `mem0`. */
  readonly name: string
  /** The path at which it is mounted: `/compat/mem0`. */
  readonly path: string
  /** Makes the routes of the protocol. */
  routes(deps: ServerDeps): Hono<ServerEnv>
  /** Answers a problem in the protocol's own form, also for requests refused before routing. */
  answerProblem(problem: Problem): Response
}

/** First path segments under `/v1` that are REST. Everything else is passed to a language model's API. */
const REST_SEGMENTS = new Set(['scopes', 'events', 'stats', 'jobs', 'import', 'access', 'recall', 'webhooks'])
const FIRST_SEGMENT_IN_V1 = /^\/v1\/([^/]+)/

/** The parts of a request that determine its protocol. */
interface RequestAddress {
  readonly path: string
  header(name: string): string | undefined
}

export function protocolOf(request: RequestAddress, adapters: readonly ProtocolAdapter[] = []): Protocol {
  const { path } = request
  const first = FIRST_SEGMENT_IN_V1.exec(path)?.[1]
  if (first !== undefined && REST_SEGMENTS.has(first)) return 'rest'
  // Both APIs have models and files; only Anthropic's clients send a version.
  if (first !== undefined)
    return first === 'messages' || request.header('anthropic-version') !== undefined ? 'anthropic' : 'openai'
  if (path.startsWith('/mcp')) return 'mcp'
  return adapters.find((adapter) => path.startsWith(adapter.path))?.name ?? 'server'
}

/** Whether requests of a protocol go to a language model's API. */
export function asksModel(protocol: Protocol): boolean {
  return protocol === 'openai' || protocol === 'anthropic'
}

const CHATS = new Set(['/v1/chat/completions', '/v1/responses', '/v1/messages'])

/** Whether a request is passed unchanged to a language model's API. */
export function isPassedThrough(request: RequestAddress & { readonly method: string }): boolean {
  return asksModel(protocolOf(request)) && !(request.method === 'POST' && CHATS.has(request.path))
}

const IMPORTS = /^\/v1\/(?:scopes\/[^/]+\/)?import(?:\/preview)?$/

/** Whether a request uploads a file, which is streamed. */
export function isImport({ method, path }: RequestAddress & { readonly method: string }): boolean {
  return method === 'POST' && IMPORTS.test(path)
}

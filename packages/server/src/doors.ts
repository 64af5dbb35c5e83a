/** The ways into the server. */
export type Door = 'rest' | 'openai' | 'anthropic' | 'mcp' | 'mem0' | 'server'

/** What of `/v1` is the server's own. Everything else there is a language model's API, and goes on to it. */
const REST = new Set(['scopes', 'events', 'stats', 'jobs', 'import', 'access', 'recall', 'webhooks'])
const IN_V1 = /^\/v1\/([^/]+)/

/** What of a request says where it goes. */
interface Addressed {
  readonly path: string
  header(name: string): string | undefined
}

/** Which door a request comes to; `server`: none, but the server's own (health, metrics, description). */
export function doorOf(request: Addressed): Door {
  const { path } = request
  const first = IN_V1.exec(path)?.[1]
  if (first !== undefined && REST.has(first)) return 'rest'
  // Both have models and files; only Anthropic's clients name a version.
  if (first !== undefined)
    return first === 'messages' || request.header('anthropic-version') !== undefined ? 'anthropic' : 'openai'
  if (path.startsWith('/mcp')) return 'mcp'
  return path.startsWith('/compat/mem0') ? 'mem0' : 'server'
}

/** Whether what comes to a door goes on to a language model's API. */
export function asksModel(door: Door): boolean {
  return door === 'openai' || door === 'anthropic'
}

const TALKS = new Set(['/v1/chat/completions', '/v1/responses', '/v1/messages'])

/** Whether a request only goes on to a language model's API, as it is. */
export function isPassedThrough(request: Addressed & { readonly method: string }): boolean {
  return asksModel(doorOf(request)) && !(request.method === 'POST' && TALKS.has(request.path))
}

const IMPORTS = /^\/v1\/(?:scopes\/[^/]+\/)?import(?:\/preview)?$/

/** Whether a request brings a file, which is read as it comes. */
export function isImport({ method, path }: Addressed & { readonly method: string }): boolean {
  return method === 'POST' && IMPORTS.test(path)
}

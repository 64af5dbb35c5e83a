/** The ways into the server. */
export type Door = 'rest' | 'openai' | 'mcp' | 'mem0' | 'server'

const PREFIXES: readonly (readonly [prefix: string, door: Door])[] = [
  ['/v1/chat/', 'openai'],
  ['/v1/models', 'openai'],
  ['/v1/', 'rest'],
  ['/mcp', 'mcp'],
  ['/compat/mem0', 'mem0'],
]

/** Which door a path leads to; `server`: none, but the server's own (health, metrics, description). */
export function doorOf(path: string): Door {
  return PREFIXES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'server'
}

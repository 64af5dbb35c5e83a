/** Where a server keeps what is its own, beside the memory's file. */
export interface SideFiles {
  readonly keysFile: string
  readonly requestsFile: string
}

/** `memory.db.keys` and `memory.db.requests` for `memory.db`; nothing is kept for `:memory:`. */
export function sideFiles(database: string): SideFiles {
  if (database === ':memory:') return { keysFile: ':memory:', requestsFile: ':memory:' }
  return { keysFile: `${database}.keys`, requestsFile: `${database}.requests` }
}

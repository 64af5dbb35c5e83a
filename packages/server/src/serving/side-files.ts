/** Where a server keeps what is its own, beside the memory's file. */
export interface SideFiles {
  readonly keysFile: string
  readonly requestsFile: string
  readonly mem0File: string
}

/** `memory.db.keys`, `memory.db.requests` and `memory.db.mem0` for `memory.db`; nothing is kept for `:memory:`. */
export function sideFiles(database: string): SideFiles {
  if (database === ':memory:') return { keysFile: ':memory:', requestsFile: ':memory:', mem0File: ':memory:' }
  return {
    keysFile: `${database}.keys`,
    requestsFile: `${database}.requests`,
    mem0File: `${database}.mem0`,
  }
}

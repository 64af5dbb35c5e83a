/** Where a server keeps what is its own, beside the memory's file. */
export interface SideFiles {
  readonly mem0File: string
}

/** `memory.db.mem0` for `memory.db`; nothing is kept for `:memory:`. */
export function sideFiles(database: string): SideFiles {
  return { mem0File: database === ':memory:' ? ':memory:' : `${database}.mem0` }
}

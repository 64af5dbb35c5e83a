import { openSqliteStore } from 'keepsake'
import { storeContract } from 'keepsake/store'
import { describe, it } from 'vitest'
import { connectWasm, loadSqlite } from '../src/connect-wasm.ts'

const sqlite = await loadSqlite()

describe('the store in SQLite as WebAssembly', () => {
  const cases = storeContract({
    open: () => openSqliteStore({ path: ':memory:', connect: () => connectWasm(sqlite) }),
  })
  it.for(cases)('$name', ({ skip, run }, context) => {
    if (skip !== undefined) return context.skip(skip)
    return run()
  })
})

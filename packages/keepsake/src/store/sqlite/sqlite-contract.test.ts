import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { storeContract } from '../contract/store-contract.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

describe('the store in a SQLite file', () => {
  const cases = storeContract({
    open: () => openSqliteStore({ path: join(folder, `${(files += 1)}.db`), synchronous: 'normal' }),
    openAgain: (store: Store) => openSqliteStore({ path: store.name, synchronous: 'normal' }),
  })
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})

describe('the store in memory', () => {
  const cases = storeContract({ open: () => openSqliteStore({ path: ':memory:' }) })
  it.for(cases)('$name', ({ skip, run }, context) => {
    if (skip !== undefined) return context.skip(skip)
    return run()
  })
})

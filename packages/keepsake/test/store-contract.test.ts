import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { storeContract } from 'keepsake/store-kit'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NO_CANDIDATES = 'this store gives no candidates'
let files = 0
const inFiles = storeContract({
  open: () => openSqliteStore({ path: join(folder, `${(files += 1)}.db`), synchronous: 'normal' }),
  openAgain: ({ name }) => openSqliteStore({ path: name, synchronous: 'normal' }),
})
const inMemory = storeContract({ open: () => openSqliteStore({ path: ':memory:' }) })

describe('the store in a SQLite file', () => {
  it.for(inFiles)('$name', ({ skip, run }, context) => {
    if (skip === NO_CANDIDATES) return context.skip(skip)
    expect(skip).toBeUndefined()
    return run()
  })
})

describe('the store in memory', () => {
  it.each(inMemory.filter(({ skip }) => skip === undefined))('$name', ({ run }) => run())

  it('leaves out only what takes two openings of one file, and candidates', () => {
    const left = inMemory.filter(({ skip }) => skip !== undefined && skip !== NO_CANDIDATES)
    expect(left.map(({ name, skip }) => [name.split(':')[0], skip])).toEqual([
      ['claims', 'this store cannot be opened twice'],
      ['claims', 'this store cannot be opened twice'],
      ['claims', 'this store cannot be opened twice'],
      ['records', 'this store cannot be opened twice'],
    ])
  })
})

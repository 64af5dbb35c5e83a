import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqliteStore } from '../src/stores/sqlite/open-sqlite-store.ts'
import { describeStore } from '../src/stores/store-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
describeStore('sqlite in a file', () =>
  openSqliteStore({ path: join(folder, `${(files += 1)}.db`), synchronous: 'normal' }),
)
describeStore('sqlite in memory', () => openSqliteStore({ path: ':memory:' }))

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from 'keepsake/store'
import { afterAll, describe, expect, it } from 'vitest'
import { openLibsqlStore } from '../src/open-libsql-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-libsql-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const nextFile = (): string => join(folder, `${(files += 1)}.db`)

describe('the store in a file of libSQL', () => {
  const cases = storeContract({
    open: () => openLibsqlStore({ url: `file:${nextFile()}` }),
    openAgain: (store) => openLibsqlStore({ url: store.name }),
  })
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})

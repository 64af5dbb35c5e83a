import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from 'keepsake/store'
import { afterAll, describe, expect, it } from 'vitest'
import { openLibsqlStore } from '../src/open-libsql-store.ts'
import { startServer } from './hrana-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-libsql-'))
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

/** A server removes no bytes, and says so: no receipt has a time. */
const NEEDS_PURGE = 'erasing: erases the named turns and memories, and keeps the rest'

describe('the store on a server of libSQL', () => {
  const cases = storeContract({
    open: async () => {
      const { url, server } = await startServer(join(folder, `${servers.length}.db`))
      servers.push(server)
      return openLibsqlStore({ url })
    },
    openAgain: (store) => openLibsqlStore({ url: store.name }),
  })
  it.each(cases)('$name', async ({ name, skip, run }) => {
    expect(skip).toBeUndefined()
    if (name === NEEDS_PURGE) await expect(run()).rejects.toThrow(/null/)
    else await run()
  })
})

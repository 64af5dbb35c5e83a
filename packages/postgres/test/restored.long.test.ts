import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgresStore } from '../src/open-postgres-store.ts'
import { findPostgres, PostgresServer, whyNoServer } from '../src/testing/postgres-server.ts'

const run = promisify(execFile)
const missing = whyNoServer()
if (missing !== null) process.stdout.write(`not tried: ${missing}\n`)

let server: PostgresServer
let folder = ''
beforeAll(async () => {
  if (missing !== null) return
  server = await PostgresServer.start()
  folder = mkdtempSync(join(tmpdir(), 'keepsake-restored-'))
})
afterAll(async () => {
  if (missing !== null) return
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function open(database: string, erasureLog?: string): Promise<Keepsake> {
  const store = await openPostgresStore({ connectionString: server.address('keepsake', database) })
  const memory = await openMemory({ store, ...(erasureLog === undefined ? {} : { erasureLog }) })
  onTestFinished(() => memory.close())
  return memory
}

/** By Postgres' own programs, as whoever keeps the server does. */
async function dumpAndRestore(restored: string): Promise<void> {
  const bin = findPostgres() ?? ''
  const file = join(folder, 'memory.dump')
  await run(join(bin, 'pg_dump'), ['-Fc', '-f', file, server.address()])
  await server.ask(`CREATE DATABASE ${restored}`)
  await run(join(bin, 'pg_restore'), ['--no-owner', '-d', server.address('keepsake', restored), file])
}

describe.skipIf(missing !== null)('a dump that is restored', () => {
  it('tells by the ledger what was erased since, and has it erased again', async () => {
    const ledger = join(folder, 'ledger')
    const memory = await open('postgres', ledger)
    for (const user of ['ana', 'ben'])
      await memory.scope({ user }).remember([
        { role: 'user', text: 'I live in Porto.', id: `${user}-1` },
        { role: 'user', text: 'My sister is called Zephyrina.', id: `${user}-2` },
      ])
    await memory.drain()
    await dumpAndRestore('restored')
    await memory.scope({ user: 'ana' }).erase({ everything: true })
    await memory.scope({ user: 'ben' }).erase({ turns: ['ben-2'] })
    expect(await memory.erasuresSinceBackup()).toEqual([])

    const restored = await open('restored', ledger)
    expect(await restored.erasuresSinceBackup()).toMatchObject([
      { of: 'person', user: 'ana', turns: 2 },
      { of: 'part', user: 'ben', turns: 1 },
    ])
    expect(await restored.reapplyErasures()).toHaveLength(2)
    expect(await restored.erasuresSinceBackup()).toEqual([])
    expect((await restored.scopes()).map(({ user }) => user)).toEqual(['ben'])
    const lines = await Array.fromAsync(restored.scope({ user: 'ben' }).export())
    expect(lines.join('\n')).toContain('Porto')
    expect(lines.join('\n')).not.toContain('Zephyrina')
  })
})

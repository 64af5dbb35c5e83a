import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresServer, whyNoServer } from '@keepsake/postgres/testing'
import { openMemory } from 'keepsake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const reason = whyNoServer()
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`Migrating to a real Postgres is left out: ${reason}.`)

const PEOPLE = 150
const PROGRAM = join(import.meta.dirname, '../../bin/keepsake.mjs')

const rowsOf = (lines: string): unknown[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe.skipIf(reason !== null)('keepsake migrate, with a real server', () => {
  let server: PostgresServer
  let folder = ''
  const at = (name: string) => join(folder, name)
  beforeAll(async () => {
    folder = temporaryFolder()
    server = await PostgresServer.start()
    const keepsake = await openMemory({ path: at('from.db') })
    for (let person = 0; person < PEOPLE; person += 1)
      await keepsake.scope({ user: `p${person}` }).remember([
        { role: 'user', text: `I live in Lyon and keep ${person} hives of bees\0. 我住在里昂。` },
        { role: 'assistant', text: 'How lovely.' },
      ])
    await keepsake.drain()
    await keepsake.close()
    await run(['keys', 'create', '--name', 'bot', '--db', at('from.db')])
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Counts the users in the target; 0 while there is no table. */
  async function brought(): Promise<number> {
    const rows = await server
      .ask(`SELECT count(*)::int AS n FROM keepsake.users WHERE tenant IS NOT NULL`)
      .catch(() => [{ n: 0 }])
    return (rows[0] as { n: number }).n
  }

  it('goes on after it was killed, and brings all of it there and back', { timeout: 400_000 }, async () => {
    const args = ['migrate', at('from.db'), server.address()]
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    while ((await brought()) < 5 && child.exitCode === null) await sleep(10)
    child.kill('SIGKILL')
    await ended
    const before = await brought()
    expect(before).toBeGreaterThanOrEqual(5)
    expect(before).toBeLessThan(PEOPLE)

    const there = await run([...args, '--json'])
    expect([there.code, there.err]).toEqual([0, ''])
    const [migrated] = there.json() as [{ people: number; before: number; rows: number; records: number }]
    expect(migrated).toMatchObject({ people: PEOPLE, before, records: 1, changed: [] })
    const back = await run(['migrate', server.address(), at('back.db'), '--json'])
    expect([back.code, back.err]).toEqual([0, ''])
    // Each run compares every person's counts and hashes itself; that they are all there is seen from outside too.
    expect(back.json()).toMatchObject([{ people: PEOPLE, rows: migrated.rows, records: 1, changed: [] }])
    for (const person of [0, 7, PEOPLE - 1]) {
      const exported = async (db: string) => (await run(['export', '--db', db, '--user', `p${person}`])).out
      const expected = await exported(at('from.db'))
      expect(expected).toContain('hives')
      // A server may give the fields of a row in another order.
      expect(rowsOf(await exported(server.address()))).toEqual(rowsOf(expected))
      expect(await exported(at('back.db'))).toBe(expected)
    }
    expect((await run(['keys', 'list', '--db', at('back.db')])).out).toContain('bot')
  })
})

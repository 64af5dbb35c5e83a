import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { openMemory } from 'keepsake'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder = ''
let db = ''
beforeEach(async () => {
  folder = temporaryFolder()
  db = join(folder, 'memory.db')
  const keepsake = await openMemory({ path: db })
  await keepsake.scope({ user: 'ana' }).remember({ role: 'user', text: 'I live in Porto.' })
  await keepsake.close()
})

it('says that a memory is sound', async () => {
  expect(await run(['doctor', '--db', db])).toMatchObject({
    code: 0,
    out: expect.stringContaining('is sound'),
  })
  expect(await run(['doctor', '--db', db, '--json'])).toMatchObject({ code: 0, out: '' })
})

it('ends with 1 and says what to do while something is not as it should be', async () => {
  chmodSync(db, 0o644)
  const { code, out } = await run(['doctor', '--db', db])
  expect([code, out]).toEqual([1, expect.stringContaining('chmod 600')])
})

it('refuses what is no memory, and makes none', async () => {
  writeFileSync(db, '')
  expect(await run(['doctor', '--db', db])).toMatchObject({
    code: 4,
    err: expect.stringContaining('0 bytes'),
  })
  expect((await run(['doctor', '--db', join(folder, 'no.db')])).err).toContain('There is no database')
})

it('tells who asked a server for what', async () => {
  expect((await run(['audit', '--db', db])).out).toContain('No request reached')
})

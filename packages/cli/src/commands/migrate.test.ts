import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder = ''
const at = (name: string) => join(folder, name)
beforeEach(async () => {
  folder = temporaryFolder()
  const lines = at('chat.jsonl')
  const { writeFileSync } = await import('node:fs')
  writeFileSync(lines, `${JSON.stringify({ role: 'user', text: 'I keep four hives of bees on my roof.' })}\n`)
  await run(['import', lines, '--db', at('from.db'), '--user', 'ana'])
  await run(['keys', 'create', '--name', 'bot', '--db', at('from.db')])
})

const exported = async (name: string) => (await run(['export', '--db', at(name), '--user', 'ana'])).out

it('brings memories and keys into a new file, and leaves the old one as it was', async () => {
  const before = readFileSync(at('from.db'))
  const done = await run(['migrate', at('from.db'), at('to.db')])
  expect([done.code, done.err]).toEqual([0, ''])
  expect(done.out).toMatch(/contains everything: 1 user, \d+ rows and 1 record\. Each was compared/)
  expect(readFileSync(at('from.db')).equals(before)).toBe(true)
  expect(await exported('to.db')).toBe(await exported('from.db'))
  expect((await run(['keys', 'list', '--db', at('to.db')])).out).toContain('bot')
})

it('refuses what is no source, what is no empty target, and itself', async () => {
  const missing = await run(['migrate', at('none.db'), at('to.db')])
  expect([missing.code, missing.err]).toEqual([3, expect.stringContaining('There is no database')])
  const itself = await run(['migrate', at('from.db'), at('from.db')])
  expect([itself.code, itself.err]).toEqual([2, expect.stringContaining('the same')])
  await run(['migrate', at('from.db'), at('to.db')])
  const again = await run(['migrate', at('from.db'), at('to.db')])
  expect(again.code).not.toBe(0)
  expect(again.err).toContain('the migration is done')
})

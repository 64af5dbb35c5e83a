import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { sample } from '../../test/import-files.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const db = join(folder, 'memory.db')
const keepsake = (...argv: string[]) => run([...argv, '--db', db, '--user', 'ana'])

it('sets and shows what is kept of a user, and a file says it for all', async () => {
  const talk = join(folder, 'talk.txt')
  writeFileSync(talk, "User: I'm allergic to peanuts. I live in Lyon.\nAssistant: I see.\n")
  const file = join(folder, 'guidelines.json')
  writeFileSync(file, JSON.stringify({ never: ['allergies'] }))
  expect((await keepsake('import', talk, '--guidelines', file)).code).toBe(0)
  const listed = (await keepsake('list', '--json', '--forms', 'fact')).json()
  expect(listed).toMatchObject([{ text: 'The user lives in Lyon.' }])
  expect((await keepsake('guidelines', '--never', 'health', '--never', 'home')).out).toMatch(/never\s+health/)
  expect((await keepsake('guidelines', '--keep', 'songs', '--json')).json()).toMatchObject([
    { keep: ['songs'], never: ['health', 'home'] },
  ])
  expect((await keepsake('guidelines', '--clear')).out).toContain('No guidelines.')
  writeFileSync(file, JSON.stringify({ never: ['tomatoes'] }))
  expect((await keepsake('import', sample('letta.json'), '--guidelines', file)).code).toBe(0)
  expect((await keepsake('blocks', '--json')).json()).toMatchObject([{ name: 'persona' }])
  writeFileSync(
    file,
    JSON.stringify({
      categories: { home: 'Where they live.' },
      keys: { residence: { description: 'Where they live.', schema: { type: 'string' }, category: 'home' } },
    }),
  )
  const move = join(folder, 'move.txt')
  writeFileSync(move, 'User: I moved to Porto.\nAssistant: I see.\n')
  expect((await keepsake('import', move, '--guidelines', file)).code).toBe(0)
  expect((await keepsake('state', '--guidelines', file)).out).toMatch(/residence\s+"Porto"\s+home\s+1 fact/)
  const filed = (await keepsake('list', '--json', '--categories', 'home')).json()
  expect(filed).toMatchObject([{ key: 'residence', value: 'Porto' }])
  const none = await keepsake('import', talk, '--guidelines', join(folder, 'none.json'))
  expect([none.code, none.err]).toEqual([3, expect.stringContaining('There is no file')])
})

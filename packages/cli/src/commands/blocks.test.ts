import { join } from 'node:path'
import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

it('writes, edits, lists and undoes blocks', async () => {
  const db = join(temporaryFolder(), 'memory.db')
  const memory = await openMemory({ path: db })
  await memory.scope({ user: 'ana' }).remember({ role: 'user', text: 'I keep bees.', id: 't1' })
  await memory.close()
  const keepsake = (...argv: string[]) => run([...argv, '--db', db, '--user', 'ana'])
  expect((await keepsake('blocks')).out).toContain('There are no blocks.')
  const written = await keepsake(
    'write-block',
    'tasks',
    'book the train',
    '--limit',
    '60',
    '--evidence',
    't1',
  )
  expect(written.out).toMatch(/^tasks .* 14 of 60 characters .*\n {2}book the train\n/)
  await keepsake('edit-block', 'tasks', '--insert', 'pack')
  await keepsake('edit-block', 'tasks', '--rename', 'spring/tasks')
  const blocks = (await keepsake('blocks', '--json')).json()
  const evidence = [{ turn: 't1', quote: null }]
  expect(blocks).toMatchObject([{ name: 'spring/tasks', text: 'book the train\npack', evidence }])
  const refused = await keepsake('edit-block', 'spring/tasks', '--find', 'fly', '--replace', 'walk')
  expect([refused.code === 0, refused.err.includes('does not hold the words to find')]).toEqual([false, true])
  await keepsake('undo', 'last')
  await keepsake('undo', 'last')
  expect((await keepsake('blocks')).out).toContain('tasks')
  expect((await keepsake('list', '--forms', 'block')).out).toContain('block')
})

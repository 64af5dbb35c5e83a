import { beforeEach, expect, it } from 'vitest'
import type { ProblemBody } from '../../problem.ts'
import { RouteAsker } from '../../testing/routes-asker.ts'
import type { MemoryJson } from '../schemas/memory.ts'

const BLOCKS = '/v1/scopes/ana/blocks'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

const list = async () =>
  (await asker.ask<{ blocks: MemoryJson[] }>('GET', BLOCKS)).body.blocks.map(({ name, text, limit }) => ({
    name,
    text,
    limit,
  }))

it('writes and edits blocks, which recalls show unless they leave them out', async () => {
  await asker.remember()
  const name = 'project/tasks ?#'
  const written = await asker.ask<MemoryJson>('PUT', BLOCKS, {
    name,
    text: 'book the train\n',
    limit: 60,
    evidence: ['t1'],
  })
  expect(written).toMatchObject({ status: 200, body: { form: 'block', name, limit: 60 } })
  const edited = await asker.ask<MemoryJson>('PATCH', BLOCKS, {
    name,
    find: 'book the train',
    replace: 'done',
  })
  expect(edited.body).toMatchObject({ id: written.body.id, text: 'done\n' })
  await asker.ask('PATCH', BLOCKS, { name, insert: 'rest', line: 1 })
  expect(await list()).toEqual([{ name, text: 'done\nrest\n', limit: 60 }])
  const recall = (blocks?: boolean) =>
    asker.ask<{ context: { text: string } }>('POST', '/v1/scopes/ana/recall', {
      question: 'What is the weather?',
      blocks,
    })
  expect((await recall()).body.context.text).toContain(
    String.raw`- [block "project/tasks ?#"] "done\nrest\n"`,
  )
  expect((await recall(false)).body.context.text).not.toContain('[block')
  await asker.ask('DELETE', `/v1/scopes/ana/memories/${written.body.id}`)
  expect(await list()).toEqual([])
})

it('says what a block does not take', async () => {
  await asker.ask('PUT', BLOCKS, { name: 'tasks', text: 'one one', limit: 8 })
  const refused = [
    [{ name: 'tasks', insert: 'more and more' }, 422, 'takes 8 characters, and this text has 21'],
    [{ name: 'tasks', find: 'one', replace: 'two' }, 409, 'holds the words to find 2 times'],
    [{ name: 'lists', insert: 'x' }, 404, 'There is no block'],
    [{ name: 'tasks' }, 422, 'takes find and replace, or insert, or rename'],
  ] as const
  for (const [edit, status, why] of refused) {
    const answer = await asker.ask<ProblemBody>('PATCH', BLOCKS, edit)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(why)])
  }
  expect(await list()).toMatchObject([{ text: 'one one' }])
})

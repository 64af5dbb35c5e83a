import { beforeEach, describe, expect, it } from 'vitest'
import type { ProblemBody } from '../../problem.ts'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, type ChangeAnswer, type MemoryList } from '../../testing/routes-asker.ts'
import type { MemoryJson } from '../schemas/memory.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

describe('memories', () => {
  it('are listed with filters', async () => {
    await asker.remember()
    const list = async (query: string) =>
      (await asker.ask<MemoryList>('GET', `/v1/scopes/ana/memories?${query}`)).body.memories
    const every = await list('')
    expect(new Set(every.map(({ form }) => form))).toEqual(new Set(['fact']))
    expect(first(every).learnedAt).toMatch(/^2026-05-01T18:00:0\d\.000Z$/)
    expect(await list('forms=fact')).toEqual(every)
    const both = await list('forms=fact&forms=utterance')
    expect(new Set(both.map(({ form }) => form))).toEqual(new Set(['fact', 'utterance']))
    expect(await list('statuses=deleted')).toEqual([])
    expect((await list('session=monday')).length).toBe(every.length)
    expect(await list('session=tuesday')).toEqual([])
    expect((await list('forms=fact&contains=KIWI')).length).toBe(1)
    expect(
      (await list('types=event&types=persona&forms=fact')).every(({ type }) => type !== 'relationship'),
    ).toBe(true)
  })

  it('come in pages that writes in between neither double nor drop', async () => {
    const user = asker.server.keepsake.scope({ user: 'ana' })
    const say = async (from: number, to: number) => {
      for (let index = from; index < to; index++)
        await user.remember(
          { role: 'user', text: `I like dish number ${index} best.`, id: `d${index}` },
          { session: 's' },
        )
      await user.drain()
    }
    await say(0, 7)
    const start = await asker.ask<MemoryList>('GET', '/v1/scopes/ana/memories?limit=3&forms=utterance')
    await user.forget(first(start.body.memories.slice(2)).id)
    await say(7, 9)
    const seen = [...start.body.memories]
    let { next } = start.body
    while (next !== null) {
      const page: { body: MemoryList } = await asker.ask(
        'GET',
        `/v1/scopes/ana/memories?limit=3&forms=utterance&cursor=${next}`,
      )
      seen.push(...page.body.memories)
      next = page.body.next
    }
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const now = await user.memories({ forms: ['utterance'] })
    expect(now.every(({ id }) => ids.includes(id))).toBe(true)
    expect(now.length).toBeGreaterThan(6)
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=ten',
    'limit=1&limit=2',
    'cursor=x',
    'cursor=W10',
    'form=fact',
    'statuses=gone',
    'tenant=a&tenant=b',
    'agent=',
  ])('cannot be asked for with %s', async (query) => {
    const { status, body } = await asker.ask<ProblemBody>('GET', `/v1/scopes/ana/memories?${query}`)
    expect([status, body.fields?.[0]?.field.split('.')[1]]).toEqual([422, query.split('=')[0]])
  })

  it('are explained, corrected, pinned, deleted, restored and undone, each with its history', async () => {
    await asker.remember()
    const fact = (await asker.factsOf()).find(({ text }) => text.includes('Kiwi'))!
    const at = `/v1/scopes/ana/memories/${fact.id}`
    const explanation = await asker.ask<{
      sentences: string[]
      memory: MemoryJson
      policy: { name: string }
    }>('GET', at)
    expect(explanation.body.memory.id).toBe(fact.id)
    expect(explanation.body.sentences).toEqual([
      expect.stringMatching(/^Made by persona-rules.* It rests on turn t1/),
      expect.stringContaining('Active.'),
      'No recall has returned it yet.',
      expect.stringContaining('By facts:'),
    ])

    const edit = await asker.ask<ChangeAnswer>('PATCH', at, { text: 'The user has a parrot named Mango.' })
    expect(edit.body).toMatchObject({ kind: 'modify', memory: fact.id })
    expect(edit.body).not.toHaveProperty('payload')
    expect((await asker.ask<{ memory: MemoryJson }>('GET', at)).body.memory).toMatchObject({
      text: 'The user has a parrot named Mango.',
      past: [{ text: fact.text }],
    })
    await asker.ask('POST', `/v1/scopes/ana/operations/${edit.body.id}/undo`)
    expect((await asker.ask<{ memory: MemoryJson }>('GET', at)).body.memory.text).toBe(fact.text)

    await asker.ask('PUT', `${at}/pin`)
    expect((await asker.ask<{ memory: MemoryJson }>('GET', at)).body.memory.pinned).toBe(true)
    await asker.ask('DELETE', `${at}/pin`)
    expect((await asker.ask<{ memory: MemoryJson }>('GET', at)).body.memory.pinned).toBe(false)

    expect((await asker.ask<ChangeAnswer>('DELETE', at)).body.kind).toBe('delete')
    expect((await asker.factsOf()).some(({ id }) => id === fact.id)).toBe(false)
    const twice = await asker.ask<ProblemBody>('DELETE', at)
    expect([twice.status, twice.body.code]).toEqual([409, 'not-possible'])
    expect((await asker.ask<ChangeAnswer>('POST', `${at}/restore`)).body.kind).toBe('restore')
    expect((await asker.factsOf()).some(({ id }) => id === fact.id)).toBe(true)

    const history = await asker.ask<{
      operations: { kind: string; payload: { before: { text?: string } | null } | null }[]
    }>('GET', `${at}/history`)
    expect(history.body.operations.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['add', 'modify', 'delete', 'restore']),
    )
    expect(history.body.operations.find(({ kind }) => kind === 'modify')?.payload?.before?.text).toBe(
      fact.text,
    )
  })

  it('are edited by what an edit may set, and are found in their own scope alone', async () => {
    await asker.remember()
    await asker.remember('ben')
    const bens = first(await asker.factsOf('ben'))
    const at = `/v1/scopes/ana/memories/${bens.id}`
    for (const [method, path, body] of [
      ['GET', at],
      ['GET', `${at}/history`],
      ['PATCH', at, { text: 'x' }],
      ['DELETE', at],
      ['PUT', `${at}/pin`],
      ['POST', `${at}/restore`],
      ['POST', `/v1/scopes/ana/quarantine/${bens.id}/release`],
      ['POST', '/v1/scopes/ana/erase', { memories: [bens.id] }],
    ] as const) {
      const answer = await asker.ask<ProblemBody>(method, path, body)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not-found'])
    }
    expect((await asker.factsOf('ben'))[0]).toEqual(bens)
    for (const body of [{}, { text: ' ' }, { label: 'other' }, { text: 'x', pinned: true }])
      expect((await asker.ask('PATCH', `/v1/scopes/ben/memories/${bens.id}`, body)).status).toBe(422)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import type { ProblemBody } from '../../problem.ts'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, type MemoryList } from '../../testing/routes-asker.ts'
import type { MemoryJson } from '../schemas/memory.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
  const turns = [
    { role: 'user', text: 'I live in Porto.', id: 't1', metadata: { topic: 'home', stars: 4 } },
    { role: 'user', text: 'I work as a baker.', id: 't2', metadata: { topic: 'work' } },
  ]
  await asker.ask('POST', '/v1/scopes/ana/turns', { turns })
  await asker.server.keepsake.drain()
})

const HOME = { path: 'topic', is: 'home' }

interface Recalled {
  readonly memories: readonly {
    readonly memory: MemoryJson
    readonly evidence: readonly { readonly turn: string; readonly metadata: unknown }[]
  }[]
}

describe('metadata', () => {
  it('comes back with what is recalled, which it narrows', async () => {
    const body = { question: 'Porto baker', where: HOME }
    const { status, body: recall } = await asker.ask<Recalled>('POST', '/v1/scopes/ana/recall', body)
    expect(status).toBe(200)
    const { memory, evidence } = first(recall.memories)
    expect(memory).toMatchObject({ name: null, metadata: { topic: 'home', stars: 4 } })
    expect(evidence).toMatchObject([{ turn: 't1', metadata: { topic: 'home', stars: 4 } }])
    expect(recall.memories.flatMap((one) => one.evidence.map(({ turn }) => turn))).not.toContain('t2')
  })

  it('narrows lists, and is set by an edit', async () => {
    const list = async (where: unknown): Promise<readonly MemoryJson[]> => {
      const query = `forms=fact&where=${encodeURIComponent(JSON.stringify(where))}`
      return (await asker.ask<MemoryList>('GET', `/v1/scopes/ana/memories?${query}`)).body.memories
    }
    const [home] = await list(HOME)
    expect(home?.text).toContain('Porto')
    expect(await list({ not: HOME })).toHaveLength(1)
    const path = `/v1/scopes/ana/memories/${home?.id}`
    expect((await asker.ask('PATCH', path, { metadata: { topic: 'kept' } })).status).toBe(200)
    expect(await list({ path: 'topic', is: 'kept' })).toMatchObject([{ metadata: { topic: 'kept' } }])
    expect((await asker.ask('PATCH', path, { metadata: null })).status).toBe(200)
    expect(await list({ path: 'topic', exists: false })).toMatchObject([{ id: home?.id, metadata: null }])
  })

  it('has at most 500 fields and texts, at any level; numbers in lists count as none', async () => {
    const statusOf = async (metadata: object): Promise<number> => {
      const turns = [{ role: 'user', text: 'Hello.', metadata }]
      return (await asker.ask('POST', '/v1/scopes/ana/turns', { turns })).status
    }
    const list = <Item>(length: number, item: (at: number) => Item): Item[] =>
      Array.from({ length }, (_, at) => item(at))
    const fields = (count: number) => Object.fromEntries(list(count, (at) => [`f${at}`, at]))
    expect(await statusOf(fields(500))).toBe(201)
    expect(await statusOf({ a: list(499, String), vector: list(4_000, Number) })).toBe(422)
    expect(await statusOf({ a: list(498, String), vector: list(4_000, Number) })).toBe(201)
    expect(await statusOf(fields(501))).toBe(422)
    expect(await statusOf({ a: { b: [{ c: fields(498) }] } })).toBe(422)
  })

  it('and filters that cannot be read are refused with their field', async () => {
    const turn = { role: 'user', text: 'Hi.', metadata: [1] }
    const refusals: [string, string, unknown, string][] = [
      ['POST', '/v1/scopes/new/turns', { turns: [turn] }, 'body.turns.0.metadata'],
      ['POST', '/v1/scopes/ana/recall', { question: 'x', where: { path: 'a' } }, 'body.where'],
      ['GET', '/v1/scopes/ana/memories?where=topic', undefined, 'query.where'],
      ['GET', '/v1/scopes/ana/memories?where=%7B%22path%22%3A1%7D', undefined, 'query.where'],
    ]
    for (const [method, path, body, field] of refusals) {
      const answer = await asker.ask<ProblemBody>(method, path, body)
      expect([path, answer.status, answer.body.fields?.map((one) => one.field)]).toEqual([path, 422, [field]])
    }
    expect((await asker.server.keepsake.scopes()).map(({ user }) => user)).toEqual(['ana'])
  })
})

describe('answers under idempotency keys', () => {
  it('are kept for the person they concern, and erased with them', async () => {
    const { keepsake } = asker.server
    const requests = () => keepsake.records.listRecords({ collection: 'requests' })
    const [ana] = await keepsake.scopes()
    const ask = (key: string, path: string, body?: unknown) =>
      asker.ask('POST', `/v1/scopes/${path}`, body, { 'Idempotency-Key': key })
    const turns = [{ role: 'user', text: 'I keep bees.' }]
    expect((await ask('k1', 'ana/turns', { turns })).status).toBe(201)
    expect((await ask('k2', 'zoe/turns', { turns })).status).toBe(201)
    const owners = (await requests()).map(({ owner }) => owner)
    expect(owners).toHaveLength(2)
    expect(owners).toContain(ana?.owner)
    expect(owners).not.toContain(null)
    await keepsake.scope({ user: 'ana' }).erase({ everything: true })
    expect((await requests()).map(({ owner }) => owner)).not.toContain(ana?.owner)
    expect(await requests()).toHaveLength(1)
  })
})

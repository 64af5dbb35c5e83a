import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { grantOf, serveMem0, type Mem0Server } from './testing/serve-mem0.ts'

let server: Mem0Server

async function ask<Answer>(
  method: string,
  path: string,
  body?: unknown,
  key = 'all',
): Promise<{ status: number; body: Answer }> {
  const response = await server.app.request(`/compat/mem0${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

interface Item {
  readonly id: string
  readonly memory: string
  readonly hash: string
}

beforeEach(async () => {
  server = await serveMem0({ keys: { all: grantOf() } })
})
afterEach(() => server.close())

describe('the self-hosted dialect', () => {
  test('adds, lists, searches, corrects, deletes, tells', async () => {
    const added = await ask<{ results: { id: string; event: string }[] }>('POST', '/memories', {
      messages: [{ role: 'user', content: 'I take window seats.' }],
      user_id: 'ana',
      metadata: { topic: 'seats' },
      infer: false,
    })
    const id = added.body.results[0]?.id ?? ''
    const listed = await ask<{ results: Item[] }>('GET', '/memories?user_id=ana')
    expect(listed.body.results).toMatchObject([
      { id, memory: 'I take window seats.', metadata: { topic: 'seats' } },
    ])
    expect(listed.body.results[0]?.hash).toMatch(/^[0-9a-f]{32}$/)
    const found = await ask<{ results: Item[] }>('POST', '/search', {
      query: 'Which seats?',
      user_id: 'ana',
      filters: { topic: 'seats' },
    })
    expect(found.body.results.map((one) => one.id)).toEqual([id])
    const none = await ask<{ results: Item[] }>('POST', '/search', {
      query: 'Which seats?',
      user_id: 'ana',
      filters: { topic: 'x' },
    })
    expect(none.body.results).toEqual([])
    expect((await ask<Item>('PUT', `/memories/${id}`, { text: 'I take aisle seats.' })).body.memory).toBe(
      'I take aisle seats.',
    )
    expect((await ask<Item>('GET', `/memories/${id}`)).body.memory).toBe('I take aisle seats.')
    const history = await ask<object[]>('GET', `/memories/${id}/history`)
    expect(history.body).toMatchObject([
      { memory_id: id, event: 'ADD', new_memory: 'I take window seats.', is_deleted: false },
      {
        memory_id: id,
        event: 'UPDATE',
        old_memory: 'I take window seats.',
        new_memory: 'I take aisle seats.',
      },
    ])
    expect((await ask('DELETE', `/memories/${id}`)).status).toBe(200)
    expect((await ask<{ results: Item[] }>('GET', '/memories?user_id=ana')).body.results).toEqual([])
    expect((await ask<{ results: { name: string }[] }>('GET', '/entities')).body.results[0]?.name).toBe('ana')
    expect((await ask('DELETE', '/entities/user/ana')).status).toBe(200)
    expect(await server.keepsake.scopes()).toEqual([])
  })

  test('says errors as both servers do, and resets nobody', async () => {
    const missing = await ask<{ error: string; detail: string }>('GET', '/memories/none')
    expect(missing.status).toBe(404)
    expect(missing.body.detail).toBe(missing.body.error)
    expect((await ask('POST', '/reset')).status).toBe(501)
    expect((await ask('GET', '/memories')).status).toBe(400)
    expect((await ask('DELETE', '/memories')).status).toBe(400)
    expect((await ask('GET', '/memories?user_id=ana', undefined, 'wrong')).status).toBe(401)
  })
})

describe('a request that cannot be read', () => {
  const ADD = ['POST', '/v3/memories/add/'] as const
  const SEARCH = ['POST', '/v3/memories/search/'] as const
  const LIST = ['POST', '/v3/memories/'] as const
  const cases: [string, string, unknown, RegExp][] = [
    [...ADD, '{"messages": ', /not JSON/],
    [...ADD, [], /body: must be a JSON object/],
    [...ADD, { user_id: 'ana' }, /body.messages: must be a string, or messages/],
    [...ADD, { user_id: 'ana', messages: [{ role: 'king', content: 'x' }] }, /body.messages/],
    [...ADD, { user_id: 'ana', messages: ' ' }, /body.messages: contains no text/],
    [...ADD, { user_id: '', messages: 'x' }, /body.user_id: must not be empty/],
    [...ADD, { user_id: {}, messages: 'x' }, /body.user_id: must be a string/],
    [...ADD, { user_id: 'mem0:agent:x', messages: 'x' }, /user_id must not begin/],
    [...ADD, { user_id: 'ana', messages: 'x', metadata: { a: 'x'.repeat(20_000) } }, /metadata: is longer/],
    [...ADD, '{"user_id":"ana","messages":"x","__proto__":{}}', /body.__proto__: is not known/],
    [...ADD, { user_id: 'ana', messages: 'x', constructor: 1 }, /body.constructor: is not known/],
    [...SEARCH, { filters: { user_id: 'ana' } }, /body.query: must be a string/],
    [...SEARCH, { query: 'x', filters: { user_id: 'ana' }, top_k: 0 }, /body.top_k: must be at least 1/],
    [...SEARCH, { query: 'x', filters: { user_id: 'ana' }, threshold: 2 }, /body.threshold/],
    [...SEARCH, { query: 'x', filters: { user_id: 'mem0:app:x' } }, /user_id must not begin/],
    ['POST', '/v3/memories/?page=x', { filters: { user_id: 'ana' } }, /query.page: must be a whole number/],
    [...LIST, { filters: { user_id: 'ana' }, start_date: 'soon' }, /body.start_date: must be a time/],
    ['DELETE', '/v1/memories/?colour=red', undefined, /query.colour: is not known/],
    ['DELETE', '/v2/entities/king/ana/', undefined, /no entities of this type/],
    ['PUT', '/v1/batch/', { memories: [] }, /body.memories: must not be empty/],
    ['POST', '/v1/feedback/', { memory_id: 'x', feedback: 'GREAT' }, /body.feedback: must be POSITIVE/],
  ]
  test.each(cases)('%s %s %j', async (method, path, body, message) => {
    const answer = await ask<{ error: string; fields?: { field: string }[] }>(method, path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(message)
    expect(await server.keepsake.scopes()).toEqual([])
    expect(server.logged).toEqual([])
  })
})

import type { Memory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { grantOf, serveMem0, type Mem0Server } from './testing/serve-mem0.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

interface Shown {
  readonly id: string
  readonly memory: string
  readonly created_at: string
  readonly user_id: string
  readonly agent_id: string | null
}
interface Answer {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Shown[]
}

let server: Mem0Server
beforeEach(async () => {
  server = await serveMem0({ keys: { all: grantOf() } })
  const of = (user: string, agent?: string) =>
    server.keepsake.scope(agent === undefined ? { user } : { user, agent })
  // Not in the order in which they were learned, two of them at one time.
  for (let made = 0; made < 60; made += 1) {
    const at = START + ((made * 7) % 30) * HOUR
    const metadata = { part: made % 3, odd: made % 2 === 1 }
    await of('ana').note(`ana ${made}`, { at, metadata, session: made % 4 === 0 ? 'r1' : 'r2' })
    if (made % 5 === 0) await of('ana', 'bot').note(`bot ${made}`, { at, metadata })
    if (made % 6 === 0) await of('ben').note(`ben ${made}`, { at, metadata })
  }
})
afterEach(() => server.close())

async function ask(body: object, page: number, size: number): Promise<Answer> {
  const response = await server.app.request(
    `http://keepsake.test/compat/mem0/v3/memories/?page=${page}&page_size=${size}`,
    { method: 'POST', headers: { Authorization: 'Token all' }, body: JSON.stringify(body) },
  )
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

/** All pages of a list. */
async function listed(filters: object, size: number): Promise<{ texts: string[]; count: number }> {
  const texts: string[] = []
  for (let page = 1; ; page += 1) {
    const { count, next, results } = await ask({ filters }, page, size)
    expect(results.length).toBe(Math.min(size, count - texts.length))
    texts.push(...results.map(({ memory }) => memory))
    if (next === null) return { texts, count }
  }
}

/** What is meant, by looking at everything. */
async function meant(isMeant: (memory: Memory, user: string) => boolean, users = ['ana']): Promise<string[]> {
  const all: Memory[] = []
  for (const user of users)
    all.push(
      ...(await server.keepsake.scope({ user }).memories({ forms: ['note'] })).filter((one) =>
        isMeant(one, user),
      ),
    )
  return all
    .sort((one, other) => other.learnedAt - one.learnedAt || (one.id < other.id ? 1 : -1))
    .map(({ text }) => text)
}

const day = (number: number): string => new Date(START + number * 24 * HOUR).toISOString()
const isBot = ({ text }: Memory): boolean => text.startsWith('bot')

describe('a list', () => {
  test.each<[string, object, Parameters<typeof meant>]>([
    ['of a user', { user_id: 'ana' }, [() => true]],
    ['of a user’s agent', { AND: [{ user_id: 'ana' }, { agent_id: 'bot' }] }, [isBot]],
    ['of what no agent heard', { AND: [{ user_id: 'ana' }, { agent_id: null }] }, [(one) => !isBot(one)]],
    ['of a run', { AND: [{ user_id: 'ana' }, { run_id: 'r1' }] }, [(one) => one.session === 'r1']],
    [
      'of metadata',
      { AND: [{ user_id: 'ana' }, { metadata: { part: 1, odd: true } }] },
      [({ metadata }) => metadata?.['part'] === 1 && metadata['odd'] === true],
    ],
    [
      'of a time',
      { AND: [{ user_id: 'ana' }, { created_at: { gte: day(0.25), lte: day(0.75) } }] },
      [({ learnedAt }) => learnedAt >= START + 6 * HOUR && learnedAt <= START + 18 * HOUR],
    ],
    [
      'of words',
      { AND: [{ user_id: 'ana' }, { keywords: { contains: '1' } }] },
      [({ text }) => text.includes('1')],
    ],
    [
      'of one or another',
      { OR: [{ user_id: 'ben' }, { agent_id: 'bot' }] },
      [(one, user) => user === 'ben' || isBot(one), ['ana', 'ben']],
    ],
    ['of several people', { user_id: ['ana', 'ben'] }, [() => true, ['ana', 'ben']]],
    ['of nothing', { AND: [{ user_id: 'ana' }, { run_id: 'r3' }] }, [() => false]],
  ])('%s has each page in its order, and their number', async (_, filters, [isMeant, users]) => {
    const expected = await meant(isMeant, users)
    for (const size of [7, 100])
      expect(await listed(filters, size)).toEqual({ texts: expected, count: expected.length })
  })

  test('of the self-hosted server shows as many as are asked for', async () => {
    const response = await server.app.request(
      'http://keepsake.test/compat/mem0/memories?user_id=ana&top_k=3',
      {
        headers: { Authorization: 'Token all' },
      },
    )
    const { results } = (await response.json()) as Answer
    expect(results.map(({ memory }) => memory)).toEqual((await meant(() => true)).slice(0, 3))
  })

  test('without what is no longer so counts and pages the rest', async () => {
    const ana = server.keepsake.scope({ user: 'ana' })
    await ana.addFact('The user lives in Oslo.', { key: 'residence', value: 'Oslo' })
    await ana.addFact('The user lives in Rome.', { key: 'residence', value: 'Rome' })
    const filters = { user_id: 'ana' }
    expect((await ask({ filters }, 1, 2)).count).toBe(73)
    const { count, results } = await ask({ filters, show_expired: true }, 1, 2)
    expect([count, results.map(({ memory }) => memory)]).toEqual([
      74,
      ['The user lives in Rome.', 'The user lives in Oslo.'],
    ])
  })

  test('is deleted whole, however long', async () => {
    const response = await server.app.request('http://keepsake.test/compat/mem0/v1/memories/?user_id=ana', {
      method: 'DELETE',
      headers: { Authorization: 'Token all' },
    })
    expect(response.status).toBe(200)
    expect((await ask({ filters: { user_id: 'ana' } }, 1, 5)).count).toBe(0)
    expect((await ask({ filters: { user_id: 'ben' } }, 1, 5)).count).toBe(10)
  })
})

test('entities are counted', async () => {
  const response = await server.app.request('http://keepsake.test/compat/mem0/v1/entities/', {
    headers: { Authorization: 'Token all' },
  })
  const { results } = (await response.json()) as {
    results: readonly {
      type: string
      name: string
      total_memories: number
      created_at: string
      updated_at: string
    }[]
  }
  expect(results.map(({ type, name, total_memories }) => [type, name, total_memories])).toEqual([
    ['user', 'ana', 72],
    ['user', 'ben', 10],
    ['agent', 'bot', 12],
  ])
  expect([results[0]?.created_at, results[0]?.updated_at]).toEqual([day(0), day(29 / 24)])
})

test('clients before version 2 list by GET, with pages where they ask for them', async () => {
  const get = async (query: string): Promise<unknown> => {
    const url = `http://keepsake.test/compat/mem0/v1/memories/?${query}`
    return (await server.app.request(url, { headers: { Authorization: 'Token all' } })).json()
  }
  expect(await get('user_id=ben')).toHaveLength(10)
  expect(await get('user_id=ben&page=2&page_size=4')).toMatchObject({
    count: 10,
    results: [{ user_id: 'ben' }, {}, {}, {}],
  })
  expect(await get('page=1')).toMatchObject({ code: 'no-entity' })
})

test('numbers come as text and fields of no value as null', async () => {
  const body = { filters: { user_id: 'ben' }, page: '2', page_size: '4', enable_graph: null, anything: null }
  const url = 'http://keepsake.test/compat/mem0/v2/memories/'
  const options = { method: 'POST', headers: { Authorization: 'Token all' }, body: JSON.stringify(body) }
  expect(await (await server.app.request(url, options)).json()).toMatchObject({
    count: 10,
    results: [{}, {}, {}, {}],
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { benchMem0, as, say } from './testing/mem0-client.ts'

const bench = benchMem0()

describe('search', () => {
  test('finds what bears on a question, with scores, best first', async () => {
    await bench.add(say('My sister Mia is allergic to peanuts.'), { userId: 'ana' })
    await bench.add(say('I painted the kitchen green.'), { userId: 'ana' })
    const { results } = await bench.client.search('What is Mia allergic to?', as('ana'))
    expect(results[0]?.memory).toMatch(/peanuts/)
    expect(results[0]?.userId).toBe('ana')
    const scores = results.map((one) => one.score ?? -1)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(
      (await bench.client.search('What is Mia allergic to?', { ...as('ana'), topK: 1 })).results,
    ).toHaveLength(1)
    expect(
      (await bench.client.search('Which ship sank in 1912?', { ...as('ana'), threshold: 0.9 })).results,
    ).toEqual([])
  })

  test('keeps people apart', async () => {
    await bench.add(say('My sister Mia is allergic to peanuts.'), { userId: 'ana' })
    await bench.add(say('My brother Tom is allergic to cats.'), { userId: 'ben' })
    const { results } = await bench.client.search('Who is allergic?', as('ben'))
    expect(results.map((one) => one.memory)).toEqual(expect.arrayContaining(await bench.textsOf('ben')))
    expect(results.every((one) => one.userId === 'ben')).toBe(true)
    expect(results.map((one) => one.memory).join(' ')).not.toContain('peanuts')
  })

  test.each([
    ['I have a dog called Bo.', 'dog', 'The user has a dog called Bo.'],
    ['我养了一只猫叫咪咪。', '猫', '用户养了一只猫叫咪咪。'],
  ])('puts a statement before the message that says it: %s', async (said, query, statement) => {
    await bench.add(say(said), { userId: 'ana' })
    await bench.add(say('My flat has a garden.'), { userId: 'ana' })
    const { results } = await bench.client.search(query, as('ana'))
    expect(results.slice(0, 2).map((one) => one.memory)).toEqual([statement, said])
    expect(results[0]?.score).toBe(results[1]?.score)
  })

  test('speaks Chinese', async () => {
    await bench.add(say('我妹妹米娅对花生过敏。'), { userId: '安娜' })
    await bench.add(say('我住在里昂。'), { userId: '安娜' })
    const { results } = await bench.client.search('米娅对什么过敏？', as('安娜'))
    expect(results[0]?.memory).toContain('花生')
    expect(results[0]?.userId).toBe('安娜')
  })

  test('finds at once what waits for its answer', async () => {
    await bench.add([...say('Hello.'), { role: 'assistant', content: 'I recommend the Museum of Fog.' }], {
      userId: 'ana',
    })
    const { results } = await bench.client.search('Which museum was recommended?', as('ana'))
    expect(results.map((one) => one.memory)).toContain('I recommend the Museum of Fog.')
  })
})

describe('filters', () => {
  beforeEach(async () => {
    await bench.add(say('I prefer tea.'), {
      userId: 'ana',
      agentId: 'barista',
      runId: 'r1',
      metadata: { topic: 'drinks', rank: 1 },
      infer: false,
    })
    await bench.add(say('I prefer trains.'), {
      userId: 'ana',
      agentId: 'travel',
      runId: 'r2',
      metadata: { topic: 'travel', rank: 2 },
      infer: false,
    })
    await bench.add(say('I prefer buses.'), { userId: 'ben', infer: false })
  })

  const cases: [string, object, string[]][] = [
    ['camel case', { userId: 'ana' }, ['I prefer tea.', 'I prefer trains.']],
    ['AND', { AND: [{ user_id: 'ana' }, { agent_id: 'travel' }] }, ['I prefer trains.']],
    ['OR', { OR: [{ user_id: 'ben' }, { agent_id: 'barista' }] }, ['I prefer buses.', 'I prefer tea.']],
    [
      'NOT',
      { AND: [{ user_id: '*' }, { NOT: [{ user_id: 'ben' }] }] },
      ['I prefer tea.', 'I prefer trains.'],
    ],
    ['*', { AND: [{ user_id: '*' }, { agent_id: '*' }] }, ['I prefer tea.', 'I prefer trains.']],
    ['in', { user_id: { in: ['ana', 'ben'] }, run_id: { in: ['r1'] } }, ['I prefer tea.']],
    ['an agent alone', { agent_id: 'travel' }, ['I prefer trains.']],
    ['metadata', { user_id: 'ana', metadata: { topic: 'drinks' } }, ['I prefer tea.']],
    ['metadata by operator', { user_id: 'ana', metadata: { rank: { gte: 2 } } }, ['I prefer trains.']],
    ['keywords', { user_id: 'ana', keywords: { icontains: 'TRAIN' } }, ['I prefer trains.']],
    ['dates', { user_id: 'ana', created_at: { lt: '2001-01-01' } }, []],
    ['categories, which there are none of', { user_id: 'ana', categories: { contains: 'x' } }, []],
  ]
  test.each(cases)('understands %s', async (_name, filters, expected) => {
    const listed = await bench.client.getAll({ filters })
    expect(listed.results.map((one) => one.memory ?? '').sort()).toEqual(expected)
    expect(listed.count).toBe(expected.length)
    const found = await bench.client.search('What is preferred?', { filters, topK: 50 })
    expect(found.results.map((one) => one.memory ?? '').sort()).toEqual(expected)
  })

  test('gives names, run and metadata back', async () => {
    const [memory] = (await bench.client.getAll({ filters: { run_id: 'r1', user_id: 'ana' } })).results
    expect(memory).toMatchObject({
      userId: 'ana',
      agentId: 'barista',
      appId: null,
      runId: 'r1',
      categories: [],
    })
    expect(memory?.metadata).toEqual({ topic: 'drinks', rank: 1 })
  })

  test('refuses those that name nobody, and words it does not know', async () => {
    await expect(bench.client.getAll({})).rejects.toThrow(/at least one of user_id/)
    await expect(bench.client.getAll({ filters: {} })).rejects.toThrow(/at least one of user_id/)
    await expect(bench.client.search('x', { filters: { metadata: { a: 1 } } })).rejects.toThrow(
      /at least one of user_id/,
    )
    await expect(bench.client.getAll({ filters: { user_id: 'ana', colour: 'red' } })).rejects.toThrow(
      /filters.colour is no field/,
    )
    await expect(bench.client.getAll({ filters: { user_id: { like: 'a' } } })).rejects.toThrow(
      /filters.user_id.like is no operator/,
    )
    await expect(bench.client.search(' ', as('ana'))).rejects.toThrow(/body.query: must not be empty/)
  })
})

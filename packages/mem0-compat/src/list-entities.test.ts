import { beforeEach, describe, expect, test } from 'vitest'
import { benchMem0, say } from './testing/mem0-client.ts'

const bench = benchMem0()

describe('entities', () => {
  beforeEach(async () => {
    await bench.add(say('I like tea.'), {
      userId: 'ana',
      agentId: 'barista',
      runId: 'r1',
      metadata: { a: 1 },
      infer: false,
    })
    await bench.add(say('I like rum.'), { userId: 'ben', infer: false })
    await bench.add(say('The bot is polite.'), { agentId: 'bot', infer: false })
  })

  test('are listed by type with their counts', async () => {
    const { count, results, next } = await bench.client.users()
    expect(results.map(({ type, name, totalMemories }) => [type, name, totalMemories])).toEqual([
      ['user', 'ana', 1],
      ['user', 'ben', 1],
      ['agent', 'barista', 1],
      ['agent', 'bot', 1],
      ['run', 'r1', 1],
    ])
    expect([count, next]).toEqual([5, null])
    expect((await bench.client.users({ page: 2, pageSize: 4 })).results.map((one) => one.name)).toEqual([
      'r1',
    ])
  })

  test('of an agent alone have memories of their own', async () => {
    const { results } = await bench.client.getAll({ filters: { agent_id: 'bot' } })
    expect(results.map(({ memory, userId, agentId }) => [memory, userId, agentId])).toEqual([
      ['The bot is polite.', null, 'bot'],
    ])
  })

  test('are erased for good, with all that is known of them', async () => {
    await bench.client.deleteUsers({ userId: 'ana' })
    expect((await bench.client.users()).results.map((one) => one.name)).toEqual(['ben', 'bot'])
    expect(await bench.server.keepsake.scopes({ user: 'ana' })).toEqual([])
    await bench.client.deleteUsers({ agentId: 'bot' })
    expect((await bench.client.users()).results.map((one) => one.name)).toEqual(['ben'])
    await bench.client.deleteUsers()
    expect((await bench.client.users()).results).toEqual([])
    for (const collection of ['mem0-ids', 'mem0-runs'])
      expect(await bench.server.keepsake.records.listRecords({ collection })).toEqual([])
    await expect(bench.client.deleteUsers({ userId: 'ana' })).rejects.toThrow(/no such user/)
  })

  test('lose a run and keep the rest', async () => {
    await bench.add(say('I like milk.'), { userId: 'ana', agentId: 'barista', runId: 'r2', infer: false })
    await bench.client.deleteUsers({ runId: 'r1' })
    expect(await bench.textsOf('ana')).toEqual(['I like milk.'])
  })
})

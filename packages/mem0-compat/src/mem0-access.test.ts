import { describe, expect, test } from 'vitest'
import { benchMem0, as, AuthenticationError, MemoryNotFoundError, say } from './testing/mem0-client.ts'

const bench = benchMem0()

describe('access', () => {
  test('needs a key that is known', async () => {
    const stranger = bench.clientFor('nobody')
    await expect(stranger.ping()).rejects.toBeInstanceOf(AuthenticationError)
    await expect(stranger.add(say('Hi'), { userId: 'ana' })).rejects.toBeInstanceOf(AuthenticationError)
    expect(await bench.server.keepsake.scopes()).toEqual([])
    await expect(bench.client.ping()).resolves.toBeUndefined()
  })

  test('of one user sees and changes nobody else', async () => {
    const [bens] = await bench.add(say('I like rum.'), { userId: 'ben', infer: false })
    const id = bens?.id ?? ''
    const ana = bench.clientFor('ana')
    await ana.add(say('I like tea.'), { userId: 'ana' })
    await expect(ana.add(say('x'), { userId: 'ben' })).rejects.toBeInstanceOf(AuthenticationError)
    await expect(ana.add(say('x'), { agentId: 'bot' })).rejects.toBeInstanceOf(AuthenticationError)
    await expect(ana.getAll(as('ben'))).rejects.toBeInstanceOf(AuthenticationError)
    await expect(
      ana.search('rum', { filters: { OR: [{ user_id: 'ana' }, { user_id: 'ben' }] } }),
    ).rejects.toBeInstanceOf(AuthenticationError)
    const everybody = await ana.search('rum', { filters: { user_id: '*' } })
    expect(everybody.results.every((one) => one.userId === 'ana')).toBe(true)
    for (const ask of [
      () => ana.get(id),
      () => ana.update(id, { text: 'x' }),
      () => ana.delete(id),
      () => ana.history(id),
    ])
      await expect(ask()).rejects.toBeInstanceOf(MemoryNotFoundError)
    expect((await ana.users()).results.map((one) => one.name)).toEqual(['ana'])
    await expect(ana.deleteUsers({ userId: 'ben' })).rejects.toThrow(/does not allow/)
    expect(await bench.textsOf('ben')).toEqual(['I like rum.'])
  })

  test('that only reads changes nothing, and one that may not erase does not', async () => {
    const [tea] = await bench.add(say('I like tea.'), { userId: 'ana', infer: false })
    const id = tea?.id ?? ''
    const reader = bench.clientFor('reader')
    expect(await bench.textsOf('ana', reader)).toEqual(['I like tea.'])
    for (const ask of [
      () => reader.add(say('x'), { userId: 'ana' }),
      () => reader.update(id, { text: 'x' }),
      () => reader.delete(id),
      () => reader.deleteAll({ userId: 'ana' }),
      () => reader.batchDelete([id]),
      () => reader.feedback({ memoryId: id }),
    ])
      await expect(ask()).rejects.toBeInstanceOf(AuthenticationError)
    await expect(bench.clientFor('writer').deleteUsers({ userId: 'ana' })).rejects.toThrow(
      /does not allow .+erase/,
    )
    expect(await bench.textsOf('ana')).toEqual(['I like tea.'])
  })

  test('of one tenant means that tenant', async () => {
    await bench.clientFor('acme').add(say('I like tea.'), { userId: 'ana', infer: false })
    expect(await bench.textsOf('ana')).toEqual([])
    expect(await bench.textsOf('ana', bench.clientFor('acme'))).toEqual(['I like tea.'])
    bench.client.headers['X-Keepsake-Tenant'] = 'acme'
    expect(await bench.textsOf('ana')).toEqual(['I like tea.'])
  })
})

test('says what of Mem0 it does not do', async () => {
  for (const ask of [
    bench.client.createMemoryExport({ schema: {}, filters: {} }),
    bench.client.getWebhooks(),
    bench.client.getProfile({ entityId: 'ana' }),
  ])
    await expect(ask).rejects.toThrow(/REST routes offer exports, persona, portrait and webhooks/)
})

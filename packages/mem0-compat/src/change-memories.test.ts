import { describe, expect, test } from 'vitest'
import { benchMem0, as, MemoryNotFoundError, mem0, say } from './testing/mem0-client.ts'

const bench = benchMem0()

describe('one memory', () => {
  test('is got, corrected and deleted, and its history tells', async () => {
    const results = await bench.add(say('I live in Lyon.'), { userId: 'ana' })
    const { id } = results.find((one) => one.data.memory === 'The user lives in Lyon.') ?? { id: '' }
    expect(await bench.client.get(id)).toMatchObject({ id, memory: 'The user lives in Lyon.', userId: 'ana' })
    const updated = await bench.client.update(id, { text: 'The user lives in Lyon, near the river.' })
    expect(updated).toMatchObject({ id, memory: 'The user lives in Lyon, near the river.' })
    expect((await bench.client.get(id)).memory).toBe('The user lives in Lyon, near the river.')
    expect(await bench.client.delete(id)).toEqual({ message: 'Memory deleted successfully!' })
    await expect(bench.client.get(id)).rejects.toBeInstanceOf(MemoryNotFoundError)
    await expect(bench.client.delete(id)).rejects.toBeInstanceOf(MemoryNotFoundError)
    const history = await bench.client.history(id)
    expect(history.map(({ event, oldMemory, newMemory }) => [event, oldMemory, newMemory])).toEqual([
      ['ADD', null, 'The user lives in Lyon.'],
      ['UPDATE', 'The user lives in Lyon.', 'The user lives in Lyon, near the river.'],
      ['DELETE', 'The user lives in Lyon, near the river.', null],
    ])
    expect(history.every((row) => row.memoryId === id && row.userId === 'ana')).toBe(true)
    expect(history[0]?.input).toEqual([{ role: 'user', content: 'I live in Lyon.' }])
  })

  test('keeps its id when its words were a message, which is never edited', async () => {
    const [first] = await bench.add(say('Ana takes window seats.'), {
      userId: 'ana',
      runId: 'r',
      metadata: { a: 1 },
      infer: false,
    })
    const id = first?.id ?? ''
    await bench.client.update(id, { text: 'Ana takes aisle seats.' })
    await bench.client.update(id, { text: 'Ana takes any seat.' })
    expect(await bench.client.get(id)).toMatchObject({
      id,
      memory: 'Ana takes any seat.',
      runId: 'r',
      metadata: { a: 1 },
    })
    expect(await bench.textsOf('ana')).toEqual(['Ana takes any seat.'])
    const { results } = await bench.client.search('Which seat does Ana take?', as('ana'))
    expect(results.map(({ id: found, memory }) => [found, memory])).toEqual([[id, 'Ana takes any seat.']])
    const history = await bench.client.history(id)
    expect(history.map(({ event, newMemory }) => [event, newMemory])).toEqual([
      ['ADD', 'Ana takes window seats.'],
      ['UPDATE', 'Ana takes aisle seats.'],
      ['UPDATE', 'Ana takes any seat.'],
    ])
    await bench.client.delete(id)
    expect(await bench.textsOf('ana')).toEqual([])
    expect((await bench.client.search('Which seat does Ana take?', as('ana'))).results).toEqual([])
  })

  test('is not doubled by updates at the same time', async () => {
    const [first] = await bench.add(say('Ana takes window seats.'), { userId: 'ana', infer: false })
    const id = first?.id ?? ''
    await Promise.all(['one', 'two', 'three'].map((text) => bench.client.update(id, { text })))
    expect((await bench.client.getAll(as('ana'))).results.map((one) => one.id)).toEqual([id])
  })

  test('has its metadata set', async () => {
    const [first] = await bench.add(say('Ana keeps bees.'), {
      userId: 'ana',
      metadata: { a: 1 },
      infer: false,
    })
    await bench.client.update(first?.id ?? '', { metadata: { b: 2 } })
    expect((await bench.client.get(first?.id ?? '')).metadata).toEqual({ b: 2 })
    await expect(bench.client.update(first?.id ?? '', { expirationDate: '2030-01-01' })).rejects.toThrow(
      /expiration_date/,
    )
    await expect(bench.client.update(first?.id ?? '', { timestamp: 1 })).rejects.toThrow(/timestamp/)
  })

  test('takes feedback', async () => {
    const [first] = await bench.add(say('Ana keeps bees.'), { userId: 'ana', infer: false })
    const memoryId = first?.id ?? ''
    const answer = await bench.client.feedback({
      memoryId,
      feedback: mem0.Feedback.NEGATIVE,
      feedbackReason: 'Wasps.',
    })
    expect(answer.message).toMatch(/noted/)
    const wanted = await bench.client.getAll({ filters: { user_id: 'ana', feedback: 'NEGATIVE' } })
    expect(wanted.results.map((one) => one.id)).toEqual([memoryId])
  })

  test('that nobody knows is not found, in any way', async () => {
    await bench.add(say('I live in Lyon.'), { userId: 'ana' })
    const id = '01890000-0000-7000-8000-000000000000'
    for (const ask of [
      () => bench.client.get(id),
      () => bench.client.update(id, { text: 'x' }),
      () => bench.client.delete(id),
      () => bench.client.history(id),
      () => bench.client.feedback({ memoryId: id }),
      () => bench.client.batchDelete([id]),
      () => bench.client.get("1' OR '1'='1"),
      () => bench.client.get('../../v1/entities'),
    ])
      await expect(ask()).rejects.toBeInstanceOf(MemoryNotFoundError)
  })

  test('made through another context is found by its id alone', async () => {
    const scope = bench.server.keepsake.scope({ user: 'cleo' })
    await scope.remember({ role: 'user', text: 'I live in Rome.' })
    await scope.drain()
    const [memory] = await scope.memories({ forms: ['fact'] })
    expect(await bench.client.get(memory?.id ?? '')).toMatchObject({
      memory: 'The user lives in Rome.',
      userId: 'cleo',
    })
  })
})

describe('many', () => {
  test('are listed in pages', async () => {
    for (const word of ['one', 'two', 'three', 'four', 'five'])
      await bench.add(say(`Note ${word}.`), { userId: 'ana', infer: false })
    const seen: string[] = []
    for (let page = 1; page <= 3; page += 1) {
      const found = await bench.client.getAll({ ...as('ana'), page, pageSize: 2 })
      expect(found.count).toBe(5)
      expect(found.next === null).toBe(page === 3)
      expect(found.previous === null).toBe(page === 1)
      seen.push(...found.results.map((one) => one.memory ?? ''))
    }
    expect(seen).toEqual(['Note five.', 'Note four.', 'Note three.', 'Note two.', 'Note one.'])
    await expect(bench.client.getAll({ ...as('ana'), page: 0 })).rejects.toThrow(/query.page/)
    expect((await bench.client.getAll({ ...as('ana'), page: 9, pageSize: 2 })).results).toEqual([])
  })

  test('are updated and deleted at once, or not at all', async () => {
    const ids: string[] = []
    for (const word of ['one', 'two'])
      ids.push((await bench.add(say(`Note ${word}.`), { userId: 'ana', infer: false }))[0]?.id ?? '')
    const [one = '', two = ''] = ids
    expect(
      await bench.client.batchUpdate([
        { memoryId: one, text: 'Note 1.' },
        { memoryId: two, text: 'Note 2.' },
      ]),
    ).toEqual({
      message: 'Successfully updated 2 memories',
    })
    expect((await bench.textsOf('ana')).sort()).toEqual(['Note 1.', 'Note 2.'])
    await expect(bench.client.batchDelete([one, 'nobody'])).rejects.toBeInstanceOf(MemoryNotFoundError)
    expect(await bench.textsOf('ana')).toHaveLength(2)
    expect(await bench.client.batchDelete(ids)).toEqual({ message: 'Successfully deleted 2 memories' })
    expect(await bench.textsOf('ana')).toEqual([])
  })

  test('of one user, agent or run are deleted, with what waits, and no others', async () => {
    await bench.add([...say('I live in Lyon.'), { role: 'assistant', content: 'Lyon has two rivers.' }], {
      userId: 'ana',
      runId: 'one',
    })
    await bench.add(say('I like tea.'), { userId: 'ana', runId: 'two' })
    await bench.add(say('I like rum.'), { userId: 'ben' })
    await bench.client.deleteAll({ userId: 'ana', runId: 'one' })
    expect((await bench.textsOf('ana')).sort()).toEqual(['The user likes tea.'])
    expect(
      (await bench.client.search('How many rivers has Lyon?', as('ana'))).results.map((one) => one.memory),
    ).not.toContain('Lyon has two rivers.')
    expect(await bench.client.deleteAll({ userId: 'ana' })).toEqual({
      message: 'Memories deleted successfully!',
    })
    expect(await bench.textsOf('ana')).toEqual([])
    expect(await bench.textsOf('ben')).toEqual(['The user likes rum.'])
    await expect(bench.client.deleteAll()).rejects.toThrow(/at least one of user_id/)
  })
})

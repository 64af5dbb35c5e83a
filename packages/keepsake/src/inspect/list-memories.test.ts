import { describe, expect, it } from 'vitest'
import { NotFoundError } from '../errors/errors.ts'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import { NOW, openEngine, resolvedIn, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import { listMemories, requireMemory, type MemoryFilter } from './list-memories.ts'
import { readPortrait, readStory } from './read-portrait.ts'

async function open() {
  const place = await openEngine()
  await storeTurns(place, { text: 'I keep bees.' })
  await storeMemories(
    place,
    makeMemory({ id: 'said', text: '', evidence: [{ turn: 't1', quote: null }] }),
    makeFact({ id: 'fact', session: 's2', key: 'hobbies', value: 'bees', validFrom: NOW - 5 }),
    makeFact({ id: 'gone', status: 'deleted', type: 'relationship' }),
  )
  return { ...place, resolved: resolvedIn(place) }
}

describe('listing memories', () => {
  async function listed(filter: MemoryFilter) {
    const { engine, resolved } = await open()
    return (await listMemories(engine, resolved, filter)).map(({ id }) => id)
  }

  it.each<[MemoryFilter, string[]]>([
    [{}, ['fact']],
    [{ statuses: ['deleted'] }, ['gone']],
    [{ statuses: ['live', 'deleted'] }, ['said', 'fact', 'gone']],
    [{ forms: ['fact'] }, ['fact']],
    [{ forms: ['utterance'], types: ['event'] }, ['said']],
    [{ types: ['event', 'persona'] }, ['fact']],
    [{ ids: ['said', 'fact'] }, ['said', 'fact']],
    [{ types: [] }, []],
    [{ session: 's2' }, ['fact']],
    [{ forms: ['fact'], statuses: ['deleted'], types: ['relationship'] }, ['gone']],
  ])('of %j', async (filter, expected) => {
    expect(await listed(filter)).toEqual(expected)
  })

  describe('made in the order a, b, c, d, e and learned in another', () => {
    async function listedOf(filter: MemoryFilter): Promise<string> {
      const place = await openEngine()
      await storeMemories(
        place,
        makeFact({ id: 'a', learnedAt: 50, metadata: { kind: 'odd' }, text: 'Keeps BEES.' }),
        makeFact({ id: 'b', learnedAt: 10, validUntil: 200 }),
        makeFact({ id: 'c', learnedAt: 40, validUntil: 100, metadata: { kind: 'odd' } }),
        makeFact({ id: 'd', learnedAt: 40, metadata: { kind: 'even' } }),
        makeFact({ id: 'e', learnedAt: 0 }),
      )
      return (await listMemories(place.engine, resolvedIn(place), filter)).map(({ id }) => id).join('')
    }
    const where = { path: 'kind', exists: true } as const

    it.each<[MemoryFilter, string]>([
      [{}, 'abcde'],
      [{ order: 'learned' }, 'ebcda'],
      [{ newestFirst: true }, 'adcbe'],
      [{ order: 'made', newestFirst: true }, 'edcba'],
      [{ order: 'learned', after: 'c' }, 'da'],
      [{ newestFirst: true, after: 'd', limit: 2 }, 'cb'],
      [{ after: 'c' }, 'de'],
      [{ after: 'nobody' }, ''],
      [{ skip: 1, limit: 2 }, 'bc'],
      [{ skip: 5, limit: 2 }, ''],
      [{ skip: 1, limit: 1, where }, 'c'],
      [{ where, order: 'learned', skip: 1 }, 'da'],
      [{ where, after: 'a', skip: 1, limit: 1 }, 'd'],
      [{ where: { path: 'kind', is: 'odd' } }, 'ac'],
      [{ validAt: 99 }, 'abcde'],
      [{ validAt: 100 }, 'abde'],
      [{ learnedFrom: 10, learnedTo: 40, validAt: 150 }, 'bd'],
      [{ learnedTo: 0 }, 'e'],
      [{ contains: 'bees' }, 'a'],
      [{ limit: 0 }, ''],
    ])('are listed by %j', async (filter, expected) => {
      expect(await listedOf(filter)).toBe(expected)
    })
  })

  it('gives utterances the words of their turns', async () => {
    const { engine, resolved } = await open()
    expect((await listMemories(engine, resolved, { forms: ['utterance'] }))[0]?.text).toBe('I keep bees.')
  })

  it('of nobody is empty', async () => {
    expect(await listMemories((await open()).engine, null, {})).toEqual([])
  })
})

describe('one memory', () => {
  it('has the words of its turns', async () => {
    const { engine, resolved } = await open()
    expect((await requireMemory(engine, resolved, 'said')).text).toBe('I keep bees.')
  })

  it('must be in the scopes that are asked', async () => {
    const { engine, row, resolved } = await open()
    const bot = await engine.store.ensureScope({ ...row, agent: 'bot' })
    const missing = new NotFoundError('memory', 'fact')
    await expect(requireMemory(engine, null, 'fact')).rejects.toThrow(missing)
    await expect(requireMemory(engine, resolvedIn({ engine, row: bot }), 'fact')).rejects.toThrow(missing)
    await expect(requireMemory(engine, resolved, 'x')).rejects.toThrow(new NotFoundError('memory', 'x'))
  })
})

describe('the portrait', () => {
  it('has its versions, oldest first, and the newest as it is now', async () => {
    const { engine, row, resolved } = await open()
    expect(await readPortrait(engine, resolved)).toEqual({ current: null, versions: [] })
    const version = (id: string, validFrom: number) => makeMemory({ id, form: 'portrait', validFrom })
    await storeMemories({ engine, row }, version('b', 20), version('a', 10))
    const { current, versions } = await readPortrait(engine, resolved)
    expect([current?.id, versions.map(({ id }) => id)]).toEqual(['b', ['a', 'b']])
  })
})

describe('the story', () => {
  it('is told from its highest level down, with the sessions’ summaries last', async () => {
    const { engine, row, resolved } = await open()
    const unit = (id: string, level: number) => makeMemory({ id, form: 'story', level, text: id })
    const summary = makeMemory({ id: 'summary', form: 'summary', text: 'summary' })
    await storeMemories({ engine, row }, unit('a', 1), summary, unit('c', 2), unit('b', 1), unit('d', 3))
    const story = await readStory(engine, resolved)
    expect(story.map(({ level, units }) => [level, units.map(({ id }) => id)])).toEqual([
      [3, ['d']],
      [2, ['c']],
      [1, ['a', 'b']],
      [0, ['summary']],
    ])
    expect(await readStory(engine, null)).toEqual([])
  })
})

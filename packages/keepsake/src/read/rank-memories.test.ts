import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import { embedBy } from '../models/embedding-fixture.ts'
import type { RerankingModel } from '../models/model-ports.ts'
import { keepsake, naiveRag } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import { HYBRID } from '@keepsake/search'
import { NOW, openEngine, readTo, storeMemories, storeTurns, type TestScope } from '../work/engine-fixture.ts'
import type { RecallQuery } from './query.ts'
import { rankMemories } from './rank.ts'
import { requestIn } from './recall-fixture.ts'

const DAY = 86_400_000
const embedding = embedBy({ boat: [1, 0] })
const open = (preset: Partial<Preset> = {}) => openEngine({ preset: { ...keepsake(), ...preset }, embedding })
const boat = (id: string, traits: MemoryTraits = {}) =>
  makeFact({ id, text: 'The user has a boat.', learnedAt: NOW, ...traits })

async function rank(place: TestScope, traits: Partial<RecallQuery> = {}) {
  const { memories } = await rankMemories(requestIn(place, { text: 'What of my boat?', ...traits }))
  return memories
}
const ids = async (...given: Parameters<typeof rank>) => (await rank(...given)).map(({ memory }) => memory.id)

describe('what is over', () => {
  async function parts(validUntil: number, query: Partial<RecallQuery> = {}) {
    const place = await open()
    await storeMemories(place, boat('b', { validUntil, learnedAt: NOW - 9 * DAY }))
    const [found] = await rank(place, query)
    const { ended, ...others } = found?.parts ?? {}
    const plain = Object.values(others).reduce((sum, part) => sum + part, 0)
    expect(plain).toBeGreaterThan(1)
    return { ended, plain, score: found?.score }
  }

  it('loses a quarter of its score, and says so', async () => {
    const { ended, plain, score } = await parts(NOW - DAY)
    expect(ended).toBeCloseTo(-plain / 4, 9)
    expect(score).toBeCloseTo(plain * 0.75, 9)
  })

  it('is what ended by the moment of asking, or by the time that is asked about', async () => {
    expect((await parts(NOW)).ended).toBeLessThan(0)
    expect((await parts(NOW + 1)).ended).toBeUndefined()
    expect((await parts(NOW, { asOf: NOW - 1 })).ended).toBeUndefined()
    expect((await parts(NOW, { asOf: NOW })).ended).toBeLessThan(0)
  })

  it.each(['What of the boat I had before?', 'What of my boat in February?'])(
    'loses nothing when the question is of the past: %j',
    async (text) => {
      expect((await parts(NOW - DAY, { text })).ended).toBeUndefined()
    },
  )

  it('stands behind what is still so', async () => {
    const place = await open()
    await storeMemories(
      place,
      boat('over', { validUntil: NOW }),
      boat('so', { text: 'The user owns a boat.' }),
    )
    expect(await ids(place)).toEqual(['so', 'over'])
    await storeMemories(place, boat('still', { text: 'The user paints a boat.' }))
    expect((await ids(place)).at(-1)).toBe('over')
  })
})

describe('the words of what is over', () => {
  const said = (id: string, turn: string) =>
    makeMemory({ id, form: 'utterance', text: '', evidence: [{ turn, quote: null }] })

  async function ranked(text: string) {
    const place = await open()
    await storeTurns(
      place,
      { text: 'My boat is a blue dinghy, my boat lies in Dover.' },
      { text: 'She lies in Hull since Monday.' },
    )
    const lies = { key: 'mooring', subject: 'user' } as const
    await storeMemories(
      place,
      said('first', 't1'),
      said('then', 't2'),
      boat('was', {
        ...lies,
        text: 'The boat lies in Dover.',
        validUntil: NOW,
        evidence: [{ turn: 't1', quote: null }],
      }),
      boat('is', { ...lies, text: 'The boat lies in Hull.', evidence: [{ turn: 't2', quote: null }] }),
    )
    return rank(place, { text })
  }
  const idsOf = (found: Awaited<ReturnType<typeof ranked>>) => found.map(({ memory }) => memory.id)

  it('stand behind the statement that came in its place', async () => {
    const found = idsOf(await ranked('Where does my boat lie?'))
    expect(found).toContain('first')
    expect(found.indexOf('is')).toBeLessThan(found.indexOf('first'))
  })

  it('stand where they match when the question is of the past', async () => {
    expect(idsOf(await ranked('Where did my boat lie before?'))[0]).toBe('first')
  })

  it.each(['Where does my boat lie?', 'Where did my boat lie before?'])(
    'are marked as such: %s',
    async (text) => {
      const marked = (await ranked(text)).filter(({ changed }) => changed !== undefined)
      expect(idsOf(marked)).toEqual(['first'])
    },
  )
})

describe('what is found', () => {
  it('is of the types and forms that are asked for', async () => {
    const place = await open()
    await storeTurns(place, { text: 'I have a boat.' }, { text: 'A boat, you say?', role: 'assistant' })
    const said = { form: 'utterance', text: '', evidence: [{ turn: 't1', quote: null }] } as const
    await storeMemories(
      place,
      boat('persona'),
      boat('event', { type: 'event' }),
      makeMemory({ id: 'said', ...said }),
    )
    await readTo(place, { utterances: 1 })
    const found = async (traits: Partial<RecallQuery>) => (await ids(place, traits)).toSorted()
    expect(await found({})).toEqual(['event', 'pending:t2', 'persona', 'said'])
    expect(await found({ types: ['persona'] })).toEqual(['persona'])
    expect(await found({ types: ['event'] })).toEqual(['event', 'pending:t2', 'said'])
    expect(await found({ forms: ['fact'] })).toEqual(['event', 'persona'])
    expect(await found({ forms: ['utterance'] })).toEqual(['pending:t2', 'said'])
    expect(await found({ types: ['event'], forms: ['fact'] })).toEqual(['event'])
    expect(await found({ types: ['relationship'] })).toEqual([])
  })

  it('is as many as are asked for, or as a recall counts when that is more', async () => {
    const place = await open({ use: { limit: 10, first: 1, second: 2, reinforce: true } })
    await storeMemories(place, ...['a', 'b', 'c', 'd', 'e'].map((id) => boat(id)))
    expect(await rank(place, { limit: 1 })).toHaveLength(3)
    expect(await rank(place, { limit: 4 })).toHaveLength(4)
    expect(await rank(place, { limit: 9 })).toHaveLength(5)
  })

  it('is of the scopes that are asked, and of the time that is asked about', async () => {
    const place = await open()
    const { engine } = place
    const other = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
    await storeMemories(place, boat('mine'), boat('later', { learnedAt: NOW + DAY }))
    await storeMemories({ engine, row: other }, boat('theirs'))
    expect((await ids(place)).toSorted()).toEqual(['later', 'mine'])
    expect(await ids(place, { asOf: NOW })).toEqual(['mine'])
  })

  it('is sought among two hits for each memory that is wanted, and twenty more', async () => {
    const rounds = async (count: number) => {
      const place = await open()
      await storeTurns(place, ...Array.from({ length: count }, () => ({ text: 'My boat, my boat.' })))
      const evidence = Array.from({ length: count }, (_, at) => ({ turn: `t${at + 1}`, quote: null }))
      await storeMemories(
        place,
        makeMemory({ id: 'said', text: '', evidence }),
        boat('fact', { text: 'It floats, the boat.' }),
      )
      await readTo(place, { utterances: count })
      return ids(place, { limit: 2 })
    }
    expect(await rounds(23)).toEqual(['said', 'fact'])
    expect(await rounds(24)).toEqual(['said'])
  })

  it('comes with the sessions that bear on the question, and how sure it is', async () => {
    const place = await open()
    await storeTurns(
      place,
      { text: 'I have a boat.', session: 'one' },
      { text: 'I bake bread.', session: 'two' },
    )
    const ranking = await rankMemories(requestIn(place, { text: 'What of my boat?' }))
    expect(ranking.sessions[0]).toEqual({ session: 'one', score: ranking.sessions[0]?.score })
    expect(ranking.confidence).toBeGreaterThan(0.35)
    const unknown = await rankMemories(requestIn(place, { text: 'Which submarine did the mayor purchase?' }))
    expect(unknown.confidence).toBeLessThan(ranking.confidence)
  })

  it('is what was said on the day that the question means where it is asked', async () => {
    const place = await open()
    await storeTurns(place, { text: 'I painted the boat.', at: Date.UTC(2026, 2, 5, 10) })
    const time = async (timeZone: string | null) =>
      (await rank(place, { text: 'What did I paint yesterday?', timeZone }))[0]?.parts['time']
    // Of 5 March, which is yesterday in Auckland already.
    expect(await time('Pacific/Auckland')).toBe(1)
    expect(await time(null)).not.toBe(1)
  })

  it('is sooner what the asker said themself', async () => {
    const place = await open()
    await storeTurns(
      place,
      { text: 'The boat leaks a bit.', speaker: 'Mia' },
      { text: 'The boat leaks a bit.', speaker: 'Tom' },
    )
    const first = async (speaker: string) =>
      (await rank(place, { text: 'What did I say of the boat?', speaker }))[0]
    expect((await first('Mia'))?.memory.evidence).toEqual([{ turn: 't1', quote: null }])
    expect((await first('Tom'))?.memory.evidence).toEqual([{ turn: 't2', quote: null }])
  })
})

describe('how sure it is with a reranking model', () => {
  const sureBy = async (isProbability: boolean, relevance: number) => {
    const reranking: RerankingModel = {
      id: 'test/reranker',
      isProbability,
      rerank: async (_, texts) => texts.map(() => relevance),
    }
    const ranking = { kind: 'hybrid', recipe: HYBRID, rerank: 10 } as const
    const place = await openEngine({ preset: { ...keepsake(), ranking }, embedding, reranking })
    await storeMemories(place, boat('a'), boat('b'))
    return (await rankMemories(requestIn(place, { text: 'What of my boat?' }))).confidence
  }

  it('is heard where its scores are probabilities', async () => {
    expect(await sureBy(true, 0.98)).toBeGreaterThan(0.8)
    expect(await sureBy(true, 0.02)).toBeLessThan(0.3)
  })

  it('is not where they are on no fixed scale', async () => {
    expect(await sureBy(false, -9)).toBe(await sureBy(false, 12))
  })
})

describe('how it is ranked', () => {
  it('is by exact cosine where the preset says so', async () => {
    const { ranking } = naiveRag()
    const place = await open({ ranking })
    await storeMemories(place, boat('b'))
    expect((await rank(place))[0]).toMatchObject({ score: 1, parts: { cosine: 1, importance: 0 } })
  })

  it('is by exact cosine among the nearest two hundred', async () => {
    const place = await open({ ranking: naiveRag().ranking })
    await storeMemories(place, ...Array.from({ length: 201 }, (_, at) => boat(`boat ${at}`)))
    expect(await rank(place, { limit: 1_000 })).toHaveLength(200)
  })

  it('is by what waits alone where nothing is searched for', async () => {
    const place = await open({ ranking: { kind: 'whole' } })
    await storeMemories(place, boat('b'))
    await storeTurns(place, { text: 'I bake bread.' })
    expect(await ids(place)).toEqual(['pending:t1'])
  })
})

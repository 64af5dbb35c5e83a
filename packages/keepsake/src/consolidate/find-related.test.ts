import { describe, expect, it } from 'vitest'
import { answering, fact, segmentAnswer, shown } from '../../test/script-model.ts'
import { openForTest } from '../../test/open-for-test.ts'
import type { RelatedBudget } from '../extraction/extractor.ts'
import { makeFact, type MemoryTraits } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { embedBy } from '../models/embedding-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { findRelated } from './find-related.ts'

const AT = Date.parse('2024-03-04T18:00:00Z')

/** Facts that a turn can be full of. */
const TOLD = [
  'My cousin Aldous breeds alpacas near Arundel.',
  'My cousin Bettina plays the bassoon in Bremen.',
  'My cousin Caspar collects clarinets in Cadiz.',
  'My cousin Dorothea drives dumpers in Dundee.',
  'My cousin Edmund engraves emeralds in Essen.',
  'My cousin Felicity fences foils in Fribourg.',
]

describe('the memories a segment is shown', () => {
  it('hold what a request to forget names, whatever else its turn speaks of', async () => {
    let last = ''
    const model = answering({
      segment: (request) => {
        last = shown(request)
        const lines = [...last.matchAll(/^\[(\d+)\].*?: "(.*)"$/gm)]
        const memories = lines.flatMap(([, turn, text]) =>
          last.includes('Please forget') ? [] : [fact(text ?? '', Number(turn), text ?? '')],
        )
        return segmentAnswer(memories)
      },
      choose_meant: { turns: [], memories: [], names: [] },
    })
    const keepsake = await openForTest({ model, exchangesPerExtraction: 7 })
    const ana = keepsake.scope({ user: 'ana' })
    const turns = ['Tarek lent me money for the van.', ...TOLD]
    await ana.remember(
      turns.map((text, n) => ({ role: 'user' as const, text, at: AT + n * 1_000 })),
      { session: 'one' },
    )
    await ana.drain()
    const ask = `${TOLD.join(' ').replaceAll('My cousin ', '')} Please forget about the van.`
    await ana.remember({ role: 'user', text: ask, at: AT + 90_000_000 }, { session: 'two' })
    await ana.endSession('two')
    await ana.drain()
    expect(last).toContain('Please forget')
    expect(last.slice(0, last.indexOf('</memories>'))).toContain('Tarek lent me money')
  })
})

describe('findRelated', () => {
  const embedding = embedBy({ boat: [1, 0] })
  const fact = (id: string, text: string, learnedAt: number, traits: MemoryTraits = {}) =>
    makeFact({ id, text, learnedAt, ...traits })

  async function within(
    memories: readonly Memory[],
    said: string,
    budget: RelatedBudget = { most: 40, tokens: 900 },
    asked: string | null = null,
  ) {
    const place = await openEngine({ embedding })
    await storeMemories(place, ...memories)
    const segment = {
      scope: place.row.scope,
      session: 's1',
      sessionNumber: 1,
      round: 1,
      turns: [
        ...(asked === null ? [] : [makeTurn({ id: 'asked', role: 'assistant', text: asked })]),
        makeTurn({ text: said }),
      ],
    }
    return (await findRelated(place.engine, place.row, segment, budget)).map(({ id }) => id)
  }

  it('reads an answer with the question before it: what it changes may be named there alone', async () => {
    const known = [
      ...Array.from({ length: 30 }, (_, n) => fact(`f${n}`, `Crate ${n} of quinces came from Larne.`, n + 2)),
      fact('quay', 'The regatta at Sligo is in July.', 1),
    ]
    const budget = { most: 8, tokens: 900 }
    expect(await within(known, 'Put off till autumn.', budget)).not.toContain('quay')
    expect(await within(known, 'Put off till autumn.', budget, 'And the regatta at Sligo?')).toContain('quay')
  })

  it('shows all that is known while it fits, newest first', async () => {
    const known = [fact('b', 'The boat leaks.', 2), fact('a', 'Bees sting.', 1), fact('c', 'It rained.', 3)]
    expect(await within(known, 'Hello.')).toEqual(['c', 'b', 'a'])
  })

  it('prefers what shares a rare word to what was told lately', async () => {
    const many = Array.from({ length: 30 }, (_, n) => fact(`m${n}`, `The user painted wall ${n}.`, 100 + n))
    const known = [fact('zelda', 'Zelda owes the user a ladder.', 1), ...many]
    expect(await within(known, 'Zelda painted nothing.', { most: 3, tokens: 900 })).toContain('zelda')
  })

  it('shows what stands under the key that rules find, and what there is one of at a time', async () => {
    const many = Array.from({ length: 30 }, (_, n) => fact(`m${n}`, `The user painted wall ${n}.`, 100 + n))
    const known = [
      fact('tea', 'The user is fond of oolong.', 1, { key: 'likes', value: 'oolong' }),
      fact('home', 'The user has rooms by the harbour.', 2, { key: 'residence', value: 'the harbour' }),
      ...many,
    ]
    const shown = await within(known, 'I like marzipan. I painted a wall.', { most: 20, tokens: 900 })
    expect(shown).toContain('tea')
    expect(shown).toContain('home')
  })

  it('shows what was told together with what it finds, for that may hang on it', async () => {
    const many = Array.from({ length: 30 }, (_, n) => fact(`m${n}`, `The user painted wall ${n}.`, 100 + n))
    const evidence = [{ turn: 't9', quote: null }]
    const known = [
      fact('job', 'The user mends clocks at Brandt.', 1, { evidence }),
      fact('train', 'The commute takes an hour.', 2, { evidence }),
      ...many,
    ]
    expect(await within(known, 'Brandt closed.', { most: 34, tokens: 240 })).toEqual(
      expect.arrayContaining(['job', 'train']),
    )
  })

  it('has less room in a short segment', async () => {
    const many = Array.from({ length: 60 }, (_, n) => fact(`m${n}`, `The user painted wall ${n}.`, n))
    const budget = { most: 60, tokens: 1_200 }
    const short = await within(many, 'Hm.', budget)
    expect(short.length).toBeGreaterThan(15)
    expect(short.length).toBeLessThan(40)
  })

  it('keeps to its tokens and its number', async () => {
    const many = Array.from({ length: 30 }, (_, n) => fact(`m${n}`, `The user painted wall ${n}.`, n))
    expect(await within(many, 'Hm.', { most: 5, tokens: 900 })).toHaveLength(5)
    expect(await within(many, 'Hm.', { most: 40, tokens: 50 })).toHaveLength(5)
    expect(await within(many, 'Hm.', { most: 40, tokens: 0 })).toEqual([])
  })
})

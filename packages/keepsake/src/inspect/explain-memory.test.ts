import { describe, expect, it } from 'vitest'
import { NotFoundError } from '../errors/errors.ts'
import { judgingFacts } from '../forget/policy-fixture.ts'
import { makeFact, makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import { openEngine, resolvedIn, storeMemories } from '../work/engine-fixture.ts'
import { explainMemory } from './explain-memory.ts'

const ORIGIN = { preset: 'keepsake', step: 'pair/1', promptVersion: null, model: null }

/** What is said of a memory among two others, of which one says more and one says less. */
async function explain(traits: MemoryTraits = {}) {
  const place = await openEngine({ preset: judgingFacts({ when: 'never' }) })
  const memory = makeFact({
    id: 'm',
    text: 'aa',
    session: 's7',
    learnedAt: Date.UTC(2026, 2, 5, 23),
    origin: ORIGIN,
    ...traits,
  })
  await storeMemories(
    place,
    makeFact({ id: 'more', text: 'aaa' }),
    memory,
    makeFact({ id: 'less', text: 'a' }),
  )
  return explainMemory(place.engine, resolvedIn(place), 'm')
}

const sentence = async (at: number, traits?: MemoryTraits) => (await explain(traits)).sentences[at]

describe('explaining a memory', () => {
  it('tells all that there is to it', async () => {
    const explained = await explain()
    expect(explained).toEqual({
      memory: explained.memory,
      plain: 'Active. By strength it is number 2 of 3 memories.',
      sentences: [
        'Made by pair/1 of preset keepsake from session s7 on 2026-03-05. It rests on turn t1 (user-stated).',
        'Active. By strength it is number 2 of 3 memories.',
        'No recall has returned it yet.',
        'Kept: nothing is forgotten here. By wordiest: characters.',
      ],
      policy: { name: 'wordiest', formula: 'characters' },
      strength: { value: 2, parts: {} },
      rank: 2,
      of: 3,
      history: explained.history,
    })
    expect(explained.memory).toMatchObject({ id: 'm', text: 'aa' })
    expect(explained.history.map(({ kind }) => kind)).toEqual(['add'])
  })

  it.each<[MemoryTraits, string]>([
    [{ pinned: true }, 'Active. It is pinned, so it is never forgotten automatically.'],
    [{ form: 'summary' }, 'Active. A summary is never forgotten automatically.'],
    [{ form: 'summary', pinned: true }, 'Active. It is pinned, so it is never forgotten automatically.'],
    [{ status: 'deleted', reason: 'removed' }, 'Deleted: removed.'],
    [{ status: 'forgotten', reason: null }, 'Forgotten.'],
    [{ status: 'deleted', pinned: true }, 'Deleted.'],
  ])('says how it stands when it is %j', async (traits, expected) => {
    expect(await sentence(1, traits)).toBe(expected)
  })

  it.each([
    [1, 0, 'Recalls returned it 1 time among the first and 0 among the next.'],
    [0, 2, 'Recalls returned it 0 times among the first and 2 among the next.'],
    [3, 1, 'Recalls returned it 3 times among the first and 1 among the next.'],
  ])('says how it was used: %d and %d', async (first, second, expected) => {
    expect(await sentence(2, { use: { first, second } })).toBe(expected)
  })

  it('has no strength and rank of what the policy does not judge', async () => {
    const explained = await explain({ status: 'deleted' })
    expect([explained.strength, explained.rank, explained.of, explained.sentences.length]).toEqual([
      null,
      null,
      2,
      3,
    ])
  })

  it('needs a memory of the scopes that are asked', async () => {
    const place = await openEngine()
    await storeMemories(place, makeMemory({ id: 'm' }))
    await expect(explainMemory(place.engine, null, 'm')).rejects.toThrow(new NotFoundError('memory', 'm'))
    const without = { ...resolvedIn(place), rows: [] }
    await expect(explainMemory(place.engine, without, 'm')).rejects.toThrow('is not among those resolved')
  })
})

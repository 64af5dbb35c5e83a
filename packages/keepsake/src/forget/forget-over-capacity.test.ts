import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { NOW, openEngine, storedMemories, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import { forgetOverCapacity } from './forget-over-capacity.ts'
import type { Retention } from './policies/forgetting-policy.ts'
import { judgingFacts, wordiest } from './policy-fixture.ts'

const fact = (id: string, text: string) => ({ id, text })

/** Ids of what is left of facts of four, two and three characters, and how often the policy was asked. */
async function left(retention: Retention, suppressed: readonly string[] = []) {
  const policy = wordiest()
  const place = await openEngine({ preset: judgingFacts(retention, policy) })
  await storeMemories(
    place,
    ...[fact('four', 'aaaa'), fact('two', 'aa'), fact('three', 'aaa')].map(({ id, text }) =>
      makeFact({ id, text, ...(suppressed.includes(id) ? { use: { secondAt: 0 } } : {}) }),
    ),
  )
  await forgetOverCapacity(place.engine, place.row)
  const live = (await storedMemories(place)).filter(({ status }) => status === 'live')
  return [live.map(({ id }) => id), policy.moments.length]
}

const ALL = ['four', 'two', 'three']

describe('forgetOverCapacity', () => {
  it('lets the weakest go until the rest fits', async () => {
    expect(await left({ when: 'capacity', memories: 2 })).toEqual([['four', 'three'], 1])
    expect(await left({ when: 'capacity', characters: 8 })).toEqual([['four', 'three'], 1])
  })

  it('judges nothing while there is room for as many', async () => {
    expect(await left({ when: 'capacity', memories: 3 })).toEqual([ALL, 0])
  })

  it('judges nothing while there is room for as many characters', async () => {
    expect(await left({ when: 'capacity', characters: 9 })).toEqual([ALL, 0])
  })

  it('judges by characters whatever the number', async () => {
    expect(await left({ when: 'capacity', memories: 3, characters: 4 })).toEqual([['four'], 1])
  })

  it('judges nothing for what no policy may forget, however much of it there is', async () => {
    const policy = wordiest()
    const place = await openEngine({ preset: judgingFacts({ when: 'capacity', memories: 1 }, policy) })
    const exempt = ['a', 'b', 'c'].map((id) => makeFact({ id, form: 'summary' }))
    const raw = makeFact({ id: 'raw', form: 'story', level: 1, text: '' })
    await storeMemories(place, ...exempt, raw, makeFact({ id: 'one' }))
    await forgetOverCapacity(place.engine, place.row)
    expect(policy.moments).toEqual([])
    await storeMemories(place, makeFact({ id: 'two', text: 'more words' }))
    await forgetOverCapacity(place.engine, place.row)
    const live = (await storedMemories(place)).filter(({ status }) => status === 'live')
    expect([live.map(({ id }) => id), policy.moments.length]).toEqual([['a', 'b', 'c', 'raw', 'one'], 1])
  })

  it('lets more go than one transaction holds, and goes on where it was killed', async () => {
    const policy = wordiest()
    const place = await openEngine({ preset: judgingFacts({ when: 'capacity', memories: 20 }, policy) })
    const many = Array.from({ length: 350 }, (_, at) => makeFact({ id: `m${at}`, text: 'x'.repeat(at + 1) }))
    await storeMemories(place, ...many)
    const { store } = place.engine
    const commit = store.commit.bind(store)
    let commits = 0
    store.commit = (change, revision) => {
      commits += 1
      if (commits === 2) throw new Error('killed')
      return commit(change, revision)
    }
    await expect(forgetOverCapacity(place.engine, place.row)).rejects.toThrow('killed')
    await forgetOverCapacity(place.engine, place.row)
    const live = (await storedMemories(place)).filter(({ status }) => status === 'live')
    expect(live.map(({ id }) => id)).toEqual(many.slice(-20).map(({ id }) => id))
    expect(policy.moments.length).toBe(2)
  })

  it('halves the strength of what competed with what was retrieved', async () => {
    expect(await left({ when: 'capacity', memories: 2 }, ['four', 'three'])).toEqual([['four', 'two'], 1])
  })

  it('asks the policy what is so at this moment', async () => {
    const policy = wordiest()
    const place = await openEngine({ preset: judgingFacts({ when: 'capacity', memories: 0 }, policy) })
    await storeTurns(place, {}, { role: 'assistant' }, { session: 's2' })
    await storeMemories(place, makeFact({ id: 'one' }))
    await forgetOverCapacity(place.engine, place.row)
    expect(policy.moments).toMatchObject([{ session: 2, round: 2, now: NOW }])
  })

  it('does nothing without a capacity', async () => {
    expect(await left({ when: 'never' })).toEqual([ALL, 0])
    expect(await left({ when: 'session-end', keep: 0 })).toEqual([ALL, 0])
  })
})

import { describe, expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { openEngine, storeMemories, storeTurns, type TestScope } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import type { RecallQuery } from './query.ts'
import { listOpenSessions } from './rerank.ts'
import { requestIn } from './recall-fixture.ts'

/** Turns of the found, with their scores. */
async function talk(place: TestScope, traits: Partial<RecallQuery> = {}) {
  const { memories, ...rest } = await listOpenSessions(requestIn(place, { now: 9_000, ...traits }))
  expect(rest).toEqual({ sessions: [], confidence: 0, isNear: false })
  return memories.map(({ memory, score }) => [memory.evidence[0]?.turn, score])
}

describe('the latest talk', () => {
  it('is that of sessions that have not ended, newest first, up to the limit', async () => {
    const place = await openEngine()
    await storeTurns(
      place,
      { session: 'over', at: 1_000 },
      { session: 'on', at: 3_000 },
      { session: 'also', at: 2_000 },
      { session: 'on', at: 4_000 },
    )
    await decideAndCommit(place.engine, place.row, () => undefined, {
      endSessions: [{ session: 'over', at: 1 }],
    })
    expect(await talk(place)).toEqual([
      ['t4', 1],
      ['t2', 1 / 2],
      ['t3', 1 / 3],
    ])
    expect(await talk(place, { limit: 2 })).toEqual([
      ['t4', 1],
      ['t2', 1 / 2],
    ])
  })

  it('is told as turns that wait, each found by itself', async () => {
    const place = await openEngine()
    await storeTurns(place, { at: 1_000 })
    const { memories } = await listOpenSessions(requestIn(place, { now: 9_000 }))
    expect(memories).toEqual([
      {
        memory: expect.objectContaining({ id: 'pending:t1', label: 'user-stated' }),
        score: 1,
        parts: {},
        turns: new Map([['t1', 0]]),
        pending: true,
      },
    ])
  })

  it('leaves out what was dropped', async () => {
    const place = await openEngine()
    await storeTurns(place, { at: 1_000 }, { at: 2_000 })
    const gone = makeMemory({ id: 'gone', status: 'deleted', evidence: [{ turn: 't1', quote: null }] })
    await storeMemories(place, gone)
    expect(await talk(place)).toEqual([['t2', 1]])
  })
})

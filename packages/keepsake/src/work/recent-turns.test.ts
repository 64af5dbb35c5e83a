import { describe, expect, it } from 'vitest'
import type { Turn } from '../turns/turn.ts'
import { eraseMemories } from '../erase/erase-memories.ts'
import { recordTurns } from '../remember/record-turns.ts'
import type { Store } from '../stores/store.ts'
import { instead, openEngine, resolvedIn } from './engine-fixture.ts'
import { RecentTurns, turnsBetween } from './recent-turns.ts'

function turn(position: number, text = `turn ${position}`): Turn {
  const rest = {
    scope: 1,
    session: 's',
    role: 'user',
    speaker: null,
    timeZone: null,
    metadata: null,
  } as const
  return { ...rest, id: `t${position}`, position, text, at: position }
}

function turns(from: number, to: number): Turn[] {
  return Array.from({ length: to - from }, (_, index) => turn(from + index + 1))
}

function positions(found: readonly Turn[] | undefined): number[] | undefined {
  return found?.map(({ position }) => position)
}

describe('the latest turns of a scope', () => {
  it('are told where all positions that are asked for are known, and else not at all', () => {
    const recent = new RecentTurns()
    expect(recent.between(0, 1)).toBeUndefined()
    recent.take(4, 8, turns(4, 8))
    expect(positions(recent.between(5, 7))).toEqual([6, 7])
    expect(recent.between(3, 5)).toBeUndefined()
    expect(recent.between(7, 9)).toBeUndefined()
  })

  it('grow at both ends by what follows on, or overlaps', () => {
    const recent = new RecentTurns()
    recent.take(4, 6, turns(4, 6))
    recent.take(6, 7, turns(6, 7))
    recent.take(1, 5, turns(1, 5))
    expect(positions(recent.between(1, 7))).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('begin anew behind a gap, and take nothing from before one', () => {
    const recent = new RecentTurns()
    recent.take(4, 6, turns(4, 6))
    recent.take(7, 8, turns(7, 8))
    expect(recent.between(5, 8)).toBeUndefined()
    expect(positions(recent.between(7, 8))).toEqual([8])
    recent.take(2, 3, turns(2, 3))
    expect(recent.between(2, 3)).toBeUndefined()
    expect(positions(recent.between(7, 8))).toEqual([8])
  })

  it('leave out those that have no text any more, at places that are known all the same', () => {
    const recent = new RecentTurns()
    recent.take(0, 4, [turn(1), turn(4)])
    expect(positions(recent.between(1, 3))).toEqual([])
    expect(positions(recent.between(0, 4))).toEqual([1, 4])
  })

  it('are so many, and none of them is long', () => {
    const recent = new RecentTurns()
    recent.take(0, 500, turns(0, 500))
    expect(recent.size).toBe(128)
    expect(positions(recent.between(498, 500))).toEqual([499, 500])
    recent.take(500, 502, [turn(501, 'x'.repeat(10_000)), turn(502)])
    expect(recent.between(500, 502)).toBeUndefined()
    expect(positions(recent.between(501, 502))).toEqual([502])
  })
})

describe('the turns of a span', () => {
  it('are those that the store has, and are not read of it where they were just told', async () => {
    let reads = 0
    const around = (store: Store): Store =>
      instead(store, 'turns', (query) => {
        reads += 1
        return store.turns(query)
      })
    const { engine, row } = await openEngine({ around })
    const before = [
      { role: 'user', text: 'I keep bees.' },
      { role: 'agent', text: 'How many hives?' },
    ] as const
    await recordTurns(engine, row, before, {})
    await engine.caches.get(row.owner)
    const third = {
      role: 'user',
      text: 'Three, behind the barn.',
      at: 5,
      metadata: { from: 'chat' },
    } as const
    await recordTurns(engine, row, third, {})
    reads = 0
    const told = await turnsBetween(engine, row, { from: 2, to: 3 })
    expect(reads).toBe(0)
    expect(told).toEqual(
      await engine.store.turns({ owner: row.owner, scopes: [row.scope], afterPosition: 2 }),
    )
    await engine.worker.drain()
    engine.caches.drop(row.owner)
    await engine.caches.get(row.owner)
    reads = 0
    for (const once of [1, 1]) {
      expect(positions(await turnsBetween(engine, row, { from: 0, to: 3 }))).toEqual([1, 2, 3])
      expect(reads).toBe(once)
    }
  })

  it('are read anew once some of them were erased', async () => {
    const test = await openEngine()
    const { engine, row } = test
    await engine.caches.get(row.owner)
    await recordTurns(engine, row, { role: 'user', text: 'My locker is number 7.', id: 'locker' }, {})
    expect(await turnsBetween(engine, row, { from: 0, to: 1 })).toHaveLength(1)
    await eraseMemories(engine, resolvedIn(test), { turns: ['locker'] })
    await engine.caches.get(row.owner)
    expect(await turnsBetween(engine, row, { from: 0, to: 1 })).toEqual([])
  })
})

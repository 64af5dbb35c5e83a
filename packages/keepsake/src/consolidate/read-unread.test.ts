import { expect, it, vi } from 'vitest'
import { openEngine, readTo, storeTurns } from '../work/engine-fixture.ts'
import { readUnread } from './read-unread.ts'

const BRANCH = { kind: 'utterances', order: 'answer' } as const

async function read(most: number, to?: number, upTo?: number) {
  const place = await openEngine()
  await storeTurns(place, {}, {}, {})
  if (to !== undefined) await readTo(place, { utterances: to, facts: 3 })
  const { turns, ...unread } = await readUnread(place.engine, place.row, BRANCH, {
    most,
    ...(upTo === undefined ? {} : { upTo }),
  })
  return { ...unread, turns: turns.map(({ id }) => id) }
}

it('reads from where the branch got to, and says whether there may be more', async () => {
  expect(await read(9)).toEqual({ from: 0, turns: ['t1', 't2', 't3'], isFull: false, epoch: 0 })
  expect(await read(3)).toEqual({ from: 0, turns: ['t1', 't2', 't3'], isFull: true, epoch: 0 })
  expect(await read(2)).toEqual({ from: 0, turns: ['t1', 't2'], isFull: true, epoch: 0 })
  expect(await read(9, 1)).toEqual({ from: 1, turns: ['t2', 't3'], isFull: false, epoch: 0 })
  expect(await read(2, 1, 2)).toEqual({ from: 1, turns: ['t2'], isFull: false, epoch: 0 })
  expect(await read(9, 3)).toEqual({ from: 3, turns: [], isFull: false, epoch: 0 })
})

it('says as of which erasure it read', async () => {
  const place = await openEngine()
  const { owner } = place.row
  await storeTurns(place, {}, {})
  const target = { turns: ['t1'], memories: [] }
  await place.engine.store.erase({ id: 'e1', owner, at: 1, target, operations: [] })
  expect((await readUnread(place.engine, place.row, BRANCH, { most: 9 })).epoch).toBe(1)
})

it('looks for no turn where all are read', async () => {
  const place = await openEngine()
  await storeTurns(place, {}, {})
  await readTo(place, { utterances: 2 })
  await place.engine.users.load(place.row.owner)
  const turns = vi.spyOn(place.engine.store, 'turns')
  expect((await readUnread(place.engine, place.row, BRANCH, { most: 9 })).turns).toEqual([])
  expect(turns).not.toHaveBeenCalled()
})

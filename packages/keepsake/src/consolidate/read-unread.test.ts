import { expect, it } from 'vitest'
import { openEngine, readTo, storeTurns } from '../work/engine-fixture.ts'
import { readUnread } from './read-unread.ts'

const BRANCH = { kind: 'utterances', order: 'answer' } as const

async function read(limit: number, to?: number, upTo?: number) {
  const place = await openEngine()
  await storeTurns(place, {}, {}, {})
  if (to !== undefined) await readTo(place, { utterances: to, facts: 3 })
  const {
    turns,
    revision: _,
    ...unread
  } = await readUnread(place.engine, place.row, BRANCH, {
    limit,
    ...(upTo === undefined ? {} : { upTo }),
  })
  return { ...unread, turns: turns.map(({ id }) => id) }
}

it('reads from where the branch got to, and says whether there may be more', async () => {
  expect(await read(9)).toEqual({ from: 0, turns: ['t1', 't2', 't3'], isFull: false })
  expect(await read(3)).toEqual({ from: 0, turns: ['t1', 't2', 't3'], isFull: true })
  expect(await read(2)).toEqual({ from: 0, turns: ['t1', 't2'], isFull: true })
  expect(await read(9, 1)).toEqual({ from: 1, turns: ['t2', 't3'], isFull: false })
  expect(await read(2, 1, 2)).toEqual({ from: 1, turns: ['t2'], isFull: false })
  expect(await read(9, 3)).toEqual({ from: 3, turns: [], isFull: false })
})

it('says as of which revision it read', async () => {
  const place = await openEngine()
  await storeTurns(place, {}, {})
  const revision = await place.engine.store.revision(place.row.owner)
  expect((await readUnread(place.engine, place.row, BRANCH, { limit: 9 })).revision).toBe(revision)
})

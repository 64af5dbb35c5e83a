import { expect, it } from 'vitest'
import { makeTurn } from '../turns/turn-fixture.ts'
import { RecentTurns } from './recent-turns.ts'

const turns = (from: number, to: number, text = 'x') =>
  Array.from({ length: to - from }, (_, index) =>
    makeTurn({ id: `t${from + index + 1}`, position: from + index + 1, text }),
  )

const stretch = (from: number, to: number, text?: string) => ({
  after: from,
  upTo: to,
  turns: turns(from, to, text),
})

function positions(recent: RecentTurns, after: number, upTo: number, limit = 1_000): number[] | undefined {
  return recent.read(7, after, upTo, limit)?.map(({ position }) => position)
}

it('tells turns that are at hand up to the last, and nothing where one may be missing', () => {
  const recent = new RecentTurns()
  expect(positions(recent, 0, 2)).toBeUndefined()
  recent.put(7, stretch(2, 4))
  recent.put(7, stretch(4, 6))
  expect(positions(recent, 2, 6)).toEqual([3, 4, 5, 6])
  expect(positions(recent, 3, 6, 2)).toEqual([4, 5])
  expect(positions(recent, 6, 6)).toEqual([])
  expect(positions(recent, 1, 6)).toBeUndefined()
  expect(positions(recent, 4, 7)).toBeUndefined()
  expect(recent.read(8, 4, 6, 9)).toBeUndefined()
  expect(recent.size).toBe(4)
})

it('begins anew where a stretch does not go on from the last', () => {
  const recent = new RecentTurns()
  recent.put(7, stretch(0, 4))
  recent.put(7, stretch(8, 9))
  expect(positions(recent, 0, 9)).toBeUndefined()
  expect(positions(recent, 8, 9)).toEqual([9])
  expect(recent.size).toBe(1)
})

it('keeps no more than the latest, by number and by length', () => {
  const recent = new RecentTurns()
  recent.put(7, stretch(0, 300))
  expect(recent.size).toBe(100)
  expect(positions(recent, 199, 300)).toBeUndefined()
  expect(positions(recent, 200, 300)?.length).toBe(100)
  recent.put(7, stretch(300, 303, 'long'.repeat(2_000)))
  expect(positions(recent, 301, 303)).toEqual([302, 303])
  expect(positions(recent, 300, 303)).toBeUndefined()
  recent.put(7, stretch(303, 304, 'long'.repeat(20_000)))
  expect(positions(recent, 303, 304)).toBeUndefined()
  expect(positions(recent, 304, 304)).toEqual([])
})

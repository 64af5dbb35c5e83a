import { expect, it } from 'vitest'
import { orderOf } from './read-order.ts'

const POSITIONS = new Map([
  ['t1', 1],
  ['t2', 2],
  ['t3', 3],
])

function utterance(...turns: string[]): Parameters<typeof orderOf>[0][number] {
  const evidence = turns.map((turn) => ({ turn, quote: null }))
  return { payload: { before: null, after: { form: 'utterance', evidence } } }
}

it('finds nothing amiss where every turn was read once, in order', () => {
  const log = [utterance('t1', 't2'), utterance('t3')]
  expect(orderOf(log, POSITIONS)).toEqual({ doubled: 0, out_of_order: 0, unread: 0 })
})

it('counts a turn that was read twice, one that came after a later one, and one that was not read', () => {
  expect(orderOf([utterance('t1'), utterance('t1', 't2'), utterance('t3')], POSITIONS)).toMatchObject({
    doubled: 1,
  })
  expect(orderOf([utterance('t2'), utterance('t1'), utterance('t3')], POSITIONS)).toMatchObject({
    out_of_order: 1,
  })
  expect(orderOf([utterance('t1'), utterance('t3')], POSITIONS)).toMatchObject({ unread: 1 })
})

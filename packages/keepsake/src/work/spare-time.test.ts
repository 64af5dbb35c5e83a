import { expect, it } from 'vitest'
import { SpareTime } from './spare-time.ts'

function machine() {
  const times = { idle: 0, all: 0 }
  const spare = new SpareTime(() => ({ ...times }))
  const pass = (idle: number, busy: number): void => {
    times.idle += idle
    times.all += idle + busy
  }
  return { spare, pass }
}

it('tells from what passed since the last look whether the machine had time to spare', () => {
  const { spare, pass } = machine()
  pass(900, 100)
  expect(spare.look(1_000)).toBe(true)
  pass(100, 900)
  expect(spare.look(2_000)).toBe(false)
  pass(300, 700)
  expect(spare.look(3_000)).toBe(true)
})

it('says the same again between two looks, and where the machine tells nothing', () => {
  const { spare, pass } = machine()
  pass(0, 100)
  expect(spare.look(1_000)).toBe(false)
  pass(900, 0)
  expect(spare.look(1_100)).toBe(false)
  expect(spare.look(1_200)).toBe(true)
  expect(spare.look(9_000)).toBe(true)
  expect(new SpareTime(() => ({ idle: 0, all: 0 })).look(0)).toBe(true)
})

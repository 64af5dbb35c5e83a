import { expect, it } from 'vitest'
import { startTimeSlice } from './consolidate-scope.ts'

it('is over once the process was at work for long enough, not for time in which it waited for a processor', () => {
  let [now, busy] = [1_000, 50]
  const slice = startTimeSlice({ now: () => now, busy: () => busy })
  expect(slice.isOver).toBe(false)
  now += 2_000
  busy += 60
  expect(slice.isOver).toBe(false)
  busy += 60
  expect(slice.isOver).toBe(true)
})

it('is over at last, whatever it waits for', () => {
  let now = 0
  const slice = startTimeSlice({ now: () => now, busy: () => 0 })
  now = 6_000
  expect(slice.isOver).toBe(true)
})

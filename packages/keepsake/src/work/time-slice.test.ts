import { expect, it, vi } from 'vitest'
import { sliceOfTime } from './time-slice.ts'

it('is over once the process was at work for long enough, not for time in which it waited for a processor', () => {
  let [now, busy] = [1_000, 50]
  const slice = sliceOfTime({ now: () => now, busy: () => busy })
  expect(slice.isOver).toBe(false)
  now += 2_000
  busy += 60
  expect(slice.isOver).toBe(false)
  busy += 60
  expect(slice.isOver).toBe(true)
})

it('is over at last, whatever it waits for', () => {
  let now = 0
  const slice = sliceOfTime({ now: () => now, busy: () => 0 })
  now = 6_000
  expect(slice.isOver).toBe(true)
})

it('does not ask for the processor time at every beginning', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    vi.advanceTimersByTime(60_000)
    const asked = vi.spyOn(process, 'cpuUsage')
    for (let slices = 0; slices < 20; slices += 1) sliceOfTime()
    expect(asked).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(10)
    sliceOfTime()
    expect(asked).toHaveBeenCalledTimes(2)
  } finally {
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

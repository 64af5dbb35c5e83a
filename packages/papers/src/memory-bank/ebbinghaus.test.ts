import { describe, expect, it } from 'vitest'
import { ebbinghaus } from './ebbinghaus.ts'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'

const DAY = 86_400_000
const MOMENT = { session: 1, round: 1, now: 10 * DAY }

const valueOf = (
  policy: ReturnType<typeof ebbinghaus>,
  memory: ReturnType<typeof makeMemory>,
  moment = MOMENT,
): number => policy.strengths([memory], moment)[0]?.value ?? Number.NaN

describe('ebbinghaus', () => {
  it.each([
    // Δt in days, recalls → exp(−Δt / (1 + recalls))
    [0, 0, 1], // exp(0)
    [1, 0, 0.36788], // exp(−1/1)
    [3, 0, 0.04979], // exp(−3/1)
    [3, 2, 0.36788], // exp(−3/3)
    [10, 4, 0.13534], // exp(−10/5) = exp(−2)
  ])('after %d days and %d recalls holds with %d', (days, first, expected) => {
    const memory = makeMemory({ use: { first, lastAt: (10 - days) * DAY } })
    expect(valueOf(ebbinghaus(), memory)).toBeCloseTo(expected, 5)
  })

  it('counts sessions when told to, the one that has just ended as one step', () => {
    const memory = makeMemory({ use: { first: 1, lastSession: 2 } })
    // session 4 has ended: 4 − 2 + 1 = 3 steps, S = 2: exp(−3/2)
    expect(valueOf(ebbinghaus({ unit: 'sessions' }), memory, { ...MOMENT, session: 4 })).toBeCloseTo(
      0.22313,
      5,
    )
    // while session 4 goes on: 2 steps, exp(−2/2)
    const underWay = { ...MOMENT, session: 4, underWay: true }
    expect(valueOf(ebbinghaus({ unit: 'sessions' }), memory, underWay)).toBeCloseTo(0.36788, 5)
  })

  it('is not reinforced by recalls that only counted it', () => {
    const plain = makeMemory({ use: { lastAt: 8 * DAY } })
    const counted = makeMemory({ use: { lastAt: 8 * DAY, second: 7 } })
    expect(valueOf(ebbinghaus(), counted)).toBe(valueOf(ebbinghaus(), plain))
  })

  it('holds a memory from the future as if it were new', () => {
    expect(valueOf(ebbinghaus(), makeMemory({ use: { lastAt: 11 * DAY } }))).toBe(1)
  })

  it('names what it reckoned with', () => {
    const [strength] = ebbinghaus().strengths([makeMemory({ use: { first: 2, lastAt: 4 * DAY } })], MOMENT)
    expect(strength?.parts).toEqual({ Δt: 6, S: 3, recalls: 2 })
  })
})

import { describe, expect, it } from 'vitest'
import { embeddedSignalCalibration } from './calibration.ts'
import { LUFY_WEIGHTS } from './strength.ts'
import { lufy } from './policy.ts'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'

const same = { cap: null, slope: 1, offset: 0, unbounded: true } as const
/** Raw metrics taken as they are, so that the working below shows. */
const RAW = { source: 'raw', arousal: same, surprise: same, importance: same, first: same, second: same }
const NOTHING = { arousal: 0, surprise: 0, importance: 0 }
const policy = lufy({ calibration: RAW })
const MOMENT = { session: 2, round: 40, now: 0 }

describe('lufy', () => {
  it('reckons exp(−Δt/S) from the normalised signals and the counts', () => {
    // S = 2.76·0.6 − 0.28·0.5 + 0.44·0.8 + 1.02·1 − 0.012·2 = 1.656 − 0.14 + 0.352 + 1.02 − 0.024 = 2.864
    // made in session 1, session 2 has ended: Δt = 2; exp(−2/2.864) = 0.49742
    const signals = { arousal: 0.6, surprise: 0.5, importance: 0.8 }
    const [strength] = policy.strengths([makeMemory({ signals, use: { first: 1, second: 2 } })], MOMENT)
    expect(strength?.parts['S']).toBeCloseTo(2.864, 12)
    expect(strength?.parts['Δt']).toBe(2)
    expect(strength?.value).toBeCloseTo(0.49742, 5)
  })

  it('tells memories of the session that has just ended apart', () => {
    const calm = makeMemory({ id: 'calm', signals: { ...NOTHING, arousal: 0.2 }, use: { lastSession: 2 } })
    const stirred = makeMemory({
      id: 'stirred',
      signals: { ...NOTHING, arousal: 0.9 },
      use: { lastSession: 2 },
    })
    const [first, second] = policy.strengths([calm, stirred], MOMENT)
    // Δt = 1: exp(−1/0.552) = 0.16337 and exp(−1/2.484) = 0.66860; with Δt = 0 both would be 1
    expect(first?.value).toBeCloseTo(0.16337, 4)
    expect(second?.value).toBeCloseTo(0.6686, 4)
  })

  it('lets a weak old memory fade to nearly nothing, never to NaN', () => {
    const [strength] = policy.strengths([makeMemory({ signals: NOTHING })], { ...MOMENT, session: 1_000_000 })
    expect(strength?.value).toBe(0)
    expect(strength?.parts['S']).toBe(0.1)
  })

  it('scales to one mean, as the authors’ code does, unless the range is asked for', () => {
    // unmeasured signals count as the mean of 0.2835 each, counts of 0 as 0:
    // S = 0.2835·(2.76 − 0.28 + 0.44) = 0.82782; exp(−2/0.82782) = 0.08928
    expect(lufy().strengths([makeMemory()], MOMENT)[0]?.value).toBeCloseTo(0.08928, 4)
    // by the range: 0.5 each, and counts of 0 by their maps, R1 between 0.3 and 0.45:
    // S = 0.5·(2.76 − 0.28 + 0.44) + 1.02·0.39 − 0.012·0.36 = 1.85; exp(−2/1.85) = 0.34
    expect(lufy({ scale: 'range' }).strengths([makeMemory()], MOMENT)[0]?.value).toBeCloseTo(0.34, 2)
  })

  it('normalises by the calibration of other models that is handed in', () => {
    const calibration = { ...embeddedSignalCalibration(), arousal: { cap: null, slope: 0.1, offset: 0 } }
    const memory = makeMemory({ signals: { arousal: 3, surprise: 40, importance: 7 } })
    const [own] = lufy({ calibration }).strengths([memory], MOMENT)
    expect(own?.parts['A']).toBeCloseTo(0.3)
    expect(lufy().strengths([memory], MOMENT)).not.toEqual([own])
  })

  it('takes weights fitted on a person', () => {
    const own = lufy({
      calibration: RAW,
      weights: { arousal: 0, surprise: 0, importance: 2, first: 0, second: 0 },
    })
    const memory = makeMemory({ signals: { arousal: 1, surprise: 1, importance: 1 } })
    expect(own.strengths([memory], { ...MOMENT, session: 1 })[0]?.value).toBeCloseTo(Math.exp(-1 / 2), 12)
    expect(own.formula).toContain('2 L')
  })

  it('counts every retrieval, and by the range no more than its end', () => {
    const often = makeMemory({ use: { first: 1_000, second: 1_000 } })
    const [strength] = lufy().strengths([often], MOMENT)
    expect(strength?.parts).toMatchObject({ 'times first': 1_000, 'times second': 1_000 })
    expect(strength?.parts['R1']).toBeCloseTo(628.85, 1)
    expect(lufy({ scale: 'range' }).strengths([often], MOMENT)[0]?.parts).toMatchObject({ R1: 1, R2: 1 })
  })

  it('takes fitted weights with the maps they were fitted on', () => {
    const weights = { ...LUFY_WEIGHTS, arousal: 1 }
    const calibration = { ...embeddedSignalCalibration(), arousal: { cap: null, slope: 0.1, offset: 0 } }
    const memory = makeMemory({ signals: { arousal: 3 } })
    const [strength] = lufy({ weights: { source: 'me', weights, calibration } }).strengths([memory], MOMENT)
    expect(strength?.parts['A']).toBeCloseTo(0.3)
    expect(lufy({ weights, calibration }).strengths([memory], MOMENT)).toEqual([strength])
  })

  it('leaves out the metrics it is told to', () => {
    const signals = { arousal: 5, surprise: 1, importance: 10 }
    const memory = makeMemory({ signals, use: { first: 9, second: 9 } })
    const ablated = lufy({ without: ['A', 'P', 'L', 'R1', 'R2'] })
    expect(ablated.name).toBe('lufy-A-P-L-R1-R2')
    expect(ablated.strengths([memory], MOMENT)[0]?.parts['S']).toBe(0.1)
    const withoutArousal = lufy({ without: ['A'] }).strengths([memory], MOMENT)[0]?.parts['S'] ?? 0
    expect(withoutArousal).toBeCloseTo(
      (lufy().strengths([memory], MOMENT)[0]?.parts['S'] ?? 0) - 2.76 * 0.5004,
      3,
    )
  })

  it('begins with maps for the models that measure', () => {
    const memories = [10, 40, 160].map((surprise) => makeMemory({ signals: { surprise, importance: 5 } }))
    const models = { arousal: 'keepsake/arousal-emobank-1', surprise: 'gpt2', importance: 'language-model' }
    const tuned = lufy().forModels?.(models).strengths(memories, MOMENT) ?? []
    const [low = 0, mean = 0, high = 0] = tuned.map(({ parts }) => parts['P'])
    expect([low, mean, high].map((value) => value.toFixed(2))).toEqual(['0.07', '0.29', '1.15'])
    expect(lufy({ calibration: embeddedSignalCalibration() })).not.toHaveProperty('forModels')
  })
})

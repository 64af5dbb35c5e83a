import { describe, expect, it } from 'vitest'
import { embeddedSignalCalibration } from '../../importance/embedded-calibration.ts'
import { normaliseSignals } from '../../importance/normalise-signals.ts'
import { lufy } from './lufy.ts'
import { makeMemory } from '../../memories/memory-fixture.ts'

/** Raw signals taken as they are, so that the working below shows. */
const policy = lufy({
  normalise: ({ arousal, surprise, importance }) => ({
    arousal: arousal ?? 0,
    surprise: surprise ?? 0,
    importance: importance ?? 0,
  }),
})
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
    const calm = makeMemory({ id: 'calm', signals: { arousal: 0.2 }, use: { lastSession: 2 } })
    const stirred = makeMemory({ id: 'stirred', signals: { arousal: 0.9 }, use: { lastSession: 2 } })
    const [first, second] = policy.strengths([calm, stirred], MOMENT)
    // Δt = 1: exp(−1/0.552) = 0.16337 and exp(−1/2.484) = 0.66860; with Δt = 0 both would be 1
    expect(first?.value).toBeCloseTo(0.16337, 4)
    expect(second?.value).toBeCloseTo(0.6686, 4)
  })

  it('lets a weak old memory fade to nearly nothing, never to NaN', () => {
    const [strength] = policy.strengths([makeMemory()], { ...MOMENT, session: 1_000_000 })
    expect(strength?.value).toBe(0)
    expect(strength?.parts['S']).toBe(0.1)
  })

  it('normalises by the embedded models’ calibration unless told otherwise', () => {
    // unmeasured signals count as the mean, 0.5 each: S = 0.5·(2.76 − 0.28 + 0.44) = 1.46; exp(−2/1.46) = 0.25413
    expect(lufy().strengths([makeMemory()], MOMENT)[0]?.value).toBeCloseTo(0.25413, 4)
  })

  it('normalises by the calibration of other models that is handed in', () => {
    const calibration = { ...embeddedSignalCalibration(), arousal: { cap: null, slope: 0.1, offset: 0 } }
    const memory = makeMemory({ signals: { arousal: 3, surprise: 40, importance: 7 } })
    const own = lufy({ normalise: (signals) => normaliseSignals(signals, calibration) })
    const [expected] = own.strengths([memory], MOMENT)
    expect(lufy({ calibration }).strengths([memory], MOMENT)).toEqual([expected])
    expect(lufy().strengths([memory], MOMENT)).not.toEqual([expected])
  })

  it('takes weights fitted on a person', () => {
    const own = lufy({
      normalise: () => ({ arousal: 1, surprise: 1, importance: 1 }),
      weights: { arousal: 0, surprise: 0, importance: 2, first: 0, second: 0 },
    })
    expect(own.strengths([makeMemory()], { ...MOMENT, session: 1 })[0]?.value).toBeCloseTo(
      Math.exp(-1 / 2),
      12,
    )
    expect(own.formula).toContain('2 L')
  })
})

import { array, assert, double, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedSignalCalibration, signalCalibrationOf } from './calibration.ts'
import { calibrateSignal } from './calibrate-signals.ts'
import { mapSignal, normaliseSignals } from './normalise-signals.ts'

const hundred = Array.from({ length: 101 }, (_, at) => at)

describe('calibrateSignal', () => {
  it('fits a uniform signal as by hand: 5 to 95 spans the range, centred on 50', () => {
    const map = calibrateSignal(hundred, { scale: 'range' })
    expect(map.cap).toBeNull()
    expect(map.slope).toBeCloseTo(1 / 90)
    expect(mapSignal(50, map)).toBeCloseTo(0.5)
    expect([0, 5, 95, 100].map((value) => Math.round(mapSignal(value, map) * 1e6) / 1e6)).toEqual([
      0, 0, 1, 1,
    ])
  })

  it('caps at the quantile asked for', () => {
    const map = calibrateSignal([...hundred, 1e9], { scale: 'range', capQuantile: 0.95 })
    expect(map.cap).toBeCloseTo(95.95)
    expect(mapSignal(1e9, map)).toBe(mapSignal(96, map))
  })

  it('gives every calibration set the mean 0.5, within 0 and 1', () => {
    const values = array(double({ min: 1, max: 1e4, noNaN: true }), { minLength: 20, maxLength: 60 })
    assert(
      property(values, (set) => {
        const map = calibrateSignal(set, { scale: 'range', capQuantile: 0.95 })
        const mapped = set.map((value) => mapSignal(value, map))
        expect(mapped.reduce((sum, value) => sum + value, 0) / set.length).toBeCloseTo(0.5, 3)
        expect(mapped.every((value) => value >= 0 && value <= 1)).toBe(true)
      }),
      { seed: 1, numRuns: 50 },
    )
  })

  it.each([[[]], [[3, 3, 3]]])('maps %j to 0.5 throughout', (values) => {
    expect(mapSignal(7, calibrateSignal(values, { scale: 'range' }))).toBe(0.5)
  })
})

describe('calibrateSignal to one mean', () => {
  it('divides by a constant and bounds nothing, as LUFY’s published code', () => {
    const map = calibrateSignal([0, 1, 2, 5])
    expect(mapSignal(2, map)).toBeCloseTo(0.2835)
    expect([mapSignal(0, map), mapSignal(4, map), mapSignal(40, map)]).toEqual([
      0,
      expect.closeTo(2 * 0.2835),
      expect.closeTo(20 * 0.2835),
    ])
    expect(mapSignal(null, map)).toBe(0.2835)
  })

  it('has the published constants of the authors’ models', () => {
    const { arousal, surprise, importance, first, second } = signalCalibrationOf({
      arousal: 'roberta-emobank',
      surprise: 'perplexity/gpt2-large',
      importance: 'language-model',
    })
    // forget_mechanism_wisely.py: A/15 · 1.501, P/400 · 2.871 up to 160, L/27.5 · 2.130, R1 · 0.629, R2 · 2.246
    expect(mapSignal(3, arousal)).toBeCloseTo((3 / 15) * 1.501, 3)
    expect(mapSignal(900, surprise)).toBeCloseTo((160 / 400) * 2.871, 3)
    expect(mapSignal(7, importance)).toBeCloseTo((7 / 27.5) * 2.13, 3)
    expect([mapSignal(3, first), mapSignal(2, second)]).toEqual([
      expect.closeTo(3 * 0.629, 2),
      expect.closeTo(2 * 2.246, 2),
    ])
  })
})

describe('normaliseSignals', () => {
  const calibration = {
    source: 'test',
    arousal: { cap: null, slope: 0.5, offset: -1 },
    surprise: { cap: 100, slope: 0.01, offset: -0.25 },
    importance: { cap: null, slope: 0.1, offset: 0 },
    first: { cap: null, slope: 0.25, offset: 0.4 },
    second: { cap: null, slope: 0.5, offset: 0.4 },
  }

  it('maps each signal by its own map', () => {
    const mapped = normaliseSignals({ arousal: 3.2, surprise: 50, importance: 7 }, calibration)
    expect(mapped.arousal).toBeCloseTo(0.6)
    expect(mapped.surprise).toBeCloseTo(0.25)
    expect(mapped.importance).toBeCloseTo(0.7)
  })

  it('caps, clips, and takes what was not measured for the mean', () => {
    const mapped = normaliseSignals({ arousal: 9, surprise: 1e6, importance: null }, calibration)
    expect(mapped).toEqual({ arousal: 1, surprise: 0.75, importance: 0.5 })
    expect(mapSignal(Number.NaN, calibration.arousal)).toBe(0.5)
  })
})

describe('embeddedSignalCalibration', () => {
  it('maps more of a signal to no less', () => {
    const { arousal, surprise, importance } = embeddedSignalCalibration()
    for (const map of [arousal, surprise, importance]) expect(map.slope).toBeGreaterThan(0)
    expect(surprise.cap).toBeGreaterThan(1)
  })
})

import { describe, expect, it } from 'vitest'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'
import { calibrateMetrics } from './calibrate-signals.ts'
import { mapSignal, normaliseMetrics } from './normalise-signals.ts'
import {
  EMBEDDED_SIGNALS,
  embeddedSignalCalibration,
  signalCalibrationOf,
  type SignalMap,
} from './calibration.ts'

const METRICS = ['arousal', 'surprise', 'importance', 'first', 'second'] as const
/** 200 memories, most of them never retrieved. */
const memories = Array.from({ length: 200 }, (_, at) =>
  makeMemory({
    signals: { arousal: 2 + (at % 20) / 10, surprise: (at * 7) % 400, importance: 1 + (at % 10) },
    use: { first: at % 4 === 0 ? 1 + (at % 3) : 0, second: at % 6 === 0 ? 1 : 0 },
  }),
)

describe('calibrateMetrics', () => {
  it('brings all five metrics to one mean within one range (LUFY, 3.2)', () => {
    const calibration = calibrateMetrics(memories, { source: 'test', scale: 'range' })
    const mapped = memories.map((memory) => normaliseMetrics(memory, calibration))
    for (const metric of METRICS) {
      const values = mapped.map((one) => one[metric])
      expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 3)
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...values)).toBeLessThanOrEqual(1)
    }
    expect(calibration.source).toBe('test, 200 memories')
  })

  it('lets no single retrieval span the whole range where few memories were ever retrieved', () => {
    const rare = memories.map((memory, at) => ({
      ...memory,
      use: { ...memory.use, first: at === 0 ? 1 : 0 },
    }))
    expect(calibrateMetrics(rare, { source: 'test', scale: 'range' }).first.slope).toBeLessThanOrEqual(1)
  })

  it('brings all five to one mean, the rare retrieval unbounded', () => {
    const calibration = calibrateMetrics(memories, { source: 'test' })
    const mapped = memories.map((memory) => normaliseMetrics(memory, calibration))
    for (const metric of ['arousal', 'surprise', 'importance', 'first'] as const) {
      const values = mapped.map((one) => one[metric])
      expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.2835, 3)
    }
    const often = normaliseMetrics(makeMemory({ use: { first: 10 } }), calibration)
    expect(often.first).toBeGreaterThan(1)
  })

  it('keeps the maps of what was not measured', () => {
    const unmeasured = [makeMemory(), makeMemory()]
    const { source, ...maps } = calibrateMetrics(unmeasured, { source: 'nothing' })
    const { source: _, ...others } = embeddedSignalCalibration()
    expect(maps).toEqual(others)
    expect(source).toBe('nothing, 2 memories')
  })
})

describe('the calibration to begin with', () => {
  const at = (map: SignalMap, ...values: number[]) => values.map((value) => mapSignal(value, map))

  it('is the embedded one for the embedded models', () => {
    expect(signalCalibrationOf(EMBEDDED_SIGNALS)).toEqual(embeddedSignalCalibration())
  })

  it('tells perplexities of a language model apart, up to the paper’s cap', () => {
    const { surprise } = signalCalibrationOf(
      { ...EMBEDDED_SIGNALS, surprise: 'perplexity/gpt2-large' },
      'range',
    )
    const [low = 0, mean = 0, high = 0, beyond = 0] = at(surprise, 10, 39.5, 160, 5_000)
    expect(mean).toBeCloseTo(0.5)
    expect([mean - low > 0.15, high - mean > 0.45, beyond === high]).toEqual([true, true, true])
  })

  it('leaves room below rating 4 and above rating 7', () => {
    const calibration = signalCalibrationOf({ ...EMBEDDED_SIGNALS, importance: 'language-model' }, 'range')
    const [four = 0, seven = 0, nine = 0] = at(calibration.importance, 4, 7, 9)
    expect([four > 0.1, seven < 0.7, nine > 0.9]).toEqual([true, true, true])
    expect(calibration.source).toContain('ratings by a language model')
    expect(calibration.surprise).toEqual(embeddedSignalCalibration('range').surprise)
  })
})

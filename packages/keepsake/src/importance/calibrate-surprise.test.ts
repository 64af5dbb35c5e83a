import { describe, expect, it } from 'vitest'
import { lufyForgetting as lufy } from '@keepsake/papers'
import { makeMemory } from '../memories/memory-fixture.ts'
import type { SurpriseContext, SurpriseModel } from '../models/model-ports.ts'
import { calibrateSurprise, mapSignal } from './normalise-signals.ts'
import { embeddedSignalCalibration } from './embedded-calibration.ts'

/** Perplexity is the number that was said. */
function saidNumber(seen: SurpriseContext[] = []): SurpriseModel {
  return {
    id: 'said',
    surprise: (text, context) => {
      seen.push(context)
      return Number(text)
    },
  }
}
const round = (value: number) => ({ user: String(value), agent: `say ${value}` })

describe('calibrateSurprise', () => {
  it('caps at the 95th percentile, to one mean and range, and keeps the other signals’ maps', async () => {
    // 1, 2, … 101: the 95th percentile is 96, the 5th 6
    const values = Array.from({ length: 101 }, (_, at) => at + 1)
    const calibration = await calibrateSurprise(
      saidNumber(),
      values.map(round),
      embeddedSignalCalibration('range'),
    )
    const { cap, slope } = calibration.surprise
    expect(cap).toBeCloseTo(96)
    expect(slope).toBeCloseTo(1 / (96 - 6))
    const mapped = values.map((value) => mapSignal(value, calibration.surprise))
    expect(mapped.reduce((sum, value) => sum + value, 0) / mapped.length).toBeCloseTo(0.5, 6)
    expect(mapSignal(5_000, calibration.surprise)).toBe(mapSignal(96, calibration.surprise))
    expect(calibration.arousal).toEqual(embeddedSignalCalibration('range').arousal)
    expect(calibration.source).toContain('said on 101 rounds')
  })

  it('shows the model each round as the engine will', async () => {
    const seen: SurpriseContext[] = []
    await calibrateSurprise(saidNumber(seen), [round(1), round(2), round(3)])
    expect(seen).toEqual([
      { previous: 'say 1', history: [] },
      { previous: 'say 2', history: ['1'] },
      { previous: 'say 3', history: ['1', '2'] },
    ])
  })

  it('is what the lufy policy measures surprise by when it is given', async () => {
    const calibration = await calibrateSurprise(saidNumber(), [10, 20, 30, 40, 50].map(round))
    const moment = { session: 1, round: 1, now: 0 }
    const [plain, strange] = lufy({ calibration }).strengths(
      [makeMemory({ signals: { surprise: 10 } }), makeMemory({ signals: { surprise: 50 } })],
      moment,
    )
    expect(plain?.parts['P']).toBe(mapSignal(10, calibration.surprise))
    expect(strange?.parts['P']).toBe(mapSignal(50, calibration.surprise))
    // Surprise weakens by a weight of −0.28, so the plainer one is the stronger.
    expect(plain?.value).toBeGreaterThan(strange?.value ?? 1)
  })
})

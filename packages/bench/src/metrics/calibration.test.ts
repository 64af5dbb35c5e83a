import { expect, it } from 'vitest'
import { calibrationError } from '../runs/figures/confidence-figures.ts'

it('weighs each bin’s gap by its size', () => {
  const judged = [
    { confidence: 0.95, truth: true },
    { confidence: 1, truth: false },
    { confidence: 0.1, truth: false },
    { confidence: 0.1, truth: false },
  ]
  // the top bin: 0.975 against 0.5, half of all; the second: 0.1 against 0, the other half
  expect(calibrationError(judged)).toBeCloseTo(0.5 * 0.475 + 0.5 * 0.1, 12)
})

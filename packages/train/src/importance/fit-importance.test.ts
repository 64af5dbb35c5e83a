import { seededRandom } from '@keepsake/bench/parts'
import { describe, expect, it } from 'vitest'
import { lufyStrength, retained, type StrengthWeights } from '@keepsake/papers'
import { fitImportance, type AnnotatedUtterance } from './fit-importance.ts'

const TRUE_WEIGHTS: StrengthWeights = {
  arousal: 1.8,
  surprise: -0.3,
  importance: 0.9,
  first: 0.6,
  second: -0.1,
}

function generate(count: number, mark: (chance: number, draw: number) => number): AnnotatedUtterance[] {
  const next = seededRandom(12345)
  return Array.from({ length: count }, () => {
    const metrics = {
      arousal: next(),
      surprise: next(),
      importance: next(),
      first: Math.floor(next() * 4),
      second: Math.floor(next() * 4),
    }
    return { metrics, important: mark(retained(1, lufyStrength(metrics, TRUE_WEIGHTS)), next()) }
  })
}

describe('fitImportance', () => {
  it('recovers the weights that made the marks', () => {
    const utterances = generate(300, (chance) => chance)
    const { weights, meanSquaredError } = fitImportance(utterances, { l2: 0 })
    for (const metric of ['arousal', 'surprise', 'importance', 'first', 'second'] as const) {
      expect(weights[metric]).toBeCloseTo(TRUE_WEIGHTS[metric], 3)
    }
    expect(meanSquaredError).toBeLessThan(1e-8)
  })

  it('comes near them from marks of 0 and 1', () => {
    const utterances = generate(6_000, (chance, draw) => (draw < chance ? 1 : 0))
    const { weights } = fitImportance(utterances)
    expect(weights.arousal).toBeGreaterThan(1.4)
    expect(weights.arousal).toBeLessThan(2.2)
    expect(weights.surprise).toBeLessThan(0)
    expect(Math.abs(weights.first - 0.6)).toBeLessThan(0.15)
  })

  it('fits in the two stages of the paper', () => {
    const untouched = generate(300, (chance) => chance).map(({ metrics }) => {
      const plain = { ...metrics, first: 0, second: 0 }
      return { metrics: plain, important: retained(1, lufyStrength(plain, TRUE_WEIGHTS)) }
    })
    const stage1 = fitImportance(untouched, { l2: 0, fixed: { first: 0, second: 0 } }).weights
    const { arousal, surprise, importance } = stage1
    const stage2 = fitImportance(
      generate(200, (chance) => chance),
      { l2: 0, fixed: { arousal, surprise, importance } },
    )
    expect(stage2.weights.arousal).toBe(arousal)
    expect(stage2.weights.first).toBeCloseTo(0.6, 2)
    expect(stage2.weights.second).toBeCloseTo(-0.1, 2)
  })

  it('shrinks weights under a penalty', () => {
    const utterances = generate(300, (chance) => chance)
    const sizeOf = (l2: number): number =>
      Object.values(fitImportance(utterances, { l2 }).weights).reduce((sum, weight) => sum + weight ** 2, 0)
    expect(sizeOf(5)).toBeLessThan(sizeOf(0.01))
    expect(sizeOf(0.01)).toBeLessThanOrEqual(sizeOf(0) + 1e-6)
  })

  it('only measures when every weight is fixed', () => {
    const utterances = generate(50, (chance) => chance)
    const { weights, meanSquaredError, iterations } = fitImportance(utterances, { fixed: TRUE_WEIGHTS })
    expect(weights).toEqual(TRUE_WEIGHTS)
    expect(meanSquaredError).toBe(0)
    expect(iterations).toBe(0)
  })

  it('refuses nothing, and what is no number', () => {
    expect(() => fitImportance([])).toThrow('no annotated utterances')
    const metrics = { arousal: Number.NaN, surprise: 0, importance: 0, first: 0, second: 0 }
    expect(() => fitImportance([{ metrics, important: 1 }])).toThrow('Utterance 0')
  })
})

import { assert, array, integer, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOf, fitName, spreadLabels } from './fit-text.ts'

describe('fitName', () => {
  it('keeps what fits, and cuts the middle of what does not', () => {
    expect(fitName('alpha', 10)).toBe('alpha')
    expect(fitName('memory-1.24.0-rc.1', 11)).toBe('memor…-rc.1')
    expect(fitName('记忆系统第二版', 9)).toBe('记忆…二版')
  })

  it('never takes more columns than there are', () => {
    assert(
      property(string({ unit: 'grapheme' }), integer({ min: 3, max: 30 }), (name, columns) => {
        expect(columnsOf(fitName(name, columns))).toBeLessThanOrEqual(columns)
      }),
    )
  })
})

describe('spreadLabels', () => {
  it('moves apart only what would overlap', () => {
    expect(spreadLabels([10, 12, 50], 15, 0, 100)).toEqual([10, 25, 50])
    expect(spreadLabels([100, 98], 15, 0, 100)).toEqual([100, 85])
  })

  it('keeps order, bounds and the gap there is room for', () => {
    assert(
      property(array(integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 12 }), (wanted) => {
        const places = spreadLabels(wanted, 15, 0, 200)
        const gap = Math.min(15, 200 / (wanted.length - 1))
        const sorted = places.toSorted((a, b) => a - b)
        for (const [index, place] of sorted.entries()) {
          expect(place).toBeGreaterThanOrEqual(0)
          expect(place).toBeLessThanOrEqual(200 + 1e-9)
          if (index > 0) expect(place - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(gap - 1e-9)
        }
        const orderOf = (list: readonly number[]): number[] =>
          wanted.map((_, index) => index).toSorted((a, b) => (list[a] ?? 0) - (list[b] ?? 0) || a - b)
        expect(orderOf(places)).toEqual(orderOf(wanted))
      }),
    )
  })
})

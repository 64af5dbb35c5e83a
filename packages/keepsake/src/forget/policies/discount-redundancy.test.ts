import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discountRedundancy, type Competitor } from './keepsake.ts'

const compete = (...given: [alone: number, terms: string][]): Competitor[] =>
  given.map(([alone, terms]) => ({ alone, terms: terms.split(' ').filter(Boolean) }))

/** The same by definition: settle the strongest of the rest again and again, comparing all pairs. */
function byDefinition(competitors: readonly Competitor[], weight: number): number[] {
  const values = competitors.map(({ alone }) => alone)
  const left = new Set(competitors.keys())
  const settled: Competitor[] = []
  while (left.size > 0) {
    for (const place of left) {
      const { alone, terms } = competitors[place] ?? { alone: 0, terms: [] }
      const shares = settled.map(
        (other) => terms.filter((term) => other.terms.includes(term)).length / terms.length,
      )
      values[place] = alone * (1 - weight * (terms.length === 0 ? 0 : Math.max(0, ...shares)))
    }
    const strongest = [...left].reduce((a, b) => ((values[b] ?? 0) >= (values[a] ?? 0) ? b : a))
    left.delete(strongest)
    settled.push(competitors[strongest] ?? { alone: 0, terms: [] })
  }
  return values
}

describe('discountRedundancy', () => {
  it('takes off for the greatest share that one stronger text holds', () => {
    const competitors = compete([9, 'puppy milo adopt'], [8, 'puppy milo vet visit'], [4, 'milo vet'])
    // the second shares 2 of 4 with the first: 8·(1 − 0.5·0.5) = 6; the third 2 of 2 with the second: 4·0.5 = 2
    expect(discountRedundancy(competitors, 0.5)).toEqual([
      { value: 9, redundancy: 0 },
      { value: 6, redundancy: 0.5 },
      { value: 2, redundancy: 1 },
    ])
  })

  it('lets one that was discounted take from those it is still stronger than, only', () => {
    const competitors = compete([10, 'a b c d'], [9, 'a b c d e'], [8, 'e f'])
    // the second falls to 9·(1 − 0.5·0.8) = 5.4, so the third is settled before it, whole
    const values = discountRedundancy(competitors, 0.5).map(({ value }) => value)
    expect(values[1]).toBeCloseTo(5.4, 12)
    expect([values[0], values[2]]).toEqual([10, 8])
  })

  it('does not add up what several texts hold', () => {
    const [, , both] = discountRedundancy(compete([9, 'a b'], [8, 'c d'], [7, 'a b c d']), 0.5)
    expect(both?.redundancy).toBe(0.5)
  })

  it('leaves the later of equals whole', () => {
    expect(discountRedundancy(compete([5, 'a'], [5, 'a']), 0.5).map(({ value }) => value)).toEqual([2.5, 5])
  })

  it('leaves the last of many equals whole', () => {
    const equals = compete([5, 'a'], [5, 'a'], [5, 'a'], [5, 'b'])
    expect(discountRedundancy(equals, 0.5).map(({ value }) => value)).toEqual([2.5, 2.5, 5, 5])
  })

  it('compares first with those that hold the most of its rarest terms', () => {
    // Five texts hold one of its rarest each; two hold three that are hardly less rare.
    const decoys = [1, 2, 3, 4, 5].map((at): [number, string] => [9, `u${at}`])
    const text: [number, string] = [1, 'u1 u2 u3 u4 u5 q r s']
    const results = discountRedundancy(compete(...decoys, [8, 'q r s'], [7, 'q r s'], text), 0.5)
    expect(results.at(-1)?.redundancy).toBe(3 / 8)
  })

  it('compares with four others, found by its eight rarest terms', () => {
    const common: [number, string][] = [1, 2, 3].map((at) => [5, `c1 c2 c3 c4 x${at}`])
    const text: [number, string] = [1, 'u1 u2 u3 u4 u5 v1 v2 v3 c1 c2 c3 c4']
    const rare: [number, string][] = [
      [9, 'u1 v1'],
      [9, 'u2 v2'],
      [9, 'u3 v3'],
      [9, 'u4'],
    ]
    const share = (...others: [number, string][]) =>
      discountRedundancy(compete(...common, ...rare, ...others, text), 0.5).at(-1)?.redundancy
    // What shares five of its twelve terms is the fifth to be compared, and so is not.
    expect(share([9, 'u5 c1 c2 c3 c4'])).toBe(2 / 12)
    expect(share([9, 'u5 c1 c2 c3 c4 v1'])).toBe(6 / 12)
  })

  it('takes nothing from a text without terms', () => {
    expect(discountRedundancy(compete([5, 'a'], [3, '']), 0.5)[1]).toEqual({ value: 3, redundancy: 0 })
  })

  it('finds a copy among many texts that share common terms', () => {
    const competitors = Array.from({ length: 500 }, (_, i) => ({
      alone: 9,
      terms: ['common', 'words', `rare${i}`, `other${i}`],
    }))
    const copy = { alone: 5, terms: ['common', 'words', 'rare7', 'other7'] }
    expect(discountRedundancy([...competitors, copy], 0.5)[500]?.redundancy).toBe(1)
  })

  it('is what its definition says, on small sets', () => {
    const competitor = fc.record({
      alone: fc.double({ min: 0.1, max: 10, noNaN: true }),
      terms: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }),
    })
    fc.assert(
      fc.property(fc.array(competitor, { maxLength: 12 }), (competitors) => {
        const values = discountRedundancy(competitors, 0.5).map(({ value }) => value)
        expect(values).toEqual(byDefinition(competitors, 0.5))
      }),
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeMemory } from '../../memories/memory-fixture.ts'
import type { Memory } from '../../memories/memory.ts'
import { discountRedundancy as discount, finish, type Competitor } from './discount-redundancy.ts'
import { keepsakeForgetting } from './keepsake.ts'

const discountRedundancy = (competitors: readonly Competitor[], weight: number) =>
  finish(discount(competitors, weight))

const MOMENT = { session: 1, round: 10, now: 0 }

const strengthsOf = (memories: readonly Memory[], moment = MOMENT): number[] =>
  keepsakeForgetting()
    .strengths(memories, moment)
    .map((strength) => strength.value)

describe('keepsakeForgetting', () => {
  it('adds uses to importance and takes off for sessions untouched', () => {
    const used = makeMemory({ signals: { importance: 6 }, use: { first: 3, lastSession: 1 } })
    // session 4 has ended: 4 − 1 + 1 = 4 sessions. 6 + 0.3·log2(1 + 3) − 0.1·log2(4) = 6 + 0.6 − 0.2 = 6.4
    const [strength] = keepsakeForgetting().strengths([used], { ...MOMENT, session: 4 })
    expect(strength?.value).toBeCloseTo(6.4, 12)
    expect(strength?.parts).toEqual({ L: 6, uses: 3, sessions: 4, redundancy: 0 })
  })

  it('halves what a stronger memory says word for word', () => {
    const strong = makeMemory({ id: 'a', text: 'Our puppy is called Milo', signals: { importance: 7 } })
    const copy = makeMemory({ id: 'b', text: 'The puppy is called Milo', signals: { importance: 6 } })
    // both read as the terms puppy, call, milo: redundancy 3/3 = 1; 6 · (1 − 0.5) = 3
    expect(strengthsOf([copy, strong])).toEqual([3, 7])
  })

  it('keeps the newer of two equals whole', () => {
    const older = makeMemory({ id: 'a', round: 2, signals: { importance: 5 } })
    const newer = makeMemory({ id: 'b', round: 3, signals: { importance: 5 } })
    expect(strengthsOf([older, newer])).toEqual([2.5, 5])
    expect(strengthsOf([newer, older])).toEqual([5, 2.5])
    expect(strengthsOf([older, { ...older, id: 'c' }])).toEqual([2.5, 5])
  })

  it('does not depend on the order in which memories are given', () => {
    const memories = ['puppy Milo', 'puppy Milo vet', 'Porto', 'Milo'].map((text, i) =>
      makeMemory({ id: `m${i}`, text, round: i, signals: { importance: 3 + i } }),
    )
    expect(strengthsOf(memories.toReversed()).toReversed()).toEqual(strengthsOf(memories))
  })

  it('reads Chinese', () => {
    const strong = makeMemory({ id: 'a', text: '我养了一只小狗叫豆豆', signals: { importance: 7 } })
    const copy = makeMemory({ id: 'b', text: '小狗叫豆豆', signals: { importance: 6 } })
    const other = makeMemory({ id: 'c', text: '去年搬到厦门', signals: { importance: 5 } })
    const [, halved, untouched] = strengthsOf([strong, copy, other])
    expect(halved).toBe(3)
    expect(untouched).toBe(5)
  })
})

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

  it('leaves the last of many equals whole', () => {
    const equals = compete([5, 'a'], [5, 'a'], [5, 'a'], [5, 'b'])
    expect(discountRedundancy(equals, 0.5).map(({ value }) => value)).toEqual([2.5, 2.5, 5, 5])
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

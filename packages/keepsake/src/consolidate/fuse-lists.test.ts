import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlacedFact } from '../facts/placed-fact.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import { fuseLists, type RankedList } from './fuse-lists.ts'
import { ScoredPlaces } from './scored-places.ts'

const FACTS = 400
const facts: readonly PlacedFact[] = Array.from({ length: FACTS }, (_, place) => ({
  fact: makeFact({ id: `${place}` }),
  place,
}))
const factsAt = (places: readonly number[]) => places.flatMap((place) => facts[place] ?? [])

/** A list by scores, of which many are alike. */
const scores = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: FACTS, maxLength: FACTS })
const weights = fc.constantFrom(8, 4, 3, 1)

function listOf(weight: number, given: readonly number[], looked: { at: number }): RankedList {
  const scored = new ScoredPlaces(FACTS)
  for (const [place, score] of given.entries()) scored.add(place, score)
  return {
    weight,
    head: (count, accepts) => factsAt(scored.best(count, accepts)),
    ranksOf: (asked) => {
      looked.at += asked.length
      return scored.ranksOf(asked.map(({ place }) => place))
    },
  }
}

/** All of each list, put in order, and all sums: what is to come out. */
function fuseWhole(lists: readonly { weight: number; given: readonly number[] }[]): number[] {
  const worth = new Map<number, number>()
  for (const { weight, given } of lists) {
    const places = [...given.keys()].filter((place) => (given[place] ?? 0) > 0)
    places.sort((one, other) => (given[other] ?? 0) - (given[one] ?? 0))
    for (const [rank, place] of places.entries())
      worth.set(place, (worth.get(place) ?? 0) + weight / (8 + rank))
  }
  return [...worth].sort(([, one], [, other]) => other - one).map(([place]) => place)
}

describe('lists fused', () => {
  it('come in the order of all sums, however few of each list are looked at', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ weight: weights, given: scores }), { minLength: 1, maxLength: 4 }),
        (lists) => {
          const made = lists.map(({ weight, given }) => listOf(weight, given, { at: 0 }))
          const all = Array.from(
            fuseLists(made, () => true),
            ({ place }) => place,
          )
          expect(all).toEqual(fuseWhole(lists))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('pass over what is refused, from when it is refused on', () => {
    fc.assert(
      fc.property(scores, scores, fc.integer({ min: 0, max: 50 }), (one, other, few) => {
        const lists = [
          { weight: 8, given: one },
          { weight: 3, given: other },
        ]
        const isSmall = (place: number): boolean => place % 7 === 0
        const found: number[] = []
        const made = lists.map(({ weight, given }) => listOf(weight, given, { at: 0 }))
        for (const { place } of fuseLists(made, (at) => found.length < few || isSmall(at)))
          if (found.length < few || isSmall(place)) found.push(place)
        const wanted: number[] = []
        for (const place of fuseWhole(lists)) if (wanted.length < few || isSmall(place)) wanted.push(place)
        expect(found).toEqual(wanted)
      }),
      { numRuns: 40 },
    )
  })

  it('look at few of long lists for the first of them', () => {
    const looked = { at: 0 }
    const given = Array.from({ length: FACTS }, (_, place) => 1 + ((place * 7_919) % FACTS))
    const [first] = fuseLists([listOf(8, given, looked), listOf(3, given.toReversed(), looked)], () => true)
    expect(first?.place).toBe(
      fuseWhole([
        { weight: 8, given },
        { weight: 3, given: given.toReversed() },
      ])[0],
    )
    expect(looked.at).toBeLessThan(FACTS / 2)
  })
})

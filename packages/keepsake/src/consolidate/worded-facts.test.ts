import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StandingFacts } from '../facts/standing-facts.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import { findTerms } from '@keepsake/text'
import { factsByStatement } from './worded-facts.ts'

const WORDS = ['river', 'garden', 'piano', 'winter', 'market', 'letters', 'the', '爬山', '猫']
const told = fc.record({
  id: fc.integer({ min: 0, max: 9 }),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
  isLive: fc.boolean(),
})

describe('facts by their words', () => {
  it('are those that a look at every one would find, whatever came and went before', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 60 }), fc.subarray(WORDS), (changes, asked) => {
        const facts = new StandingFacts()
        const worded = factsByStatement(facts)
        const terms = asked.flatMap((word) => findTerms(word))
        for (const { id, words, isLive } of changes)
          facts.set(makeFact({ id: `${id}`, text: words.join(' '), status: isLive ? 'live' : 'deleted' }))
        const termsOf = (text: string) => [...new Set(findTerms(text))]
        const live = [...facts.live()]
        const found = worded.saying(terms.flatMap((term) => worded.numberOf(term) ?? []))
        expect(found.sort((one, other) => one - other).map((place) => worded.at(place)?.fact)).toEqual(
          live.filter(({ text }) => termsOf(text).some((term) => terms.includes(term))),
        )
        for (const term of terms)
          expect(worded.timesOf(term)).toBe(live.filter(({ text }) => termsOf(text).includes(term)).length)
        expect(worded.size).toBe(live.length)
        for (const { id, text } of live) {
          const numbers = termsOf(text).map((term) => worded.numberOf(term))
          expect([...worded.wordsAt(facts.placeOf(id) ?? -1)]).toEqual(numbers)
        }
      }),
      { numRuns: 100 },
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { findTerms } from '../text/analyse-text.ts'
import { WordedFacts } from './worded-facts.ts'

const WORDS = ['river', 'garden', 'piano', 'winter', 'market', 'letters', 'the', '爬山', '猫']
const texts = fc.array(fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }), { maxLength: 12 })

describe('facts by their words', () => {
  it('are those that a look at every one would find, whatever came and went before', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), fc.subarray(WORDS), (rounds, asked) => {
        const worded = new WordedFacts(({ text }) => text)
        const made = new Map<string, ReturnType<typeof makeFact>>()
        const factOf = (text: string, place: number) => {
          const id = `${place}:${text}`
          const fact = made.get(id) ?? makeFact({ id, text })
          made.set(id, fact)
          return fact
        }
        const terms = asked.flatMap((word) => findTerms(word))
        for (const round of rounds) {
          const facts = round.map((words, place) => factOf(words.join(' '), place))
          worded.hold(facts)
          const termsOf = (text: string) => [...new Set(findTerms(text))]
          expect(worded.saying(terms).map(({ memory }) => memory)).toEqual(
            facts.filter(({ text }) => termsOf(text).some((term) => terms.includes(term))),
          )
          for (const term of terms)
            expect(worded.timesOf(term)).toBe(facts.filter(({ text }) => termsOf(text).includes(term)).length)
          expect(worded.size).toBe(facts.length)
        }
      }),
      { numRuns: 100 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { markTerms } from './mark-terms.ts'

const WORDS = Array.from({ length: 200 }, (_, at) => `word${at * 7}`)

describe('markTerms', () => {
  it('has no bit of some terms that all of them together lack', () => {
    for (const [at] of WORDS.entries()) {
      const all = WORDS.slice(at, at + 12)
      expect(markTerms(all.slice(2, 7)) & ~markTerms(all)).toBe(0)
    }
  })

  it('is 0 of no terms alone', () => {
    expect(markTerms([])).toBe(0)
    for (const word of WORDS) expect(markTerms([word])).not.toBe(0)
  })

  it('tells most texts apart', () => {
    const texts = Array.from({ length: 20 }, (_, at) => markTerms(WORDS.slice(at * 10, at * 10 + 8)))
    const alike = texts.flatMap((one) => texts.filter((other) => (one & ~other) === 0))
    expect(alike.length).toBeLessThan(2 * texts.length)
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Postings } from './postings.ts'

/** Whether one letter added, left out or replaced, or two neighbours exchanged, makes one word the other: all of them tried. */
function isOneSlipApart(word: string, other: string): boolean {
  const without = (one: string): string[] => Array.from(one, (_, at) => one.slice(0, at) + one.slice(at + 1))
  const gaps = (one: string): string[] =>
    Array.from(one, (_, at) => `${one.slice(0, at)}_${one.slice(at + 1)}`)
  const exchanged = Array.from(
    word,
    (_, at) => word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2),
  )
  return (
    without(word).includes(other) ||
    without(other).includes(word) ||
    gaps(word).some((one) => gaps(other).includes(one)) ||
    exchanged.includes(other)
  )
}

/** Words of few letters after the same first one, so that many are nearly alike. */
const WORD = fc
  .string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 5, maxLength: 8 })
  .map((rest) => `a${rest}`)

describe('Postings', () => {
  it('takes a term for the most frequent one that is one slip of the pen away, and for no other', () => {
    fc.assert(
      fc.property(WORD, fc.uniqueArray(WORD, { minLength: 1, maxLength: 12 }), (asked, known) => {
        const postings = new Postings({
          isTurn: new Uint8Array(64),
          isEarlier: (one, other) => one < other,
          idOf: String,
        })
        // The first stands in one document, the second in two, and so on.
        for (let row = 0; row < known.length; row++) {
          postings.write(row, known.slice(row))
          postings.show(row)
        }
        const alike = known.findLast((term) => isOneSlipApart(asked, term))
        expect(postings.listOfAlike(asked)?.size).toBe(
          alike === undefined ? undefined : postings.list(alike)?.size,
        )
      }),
    )
  })
})

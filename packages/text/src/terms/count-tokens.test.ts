import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { estimateTokens } from './count-tokens.ts'

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

it('counts a token for each wide character and for four others, whatever stands between them', () => {
  const some = fc.constantFrom(
    'a',
    ' ',
    '我',
    'か',
    'ン',
    '한',
    'ᄀ',
    '𠮷',
    '🎉',
    '\ud842',
    '\udfb7',
    '。',
    'é',
    '々',
  )
  const text = fc
    .array(fc.oneof(some, fc.string({ unit: 'grapheme', maxLength: 3 })))
    .map((parts) => parts.join(''))
  const isAsPlain = (said: string): void => {
    const wide = said.match(WIDE)?.length ?? 0
    expect(estimateTokens(said)).toBe(wide + Math.ceil((said.length - wide) / 4))
  }
  fc.assert(fc.property(text, isAsPlain), { numRuns: 500 })
})

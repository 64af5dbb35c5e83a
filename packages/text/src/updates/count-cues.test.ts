import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCues, CUES, phrasesOf } from './count-cues.ts'

/** Every phrase of every cue tried at every place, as plain as it can be said. */
function countPlainly(text: string): Record<string, number> {
  const times = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  return Object.fromEntries(
    CUES.map((cue) => {
      const { english, chinese } = phrasesOf(cue)
      const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${english.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
      return [cue, Math.min(3, times(words) + times(new RegExp(chinese.join('|'), 'gu')))]
    }),
  )
}

const english = CUES.flatMap((cue) => phrasesOf(cue).english).map((phrase) =>
  phrase
    .replaceAll(/\(\?:([^)]*)\)\?/g, '$1')
    .replaceAll(String.raw`\w+`, 'all')
    .replaceAll(/\\s\??/g, ' ')
    .replaceAll("'?", ''),
)
const chinese = CUES.flatMap((cue) => phrasesOf(cue).chinese)

describe('countCues', () => {
  it('counts what every phrase tried at every place finds', () => {
    const some = fc.constantFrom(...english, ...chinese, 'tea', '茶', 'a', 'don', 'anyone', '不再也不')
    const between = fc.constantFrom(' ', '', ', ', '-', '。')
    const text = fc.array(fc.tuple(some, between), { maxLength: 12 }).map((parts) => parts.flat().join(''))
    const isAsPlain = (said: string): void => {
      expect(countCues(said)).toEqual(countPlainly(said))
    }
    fc.assert(fc.property(text, isAsPlain), { numRuns: 2_000 })
  })

  it('takes what denies apart', () => {
    expect(countCues("I don't, I can’t and I WON'T.").denies).toBe(3)
    expect(countCues('').denies).toBe(0)
  })
})

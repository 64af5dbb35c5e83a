import { array, assert, constantFrom, oneof, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainSentenceEnds } from './plain-sentences.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const byRuntime = (text: string): number[] =>
  Array.from(segmenter.segment(text), ({ segment, index }) => index + segment.length)

describe('plainSentenceEnds', () => {
  it('ends sentences where Intl.Segmenter does', () => {
    const mark = constantFrom(...' ..!?,:-"\'()[]{}\n\r\t\v\f 1aA*/\0\u001f'.split(''))
    const piece = oneof(mark, mark, constantFrom('Mr', 'so', 'I', 'e.g', '3.5', '... ', 'OK. ', '?" '))
    const texts = array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
    assert(
      property(texts, (text) => {
        expect(plainSentenceEnds(text)).toEqual(byRuntime(text))
      }),
      { numRuns: 5_000, seed: 1 },
    )
  })

  it('leaves other texts to the runtime', () => {
    expect(['Käse.', 'one; two', '我来了。', 'Well…'].map(plainSentenceEnds)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { isToldByAnyWords, readConfidenceTraits, readWanted } from './measure-confidence.ts'
import type { Evidence } from '@keepsake/search'

const EVIDENCE: Evidence = {
  documents: 100,
  words: 0.5,
  unheard: 0.1,
  unheardTerms: new Set(),
  aheadOfPeople: 0,
  aheadOfAgent: 0,
  likely: [{ id: 't1', share: 0.7, before: 't0' }],
}

const ANY_WORDS = ['Do I like the sea?', 'What did I say about the garden?', '我喜欢大海吗?']
const PARTICULAR = [
  'How much rent do I pay?',
  'What is my dog called?',
  'What colour are my shoes?',
  '我的狗叫什么名字?',
]

describe('isToldByAnyWords', () => {
  it.each(ANY_WORDS)('is so where no text is asked for: %s', (question) => {
    const textOf = (): string => expect.unreachable()
    expect(isToldByAnyWords(readWanted(question))).toBe(true)
    const { missing, lacking } = readConfidenceTraits(question, EVIDENCE, { textOf, holds: () => true })
    expect([missing, lacking]).toEqual([0, 0])
  })

  it.each(PARTICULAR)('is not so where texts tell more: %s', (question) => {
    expect(isToldByAnyWords(readWanted(question))).toBe(false)
    const traits = (text: string) =>
      readConfidenceTraits(question, EVIDENCE, { textOf: () => text, holds: () => true })
    const [nothing, something] = [
      traits('we sat there'),
      traits('叫豆豆 I called Rex, red shoes, rent 900 euros'),
    ]
    expect(nothing.missing + nothing.lacking).toBeGreaterThanOrEqual(something.missing + something.lacking)
  })
})

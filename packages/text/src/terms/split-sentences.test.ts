import { describe, expect, it } from 'vitest'
import { splitSentences } from './split-sentences.ts'

describe('splitSentences', () => {
  it('splits English and Chinese, each sentence as it stands', () => {
    const english = 'I met Dr. Grey today. We talked!  Was it late? Yes\nIt was.'
    expect(splitSentences(english).map((sentence) => sentence.text)).toEqual([
      'I met Dr. Grey today.',
      'We talked!',
      'Was it late?',
      'Yes',
      'It was.',
    ])
    expect(splitSentences('我昨天去了北京。天气很好！你呢？').map((sentence) => sentence.text)).toEqual([
      '我昨天去了北京。',
      '天气很好！',
      '你呢？',
    ])
    for (const { text, start } of splitSentences(english))
      expect(english.slice(start, start + text.length)).toBe(text)
  })
})

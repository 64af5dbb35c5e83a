import { describe, expect, it } from 'vitest'
import { AnalysedText, AnalysedTexts } from './analysed-text.ts'

describe('AnalysedText', () => {
  it('knows what a reply to it answers', () => {
    expect(new AnalysedText('I am glad. How far did you run? Take your time.').prompt.text).toBe(
      'How far did you run?',
    )
    expect(new AnalysedText('I am glad. Take your time.').prompt.text).toBe('Take your time.')
  })

  it('knows whether it is understood by itself, and whether it is about the user', () => {
    expect(new AnalysedText('Yes, twice!').isElliptic).toBe(true)
    expect(
      new AnalysedText('We walked to the mill, ate soup and met an old friend of ours.').isElliptic,
    ).toBe(false)
    expect(new AnalysedText('Your sister lives in Porto.').isAboutUser).toBe(true)
    expect(new AnalysedText('Does your sister live in Porto?').isAboutUser).toBe(false)
  })
})

describe('AnalysedTexts', () => {
  it('analyses each text once', () => {
    const texts = new AnalysedTexts()
    const first = texts.of('We moved to Lyon.')
    expect(texts.of('We moved to Lyon.')).toBe(first)
    expect(first.terms).toBe(texts.of('We moved to Lyon.').terms)
  })

  it('keeps a limited number of texts, and drops the oldest', () => {
    const texts = new AnalysedTexts()
    const first = texts.of('text 0')
    for (let at = 0; at < 2_000; at += 1) texts.of(`text ${at}`)
    const held = texts.bytes
    texts.of('one more')
    expect(texts.bytes).toBe(held)
    expect(texts.of('text 0')).not.toBe(first)
  })
})

import { describe, expect, it } from 'vitest'
import { wordsOfChange } from './read-changing.ts'

describe('wordsOfChange', () => {
  it.each([
    ['Where do I live now, and where before?', 'moved'],
    ['What is my job now, and what was it before?', 'hired'],
    ['Who am I dating now, and who was it before?', 'broke up'],
    ['Do I eat meat now, or did I before?', 'vegan'],
    ['我现在住哪儿，以前住哪儿？', '搬家'],
    ['我现在干什么工作，以前呢？', '辞职'],
  ])('tells %s in words of its matter', (question, word) => {
    expect(wordsOfChange(question)).toContain(word)
  })

  it('knows no words of anything else', () => {
    expect(wordsOfChange('Which tablet do I take now, and which before?')).toBeNull()
  })
})

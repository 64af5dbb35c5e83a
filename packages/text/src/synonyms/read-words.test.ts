import { describe, expect, it } from 'vitest'
import { readWords } from './read-words.ts'

const termsOf = (text: string) => readWords(text).map(({ terms }) => terms.join(' '))

describe('readWords', () => {
  it('finds English words and pairs that something may be said in place of', () => {
    expect(termsOf('When did my boss pass away?')).toEqual(['boss', 'pass', 'awai', 'pass awai'])
  })

  it('makes no pair across a word that is left out', () => {
    expect(termsOf('pass the away')).not.toContain('pass awai')
  })

  it('finds Chinese words, whole', () => {
    const [asked] = readWords('我的老板是谁')
    expect(asked?.terms).toEqual(['老', '老板', '板'])
    expect(asked?.related.map(({ terms }) => terms)).toContainEqual(['领', '领导', '导'])
  })

  it('looks up what is said again once, and tells it as often as it is said', () => {
    const words = readWords('boss pass away, boss pass away: 老板老板'.repeat(20))
    expect(words.length).toBeGreaterThan(100)
    expect(new Set(words).size).toBeLessThan(10)
  })

  it.each(['', '？！', 'the of and', '123 456'])('finds none in %j', (text) => {
    expect(readWords(text)).toEqual([])
  })
})

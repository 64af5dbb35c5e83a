import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPackagedData } from '../terms/read-packaged-data.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { RELATED_TABLE_FILES, relatedTerms, type ThesaurusLanguage } from './related-terms.ts'

const NOTICE = new URL('../../NOTICE.md', import.meta.url)
const termsOf = (text: string) => [...new Set(findTerms(text))].join(' ')

/** How sure it is that one word is said for another; 0 where nothing links them. */
function sureness(word: string, other: string, language: ThesaurusLanguage): number {
  const asked = language === 'en' ? termsOf(word) : word
  return relatedTerms(asked, language).find(({ terms }) => terms.join(' ') === termsOf(other))?.weight ?? 0
}

describe('related terms', () => {
  it.each([
    ['spouse', 'husband'],
    ['kids', 'sons'],
    ['scared', 'afraid'],
    ['boss', 'manager'],
    ['vehicle', 'bicycle'],
    ['insect', 'mosquito'],
    ['purchase', 'bought'],
    ['pass away', 'died'],
  ])('of %s hold %s', (word, other) => expect(sureness(word, other, 'en')).toBeGreaterThan(0.3))

  it.each([
    ['老板', '领导'],
    ['怀孕', '妊娠'],
    ['父亲', '爸爸'],
    ['医生', '大夫'],
    ['害怕', '恐惧'],
  ])('of %s hold %s', (word, other) => expect(sureness(word, other, 'zh')).toBeGreaterThan(0.3))

  it('go by what a word mostly means', () => {
    expect(sureness('kid', 'child', 'en')).toBeGreaterThan(sureness('kid', 'goat', 'en'))
    expect(sureness('dog', 'puppy', 'en')).toBeGreaterThan(sureness('dog', 'follow', 'en'))
  })

  it('come the surest first, above 0 and at most 1, never the word itself', () => {
    for (const [word, language] of [
      ['dog', 'en'],
      ['home', 'en'],
      ['老板', 'zh'],
    ] as const) {
      const weights = relatedTerms(word, language).map(({ weight }) => weight)
      expect(weights.length).toBeGreaterThan(3)
      expect(weights).toEqual(weights.toSorted((one, other) => other - one))
      expect(weights.every((weight) => weight > 0 && weight <= 1)).toBe(true)
      expect(sureness(word, word, language)).toBe(0)
    }
  })

  it.each(['', 'qwertzuiop', '🎉', 'constructor', '龘龘'])('of %j are none', (word) => {
    expect([relatedTerms(word, 'en'), relatedTerms(word, 'zh')]).toEqual([[], []])
  })

  // Other bytes rank otherwise: then NOTICE.md must change too.
  it.each([
    [RELATED_TABLE_FILES.en, '922ebb085b77418fbc2c62795f12c88050b33bf6868c1db6f935ee30dd712a3e'],
    [RELATED_TABLE_FILES.zh, '706f4b49a231f49ffe5e23fbea33c33fccaa12cedefc04a9a2378377da8446e2'],
  ])('are read from %s as the recipe made it', (file, sha256) => {
    expect(createHash('sha256').update(readPackagedData(file)).digest('hex')).toBe(sha256)
    expect(readFileSync(NOTICE, 'utf8')).toContain(sha256)
  })
})

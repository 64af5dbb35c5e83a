import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  baseProbability,
  BIGRAM_PRIOR,
  countContext,
  embeddedSurprise,
  perplexity,
  PREVIOUS_WEIGHT,
  START,
  surpriseTokens,
  UNIGRAM_PRIOR,
  UNKNOWN_PROBABILITY,
} from './surprise.ts'

const model = embeddedSurprise()
const surprise = (text: string, previous = '', history: string[] = []) =>
  model.surprise(text, { previous, history })

describe('perplexity', () => {
  it('is the inverse of the base probability without context', () => {
    expect(perplexity(['a', 'b'], countContext('', []), () => 0.25)).toBeCloseTo(4)
  })

  it('follows the formula worked by hand', () => {
    // History "tea please" (1 each), agent "tea" (3): N = 5, c(tea) = 4, c(please) = 1,
    // c(START tea) = 4 = c(START ·), c(tea please) = 1 = c(tea ·). Base 0.01 for both words.
    expect([UNIGRAM_PRIOR, BIGRAM_PRIOR, PREVIOUS_WEIGHT]).toEqual([1000, 20, 3])
    const tea = (4 + 20 * ((4 + 1000 * 0.01) / 1005)) / (4 + 20)
    const please = (1 + 20 * ((1 + 1000 * 0.01) / 1005)) / (1 + 20)
    const context = countContext('tea', ['tea please'])
    expect(perplexity(['tea', 'please'], context, () => 0.01)).toBeCloseTo((tea * please) ** -0.5)
  })

  it('is over distributions that sum to one', () => {
    const context = countContext('a b a', ['b c'])
    const vocabulary = ['a', 'b', 'c', 'd']
    const sum = vocabulary.reduce((total, word) => total + 1 / perplexity([word], context, () => 0.25), 0)
    expect(sum).toBeCloseTo(1)
  })
})

describe('embeddedSurprise', () => {
  it.each(['', '   ', '?!', '🎉'])('is 1 for %j, in which nothing is predicted', (text) =>
    expect(surprise(text)).toBe(1),
  )

  it.each([
    ["I don't know what to do", 'Quaternions bifurcate lugubriously'],
    ['我今天很累', '魑魅魍魉饕餮'],
  ])('finds %j less surprising than %j', (common, rare) => {
    expect(surprise(common)).toBeLessThan(surprise(rare) / 5)
  })

  it.each([
    ['Mochi is fine', 'How is Mochi?', 'How is work?'],
    ['布丁很好', '布丁怎么样？', '工作怎么样？'],
  ])('finds %j less surprising after %j than after %j', (text, asked, other) => {
    expect(surprise(text, asked)).toBeLessThan(surprise(text, other) / 1.2)
  })

  it('finds what the user says often less surprising', () => {
    const text = 'my orchid garden'
    expect(surprise(text, '', ['I love my orchid garden', '今天'])).toBeLessThan(
      surprise(text, '', ['nothing', '今天']),
    )
  })

  it('is finite and above 1 for any text, soon', () => {
    for (const text of [
      '\0',
      'שלום',
      'xqzvw',
      'a'.repeat(1 << 20),
      '好'.repeat(1 << 20),
      '\ud800',
      'toString __proto__',
    ]) {
      const value = surprise(text, text, [text, text])
      expect(value).toBeGreaterThanOrEqual(1)
      expect(value).toBeLessThan(1 / UNKNOWN_PROBABILITY + 1)
    }
  })
})

describe('baseProbability', () => {
  it('ranks as language does', () => {
    expect(baseProbability('you')).toBeGreaterThan(baseProbability('guitar'))
    expect(baseProbability('guitar')).toBeGreaterThan(baseProbability('zither'))
    expect(baseProbability('是')).toBeGreaterThan(baseProbability('琴'))
    expect(baseProbability('zorblax')).toBe(UNKNOWN_PROBABILITY)
    expect(baseProbability("don't")).toBe(Math.min(baseProbability('do'), baseProbability('not')))
  })
})

describe('countContext', () => {
  /** By strings, one utterance after the other. */
  function countPlainly(previous: string, history: readonly string[], before: string, token: string) {
    const said = [...history.map((text) => [text, 1] as const), [previous, PREVIOUS_WEIGHT] as const]
    const counted = { total: 0, token: 0, before: 0, after: 0 }
    for (const [text, weight] of said) {
      let last = START
      for (const one of surpriseTokens(text)) {
        counted.total += weight
        counted.token += one === token ? weight : 0
        counted.before += last === before ? weight : 0
        counted.after += last === before && one === token ? weight : 0
        last = one
      }
    }
    return counted
  }

  it('counts as one utterance after the other does, whatever is asked about', () => {
    const word = fc.constantFrom('tea', 'a', 'cup', 'of', '茶', 'unsaid')
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), word, word, (previous, history, one, other) => {
        for (const counts of [
          countContext(previous, history),
          countContext(previous, history, [one, other]),
        ]) {
          const plain = countPlainly(previous, history, one, other)
          expect(counts.total).toBe(plain.total)
          expect(counts.timesOf(other)).toBe(plain.token)
          expect(counts.timesBefore(one)).toBe(plain.before)
          expect(counts.timesAfter(one, other)).toBe(plain.after)
          expect(counts.timesBefore(START)).toBe(countPlainly(previous, history, START, one).before)
        }
      }),
    )
  })
})

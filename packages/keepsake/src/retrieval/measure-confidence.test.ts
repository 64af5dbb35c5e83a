import { describe, expect, it } from 'vitest'
import type { Evidence } from '@keepsake/search'
import { AnalysedText } from '../user-state/analysed-text.ts'
import { readConfidenceTraits } from './confidence-traits.ts'
import { KNOWN_FROM, measureConfidence, readAnswerable } from './measure-confidence.ts'

/** Traits of a memory whose only likely answer is a text that holds all of the question. */
function traitsOf(question: string, said: string, more: Partial<Evidence> = {}) {
  const evidence: Evidence = {
    documents: 100,
    terms: [{ term: 'rent', rarity: 5 }],
    unheardTerms: new Set(),
    aheadOfPeople: 0,
    aheadOfAgent: 0,
    likely: [{ id: 't1', held: [1], asked: null, before: null }],
    nearest: 1,
    nearestMeaning: 0,
    ...more,
  }
  const statementsOf = () => new AnalysedText(said).statements
  return readConfidenceTraits({ asked: question, named: [] }, evidence, {
    textOf: () => said,
    statementsOf,
    holds: () => true,
    otherNames: () => [],
    textsBefore: () => [],
    self: [],
  })
}

describe('readConfidenceTraits', () => {
  it('looks for the words of a question in one statement that tells what is asked for', () => {
    const question = 'How much rent do I pay?'
    expect(traitsOf(question, 'My rent is 900 euros.')).toMatchObject({
      coverage: 1,
      particular: 1,
      answering: 1,
    })
    expect(traitsOf(question, 'The rent went up.')).toMatchObject({ coverage: 0, answering: 0 })
    expect(traitsOf(question, 'Is the rent 900 euros? I forgot.')).toMatchObject({ coverage: 0 })
    expect(traitsOf(question, 'If I rented for 900 euros, the rent would be fine.')).toMatchObject({
      coverage: 0,
    })
  })

  it('asks for a place, and reads Traditional Chinese', () => {
    expect(traitsOf('Where do I pay rent?', 'My rent goes to Ghent.')).toMatchObject({
      particular: 1,
      answering: 1,
    })
    expect(traitsOf('Where do I pay rent?', 'The rent went up.')).toMatchObject({ coverage: 0, answering: 0 })
    expect(traitsOf('主編幾歲？', '主編佩珊答應了。')).toMatchObject({ particular: 1, answering: 0 })
    expect(traitsOf('主編幾歲？', '主編四十歲。')).toMatchObject({ particular: 1, answering: 1 })
  })

  it('does not hold what shares a word with a sentence by chance', () => {
    const terms = ['rent', 'harbour', 'master', 'mast', 'sail', 'paint', 'port', 'keel', 'crew'].map(
      (term) => ({
        term,
        rarity: 5,
      }),
    )
    const held = [1, 0, 0, 0, 0, 0, 0, 0, 0]
    const likely = [{ id: 't1', held, asked: null, before: null }]
    expect(traitsOf('Why is it so?', 'I pay my rent.', { terms, likely }).unmentioned).toBe(1)
    expect(traitsOf('Why is it so?', 'I pay my rent.').unmentioned).toBe(0)
  })

  it('takes no statement about another person for one about the asker', () => {
    const coverage = (question: string) => traitsOf(question, 'My sister pays 900 euros of rent.').coverage
    expect(coverage('How much rent do I pay?')).toBe(0)
    expect(coverage('How much rent does my sister pay?')).toBe(1)
  })

  it('reads a short answer with its question', () => {
    const likely = [{ id: 't1', held: [0], asked: [1], before: 't0' }]
    expect(traitsOf('How much rent do I pay?', '900 euros.', { likely }).coverage).toBe(1)
    const near = (reply: string) => traitsOf('Is the rent high?', reply, { likely, nearest: 0 }).isNear
    expect([near('Hard to say, perhaps?'), near('Never mind.')]).toEqual([true, false])
  })
})

describe('measureConfidence', () => {
  it('is known for what a statement holds, and not for an empty memory', () => {
    const traits = traitsOf('Do I pay rent?', 'I pay my rent.')
    expect(measureConfidence(traits)).toBeGreaterThan(KNOWN_FROM)
    expect(measureConfidence({ ...traits, coverage: 0, unmentioned: 1 })).toBeLessThan(KNOWN_FROM)
    expect(measureConfidence({ ...traits, particular: 1, coverage: 0.5 })).toBeLessThan(KNOWN_FROM)
    expect(measureConfidence({ ...traits, documents: 0 })).toBe(0)
  })
})

it.each([
  [0.9, false, 'yes'],
  [0.2, true, 'maybe'],
  [0.2, false, 'no'],
] as const)(
  'a confidence of %d, with something near it %s, answers: %s',
  (confidence, isNear, answerable) => {
    expect(readAnswerable(confidence, isNear)).toBe(answerable)
  },
)

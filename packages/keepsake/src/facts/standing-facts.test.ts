import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { factsSaying } from './fact-lookup.ts'
import { StandingFacts } from './standing-facts.ts'

function standing(...facts: ReturnType<typeof makeFact>[]): StandingFacts {
  const all = new StandingFacts()
  for (const fact of facts) all.set(fact)
  return all
}

const ids = (facts: Iterable<{ readonly id: string }>): string[] => Array.from(facts, ({ id }) => id)
const like = (id: string, value: string, traits = {}) =>
  makeFact({ id, key: 'likes', value, text: value, ...traits })

describe('the live facts of a scope', () => {
  it('keep the order in which they became known, whatever becomes of them', () => {
    const facts = standing(like('tea', 'tea'), like('jazz', 'jazz'), like('dogs', 'dogs'))
    facts.set(like('tea', 'tea', { status: 'deleted' }))
    expect(ids(facts.live())).toEqual(['jazz', 'dogs'])
    facts.set(like('tea', 'green tea'))
    facts.set(like('jazz', 'jazz', { pinned: true }))
    expect([ids(facts.live()), ids(facts.about('user')), ids(facts.ofKey('user', 'likes'))]).toEqual([
      ['tea', 'jazz', 'dogs'],
      ['tea', 'jazz', 'dogs'],
      ['tea', 'jazz', 'dogs'],
    ])
    expect(facts.get('jazz')?.pinned).toBe(true)
  })

  it('are found by a statement that says the same', () => {
    const facts = standing(like('tea', 'The user likes cats.'), like('dogs', 'The user likes dogs.'))
    expect(ids(factsSaying(facts, 'user', 'User likes a cat'))).toEqual(['tea'])
    facts.set(like('cats', 'User likes the cat'))
    facts.set(like('tea', 'The user likes tea.'))
    expect(ids(factsSaying(facts, 'user', 'User likes a cat'))).toEqual(['cats'])
    expect(factsSaying(facts, 'Anna', 'User likes a cat')).toEqual([])
  })

  it('are found by ids in the order in which they became known', () => {
    const facts = standing(like('tea', 'tea'), like('jazz', 'jazz'), like('dogs', 'dogs'))
    facts.set(like('jazz', 'jazz', { status: 'deleted' }))
    expect(ids(facts.find(['dogs', 'jazz', 'nothing', 'tea']))).toEqual(['tea', 'dogs'])
  })

  it('let go of what ends', () => {
    const facts = standing(like('tea', 'tea'))
    facts.set(like('tea', 'tea', { subject: 'Anna' }))
    expect([ids(facts.about('user')), ids(facts.about('Anna'))]).toEqual([[], ['tea']])
    facts.set(like('tea', 'tea', { subject: 'Anna', status: 'forgotten' }))
    expect([ids(facts.live()), ids(facts.about('Anna')), facts.get('tea')]).toEqual([[], [], undefined])
    expect(facts.ofKey('user', 'likes')).toEqual([])
  })
})

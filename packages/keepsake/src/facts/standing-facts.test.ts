import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { StandingFacts } from './standing-facts.ts'

function standing(...facts: ReturnType<typeof makeFact>[]): StandingFacts {
  const all = new StandingFacts()
  for (const fact of facts) all.set(fact)
  return all
}

const ids = (facts: Iterable<{ readonly id: string }>): string[] => Array.from(facts, ({ id }) => id)
const like = (id: string, value: string, traits = {}) =>
  makeFact({ id, key: 'likes', value, text: value, ...traits })
const LIKES = { subject: 'user', key: 'likes' }

describe('the live facts of a scope', () => {
  it('are told to whoever follows them: each that comes, goes, says something else or is pinned, and no other', () => {
    const facts = standing(like('tea', 'tea'), like('over', 'jazz', { status: 'forgotten' }))
    const told: string[] = []
    facts.follow({
      take: ({ fact, place }) => told.push(`+${fact.id} ${fact.value} ${place}`),
      drop: ({ fact, place }) => told.push(`-${fact.id} ${fact.value} ${place}`),
    })
    facts.set(like('tea', 'tea', { metadata: { seen: true } }))
    facts.set(like('tea', 'tea', { pinned: true }))
    facts.set(like('dogs', 'dogs'))
    facts.set(like('tea', 'green tea', { pinned: true }))
    facts.set(like('dogs', 'dogs', { status: 'deleted' }))
    facts.set(like('over', 'jazz'))
    expect(told).toEqual([
      '+tea tea 0',
      '-tea tea 0',
      '+tea tea 0',
      '+dogs dogs 2',
      '-tea tea 0',
      '+tea green tea 0',
      '-dogs dogs 2',
      '+over jazz 1',
    ])
  })

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

  it('are found by what a value says, says more than, or less', () => {
    const many = Array.from({ length: 200 }, (_, at) => like(`thing${at}`, `thing number ${at}`))
    const facts = standing(...many, like('tea', 'Tea!'), like('green', 'green tea'), like('hers', 'hers'))
    expect(ids(facts.near(LIKES, 'the tea', 'same'))).toEqual(['tea'])
    expect(ids(facts.near(LIKES, 'green tea', 'more-or-less'))).toEqual(['tea', 'green'])
    expect(ids(facts.near(LIKES, 'tea', 'more-or-less'))).toEqual(['tea', 'green'])
    expect(ids(facts.near(LIKES, 'a thing, number 17', 'more-or-less'))).toEqual(['thing17'])
    expect(ids(facts.near(LIKES, 'hers', 'same'))).toEqual(['hers'])
    expect(ids(facts.near(LIKES, 'chess', 'more-or-less'))).toEqual([])
  })

  it('are found by a statement that says the same', () => {
    const facts = standing(like('tea', 'The user likes cats.'), like('dogs', 'The user likes dogs.'))
    expect(ids(facts.saying('user', 'User likes a cat'))).toEqual(['tea'])
    facts.set(like('cats', 'User likes the cat'))
    facts.set(like('tea', 'The user likes tea.'))
    expect(ids(facts.saying('user', 'User likes a cat'))).toEqual(['cats'])
    expect(facts.saying('Anna', 'User likes a cat')).toEqual([])
  })

  it('tell what held at a time, and what came after', () => {
    const at = (id: string, validFrom: number, validUntil: number | null) =>
      like(id, id, { validFrom, validUntil })
    const past = Array.from({ length: 20 }, (_, place) => at(`past${place}`, place, place + 1))
    const facts = standing(...past, at('long', 5, 50), at('later', 40, 60), at('now', 60, null))
    expect(ids(facts.around(LIKES, 30))).toEqual(['long', 'later', 'now'])
    expect(ids(facts.around(LIKES, 30, (id) => id === 'later' || id === 'now'))).toEqual(['past19', 'long'])
    expect(ids(facts.around(LIKES, 70))).toEqual(['now'])
  })

  it('give the last learned that still hold', () => {
    const facts = standing(
      like('first', 'a', { learnedAt: 1 }),
      like('third', 'b', { learnedAt: 3 }),
      like('over', 'c', { learnedAt: 9, validUntil: 9 }),
      like('second', 'd', { learnedAt: 2 }),
    )
    const latest = (most: number) =>
      ids(facts.latest({ subjects: new Set(['user']), most, accepts: ({ id }) => id !== 'nobody' }))
    expect([latest(2), latest(9)]).toEqual([
      ['third', 'second'],
      ['first', 'third', 'second'],
    ])
  })

  it('let go of what ends', () => {
    const facts = standing(like('tea', 'tea'))
    facts.set(like('tea', 'tea', { subject: 'Anna' }))
    expect([ids(facts.about('user')), ids(facts.about('Anna'))]).toEqual([[], ['tea']])
    facts.set(like('tea', 'tea', { subject: 'Anna', status: 'forgotten' }))
    expect([ids(facts.live()), ids(facts.about('Anna')), facts.get('tea')]).toEqual([[], [], undefined])
    expect(facts.current(LIKES)).toEqual([])
  })
})

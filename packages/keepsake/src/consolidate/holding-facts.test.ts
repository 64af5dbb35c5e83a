import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StandingFacts } from '../facts/standing-facts.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import { holdingFacts } from './holding-facts.ts'

const told = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  learnedAt: fc.integer({ min: 1, max: 4 }),
  words: fc.integer({ min: 1, max: 4 }),
  isOver: fc.boolean(),
  isDeleted: fc.boolean(),
})

describe('facts that still hold', () => {
  it('are listed by when they were learned as sorting all of them lists them, as long as there is room', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 30 }), fc.integer({ min: 5, max: 30 }), (changes, tokens) => {
        const facts = new StandingFacts()
        const holding = holdingFacts(facts)
        for (const { id, learnedAt, words, isOver, isDeleted } of changes) {
          const status = isDeleted ? 'deleted' : 'live'
          const text = 'word '.repeat(words)
          facts.set(makeFact({ id, text, learnedAt, validUntil: isOver ? 9 : null, status }))
          const live = [...facts.live()]
          const tokensOf = (one: string) => holding.tokensAt(facts.placeOf(one) ?? -1)
          expect(holding.leastTokens).toBe(Math.min(...live.map((fact) => tokensOf(fact.id))))
          const sorted = live
            .filter(({ validUntil }) => validUntil === null)
            .sort((one, other) => other.learnedAt - one.learnedAt)
          let left = tokens
          const fitting = sorted.filter((fact) => {
            if (tokensOf(fact.id) > left) return false
            left -= tokensOf(fact.id)
            return true
          })
          let room = tokens
          const found: string[] = []
          for (const { fact } of holding.lastLearned(() => room)) {
            found.push(fact.id)
            room -= tokensOf(fact.id)
          }
          expect(found).toEqual(fitting.map((fact) => fact.id))
        }
      }),
    )
  })
})

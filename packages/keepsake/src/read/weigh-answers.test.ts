import { expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { NOW, openEngine, storeMemories } from '../work/engine-fixture.ts'
import { foundAs } from './recall-fixture.ts'
import { LOOKED_AT, weighAnswers } from './weigh-answers.ts'

const DAY = 86_400_000

const FAST = makeFact({ id: 'fast', text: 'The user has a boat that is fast.', learnedAt: NOW })
const BLUE = makeFact({ id: 'blue', text: 'The user has a boat that is blue.', learnedAt: NOW })

/** Weighs memories that the search found in this order, each a little worse than the one before. */
async function weighed(question: string, ...memories: readonly Memory[]) {
  const place = await openEngine()
  await storeMemories(place, ...memories)
  const state = await place.engine.users.load(place.row.owner)
  const found = memories.map((memory, index) => foundAs(memory, 2 - index / 10))
  return weighAnswers(place.engine, state, question, found)
}

const idsOf = (found: readonly { readonly memory: Memory }[]) => found.map(({ memory }) => memory.id)

it('a memory that tells the property asked for comes before one that matches a little better', async () => {
  const [first, second] = await weighed('What colour is my boat?', FAST, BLUE)
  expect(first?.memory.id).toBe('blue')
  expect(first?.parts['states']).toBeGreaterThan(0)
  expect(second?.parts['states']).toBeLessThan(0)
})

it('where no such property is asked for the order stays', async () => {
  expect(idsOf(await weighed('What of my boat?', FAST, BLUE))).toEqual(['fast', 'blue'])
})

it('a question for what is so now prefers what was said later; one for both states does not', async () => {
  const old = makeFact({ id: 'old', text: 'The user keeps the boat in Ayr.', validFrom: NOW - 90 * DAY })
  const fresh = makeFact({ id: 'new', text: 'The user keeps the boat in Oban.', validFrom: NOW })
  expect(idsOf(await weighed('Where do I keep my boat now?', old, fresh))).toEqual(['new', 'old'])
  expect(idsOf(await weighed('Where do I keep my boat now, and where before?', old, fresh))).toEqual([
    'old',
    'new',
  ])
})

it('a memory whose sentence means what is asked comes before one that only shares a word', async () => {
  const near = makeFact({ id: 'near', text: 'The user is allergic to peanuts.', learnedAt: NOW })
  const far = makeFact({ id: 'far', text: 'The user wrote a report about the company.', learnedAt: NOW })
  const [first] = await weighed('Which foods make me ill?', far, near)
  expect(first?.memory.id).toBe('near')
})

it('results that are not looked at stay behind those that are', async () => {
  const many = Array.from({ length: LOOKED_AT + 3 }, (_, index) =>
    makeFact({ id: `m${index}`, text: `The user has boat number ${index}.`, learnedAt: NOW }),
  )
  const found = await weighed('What colour is my boat?', ...many)
  expect(found).toHaveLength(many.length)
  expect(idsOf(found.slice(LOOKED_AT))).toEqual(idsOf(many.slice(LOOKED_AT).map((memory) => ({ memory }))))
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a))
})

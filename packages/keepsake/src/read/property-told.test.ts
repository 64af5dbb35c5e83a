import { readLeadingProperty } from '@keepsake/text'
import { expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { NOW, openEngine, storeMemories } from '../work/engine-fixture.ts'
import { rankByProperty } from './rerank.ts'
import { foundAs } from './recall-fixture.ts'

const FAST = makeFact({ id: 'fast', text: 'The user has a boat that is fast.', learnedAt: NOW })
const BLUE = makeFact({ id: 'blue', text: 'The user has a boat that is blue.', learnedAt: NOW })

async function ranked(text: string) {
  const place = await openEngine()
  await storeMemories(place, FAST, BLUE)
  const property = readLeadingProperty(text) ?? /(?!)/
  return rankByProperty(await place.engine.users.load(place.row.owner), property, [
    foundAs(FAST, 2),
    foundAs(BLUE, 1.8),
  ])
}

it('a memory that tells the property asked for comes before one that matches a little better', async () => {
  const [first, second] = await ranked('What colour is my boat?')
  expect(first?.memory.id).toBe('blue')
  expect(first?.parts['property']).toBeGreaterThan(0)
  expect(second?.parts['property']).toBeUndefined()
})

it('where no such property is asked for the order stays', async () => {
  const found = await ranked('What of my boat?')
  expect(found.map(({ memory }) => memory.id)).toEqual(['fast', 'blue'])
})

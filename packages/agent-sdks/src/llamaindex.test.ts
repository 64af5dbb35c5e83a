import { createMemory } from '@llamaindex/core/memory'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { KeepsakeMemoryBlock } from './llamaindex.ts'

let keepsake: Keepsake

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterEach(() => keepsake.close())

it('remembers what leaves the short-term memory, and recalls it', async () => {
  const ana = keepsake.scope({ user: 'ana' })
  const memory = createMemory({
    memoryBlocks: [new KeepsakeMemoryBlock(ana, { session: 'chat' })],
    tokenLimit: 400,
    shortTermTokenLimitRatio: 0.1,
  })
  await memory.add({ role: 'user', content: 'My sister Mia is allergic to peanuts.' })
  await memory.add({ role: 'assistant', content: 'Poor Mia!' })
  for (let day = 1; day <= 5; day++)
    await memory.add({
      role: 'user',
      content: `Day ${day} of our holiday: we walked along the coast until dusk.`,
    })
  expect((await ana.turns()).slice(0, 2).map(({ role, text, session }) => [role, text, session])).toEqual([
    ['user', 'My sister Mia is allergic to peanuts.', 'chat'],
    ['assistant', 'Poor Mia!', 'chat'],
  ])

  await memory.add({ role: 'assistant', content: 'Lovely.' })
  await memory.add({ role: 'user', content: [{ type: 'text', text: 'What can I not cook for Mia?' }] })
  const messages = await memory.getLLM()
  expect(messages[0]?.role).toBe('memory')
  expect(messages[0]?.content).toContain('allergic to peanuts')
  expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: 'What can I not cook for Mia?' }])
})

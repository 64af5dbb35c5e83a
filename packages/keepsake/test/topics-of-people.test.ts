import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

const STATEMENTS = [
  'My brother Henrik repairs clocks in Odense.',
  'My aunt Vera keeps a stall at the market.',
  'Vera is moving house.',
  'I grew up in Tartu.',
  'Our tortoise is called Pebble.',
  'I owe my friend Luca 300 francs. He lent me the money for my bike.',
]

async function preview(topic: string): Promise<{ readonly found: string; readonly unsure: number }> {
  const user = (await openForTest()).scope({ user: 'u' })
  await user.remember(STATEMENTS.map((text) => ({ role: 'user' as const, text })))
  await user.drain()
  const { memories, unsure } = await user.forgetAbout(topic, { dryRun: true })
  return { found: memories.map(({ text }) => text).join('\n'), unsure: unsure.length }
}

describe('a thing of a person that was never mentioned', () => {
  it.each([
    "Henrik's funeral",
    "my brother Henrik's debts",
    'the engagement of Henrik',
    "Vera's baby",
    'Vera and the surgery',
    "Luca's secret romance",
  ])('is unsure: %s', async (topic) => {
    const { found, unsure } = await preview(topic)
    expect(found).toBe('')
    expect(unsure).toBeGreaterThan(0)
  })

  it.each([
    ["Vera's stall", /market/],
    ["Henrik's clocks", /clocks/],
    ['the money I owe Luca', /francs/],
  ])('is found if it was mentioned: %s', async (topic, pattern) => {
    const { found } = await preview(topic)
    expect(found).toMatch(pattern)
    expect(found).not.toMatch(/called|moving/)
  })
})

describe('a topic in capitals', () => {
  it.each([
    ['VERA', /stall[^]*moving/],
    ['TARTU', /Tartu/],
    ['PEBBLE', /Pebble/],
    ['THE STALL', /stall/],
    ['MY TORTOISE', /tortoise/],
  ])('is found: %s', async (topic, pattern) => {
    expect((await preview(topic)).found).toMatch(pattern)
  })
})

import { expect, it } from 'vitest'
import { openMemory } from 'keepsake'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 5)

it('tells of a person how their first talk opened, however little its words say of any matter', async () => {
  const memory = await openMemory({ path: ':memory:', now: () => START + 40 * DAY })
  const scope = memory.scope({ user: 'oda' })
  const opening = 'Oda. Tromsø, and it is dark at noon, so bear with me'
  await scope.remember([{ role: 'user', text: opening, at: START }], { session: 's0' })
  for (let number = 1; number <= 30; number++) {
    const turns = Array.from({ length: 4 }, (_, place) => ({
      role: 'user' as const,
      text: `My sister Liv and I painted the kitchen wall number ${number * 4 + place} on Monday, my boss at work hated the colour`,
      at: START + number * DAY + place * 60_000,
    }))
    await scope.remember(turns, { session: `s${number}` })
  }
  const { context } = await scope.recall('Tell me about myself.', { now: START + 40 * DAY, tokens: 400 })
  expect(context.text).toContain('bear with me')
  await memory.close()
})

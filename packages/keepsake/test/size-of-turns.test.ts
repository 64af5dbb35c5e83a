import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

const LONGEST = 100_000

describe('a turn', () => {
  it('is taken to the length that the memory was opened with, and refused beyond with its length, the limit and what to do', async () => {
    const keepsake = await openForTest({ maxTurnLength: LONGEST })
    const ana = keepsake.scope({ user: 'ana' })
    expect((await ana.remember({ role: 'user', text: 'x'.repeat(LONGEST) })).added).toBe(1)
    const long = { role: 'user' as const, text: 'x'.repeat(LONGEST + 1) }
    const refusal = 'text is 100001 characters long; at most 100000 are taken. Split it into several.'
    await expect(ana.remember([{ role: 'user', text: 'Short.' }, long])).rejects.toMatchObject({
      code: 'invalid-input',
      message: `turns[1].${refusal}`,
    })
    expect((await keepsake.stats()).turns).toBe(1)
  })

  it('among a hundred full of secrets holds the process for moments only', async () => {
    const keepsake = await openForTest()
    const text = `ghp_${'a'.repeat(36)} `.repeat(100)
    const turns = Array.from({ length: 100 }, () => ({ role: 'user' as const, text }))
    await keepsake.scope({ user: 'warm-up' }).remember(turns.slice(0, 5))
    let turnsOfOthers = 0
    const others = setInterval(() => (turnsOfOthers += 1), 1)
    await keepsake.scope({ user: 'ana' }).remember(turns)
    clearInterval(others)
    expect(turnsOfOthers).toBeGreaterThan(10)
  })
})

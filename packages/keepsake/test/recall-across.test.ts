import { describe, expect, it } from 'vitest'
import { estimateTokens, InvalidInputError, type Keepsake } from 'keepsake'
import { openForTest } from './open-for-test.ts'

async function openGroup(): Promise<Keepsake> {
  const keepsake = await openForTest()
  const say = async (user: string, text: string): Promise<void> => {
    await keepsake.scope({ user }).remember({ role: 'user', text }, { session: 'one' })
  }
  await say('u1', 'I am allergic to peanuts.')
  await say('u1', 'I keep bees on the roof.')
  await say('u2', 'I am allergic to shellfish.')
  await say('u3', 'My allergy is to cats, keep it to yourself.')
  for (const user of ['u1', 'u2', 'u3']) await keepsake.scope({ user }).drain()
  return keepsake
}

const BOTH = [
  { user: 'u1', name: 'Ana' },
  { user: 'u2', name: 'Ben' },
]

describe('recalling across several people', () => {
  it('tells each memory with whose it is, and the context in a part for each', async () => {
    const keepsake = await openGroup()
    const recall = await keepsake.recallAcross(BOTH, 'Who is allergic to what?')
    expect(recall.answerable).not.toBe('no')
    const [ana, ben] = recall.context.text.split('\n\n')
    expect(ana).toMatch(/^Ana:\n[^]*peanuts/)
    expect(ben).toMatch(/^Ben:\n[^]*shellfish/)
    expect(ana).not.toContain('shellfish')
    const owners = recall.memories.map(({ memory, of }) => [recall.scopes[of]?.name, memory.text] as const)
    for (const [name, text] of owners) {
      if (text.includes('peanuts')) expect(name).toBe('Ana')
      if (text.includes('shellfish')) expect(name).toBe('Ben')
    }
    expect(new Set(owners.map(([name]) => name))).toEqual(new Set(['Ana', 'Ben']))
  })

  it('brings nothing of who was not named', async () => {
    const keepsake = await openGroup()
    const recall = await keepsake.recallAcross(BOTH, 'Who is allergic to cats?')
    expect(JSON.stringify(recall)).not.toContain('cats, keep it')
  })

  it('holds each recall as it would be by itself', async () => {
    const keepsake = await openGroup()
    const question = 'What is Ana allergic to?'
    const across = await keepsake.recallAcross(BOTH, question, { reinforce: false })
    const alone = await keepsake.scope({ user: 'u1' }).recall(question, { reinforce: false })
    expect(across.scopes[0]?.recall.memories).toEqual(alone.memories)
    expect(across.scopes[0]?.recall.confidence).toBe(alone.confidence)
  })

  it('keeps to one budget for all', async () => {
    const keepsake = await openGroup()
    for (const tokens of [10, 30, 60]) {
      const { context } = await keepsake.recallAcross(BOTH, 'Who is allergic to what?', { tokens })
      expect(context.tokens).toBeLessThanOrEqual(tokens)
      expect(context.tokens).toBe(context.text === '' ? 0 : estimateTokens(context.text))
    }
  })

  it('knows nothing of nobody', async () => {
    const keepsake = await openGroup()
    const recall = await keepsake.recallAcross([{ user: 'nobody' }, { user: 'no one' }], 'Who?')
    expect(recall).toMatchObject({ memories: [], known: false, confidence: 0, context: { text: '' } })
  })

  it('refuses no scopes, one twice, and what is misspelt', async () => {
    const keepsake = await openGroup()
    const asking = (scopes: readonly object[], options: object = {}) =>
      keepsake.recallAcross(scopes as never, 'Who?', options)
    await expect(asking([])).rejects.toThrow(InvalidInputError)
    await expect(asking([{ user: 'u1' }, { user: 'u1', tenant: 'default' }])).rejects.toThrow('named before')
    await expect(asking([{ usr: 'u1' }])).rejects.toThrow(
      'scopes[0] has no option "usr". Did you mean "user"?',
    )
    await expect(asking(BOTH, { token: 5 })).rejects.toThrow('Did you mean "tokens"?')
  })
})

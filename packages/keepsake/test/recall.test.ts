import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

const TALK = [
  {
    role: 'user',
    text: 'My brother Oskar builds wooden boats in Gdansk.',
    id: 't1',
    at: '2024-01-10T10:00:00Z',
  },
  { role: 'assistant', text: 'That sounds like a wonderful craft.', id: 't2', at: '2024-01-10T10:00:10Z' },
  { role: 'user', text: 'I bake sourdough bread every Sunday.', id: 't3', at: '2024-02-10T10:00:00Z' },
  {
    role: 'assistant',
    text: 'You could try the rye recipe by Hamelman.',
    id: 't4',
    at: '2024-02-10T10:00:10Z',
  },
  { role: 'user', text: 'We adopted a greyhound called Pixel.', id: 't5', at: '2024-03-10T10:00:00Z' },
] as const

async function talk(options = {}) {
  const keepsake = await openForTest(options)
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember(TALK, { session: 'one' })
  return { keepsake, ana }
}

describe('recall', () => {
  it('finds a turn at once, before it is consolidated, and says so', async () => {
    const { ana } = await talk()
    const { memories } = await ana.recall('What does Oskar build?')
    expect(memories[0]?.evidence[0]?.turn).toBe('t1')
    expect(memories[0]?.pending).toBe(true)
  })

  it('finds the same turn once it is consolidated, through a lasting memory', async () => {
    const { keepsake, ana } = await talk()
    await keepsake.drain()
    const { memories } = await ana.recall('What does Oskar build?')
    expect(memories[0]?.evidence[0]?.turn).toBe('t1')
    expect(memories[0]?.pending).toBe(false)
    expect(await ana.memories({ statuses: ['live'] })).toContainEqual(
      expect.objectContaining({ id: memories[0]?.memory.id }),
    )
  })

  it('finds what the agent recommended', async () => {
    const { keepsake, ana } = await talk()
    await ana.endSession()
    await keepsake.drain()
    const { memories } = await ana.recall('Which rye recipe did you recommend?')
    expect(memories[0]?.evidence[0]?.turn).toBe('t4')
  })

  it('says what each score is made of: the parts add up to it', async () => {
    const { ana } = await talk()
    for (const { score, parts } of (await ana.recall('greyhound Pixel')).memories) {
      const sum = Object.values(parts).reduce((total, part) => total + part, 0)
      expect(sum).toBeCloseTo(score, 4)
    }
  })

  it('keeps the context within the token budget, by the counter passed in', async () => {
    const countTokens = (text: string) => text.length
    const { ana } = await talk({ countTokens })
    const { context } = await ana.recall('Tell me about Oskar, bread and Pixel', { tokens: 120 })
    expect(context.text).toMatch(/^\[2024-02-10\] user:\n- "I bake sourdough bread every Sunday\."/)
    expect(context.tokens).toBeLessThanOrEqual(120)
    expect(context.tokens).toBe(context.text.length)
  })

  it('returns no more than the limit', async () => {
    const { ana } = await talk()
    expect((await ana.recall('bread boats greyhound', { limit: 1 })).memories).toHaveLength(1)
  })

  it('says that it does not know what was never said, and knows what was', async () => {
    const { keepsake, ana } = await talk()
    await keepsake.drain()
    const known = await ana.recall('What is the name of the greyhound?')
    const unknown = await ana.recall('Which submarine did the mayor of Osaka purchase?')
    expect(known.known).toBe(true)
    expect(unknown.known).toBe(false)
    expect(known.confidence).toBeGreaterThan(unknown.confidence)
  })

  it('answers as of a time: nothing said later is found', async () => {
    const { ana } = await talk()
    const turns = (
      await ana.recall('Pixel greyhound bread boats', { asOf: '2024-02-15T00:00:00Z' })
    ).memories.flatMap((recalled) => recalled.evidence.map((evidence) => evidence.turn))
    expect(turns).toContain('t3')
    expect(turns).not.toContain('t5')
  })

  it('answers nothing for a person it has never met, and makes no scope for them', async () => {
    const { keepsake } = await talk()
    const recall = await keepsake.scope({ user: 'nobody' }).recall('Pixel')
    expect(recall).toMatchObject({ memories: [], confidence: 0, known: false })
    expect((await keepsake.scopes()).map((scope) => scope.user)).toEqual(['ana'])
  })

  it('takes a very long question, and refuses one without words', async () => {
    const { ana } = await talk()
    for (const empty of ['', ' \n'])
      await expect(ana.recall(empty)).rejects.toThrow('The question is empty: ask in words.')
    const { memories } = await ana.recall('Pixel '.repeat(100_000))
    expect(memories[0]?.evidence[0]?.turn).toBe('t5')
  })

  it('counts what it used, and logs nothing, unless asked not to', async () => {
    const { keepsake, ana } = await talk()
    await ana.endSession()
    await keepsake.drain()
    await ana.recall('Pixel greyhound', { reinforce: false })
    await keepsake.drain()
    const before = (await keepsake.stats()).operations
    const { memories } = await ana.recall('Pixel greyhound', { reinforce: true })
    await keepsake.drain()
    expect((await keepsake.stats()).operations).toBe(before)
    const [best] = memories
    const after = (await ana.memories({ forms: ['utterance'] })).find(
      (memory) => memory.id === best?.memory.id,
    )
    expect(after?.use.first).toBe(1)
  })
})

describe('the wall between people', () => {
  it('lets nothing cross tenants and users', async () => {
    const keepsake = await openForTest()
    await keepsake
      .scope({ tenant: 'a', user: 'ana' })
      .remember({ role: 'user', text: 'The vault code is heron.' })
    await keepsake.drain()
    for (const key of [{ tenant: 'b', user: 'ana' }, { tenant: 'a', user: 'bea' }, { user: 'ana' }]) {
      expect((await keepsake.scope(key).recall('vault code heron')).memories).toEqual([])
      expect(await keepsake.scope(key).memories()).toEqual([])
    }
  })

  it("does not take another person's memory or operation by its id", async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'The vault code is heron.' })
    await ana.endSession()
    await keepsake.drain()
    const [memory] = await ana.memories({ forms: ['utterance'] })
    const [operation] = await ana.admin.history(memory?.id ?? '')
    const bea = keepsake.scope({ user: 'bea' })
    await bea.remember({ role: 'user', text: 'Hello.' })
    for (const attempt of [
      () => bea.admin.history(memory?.id ?? ''),
      () => bea.explain(memory?.id ?? ''),
      () => bea.forget(memory?.id ?? ''),
      () => bea.erase({ memories: [memory?.id ?? ''] }),
      () => bea.undo(operation?.id ?? ''),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  it('narrows to an agent, and sees all of a person when none is named', async () => {
    const keepsake = await openForTest()
    await keepsake
      .scope({ user: 'ana', agent: 'tutor' })
      .remember({ role: 'user', text: 'I struggle with integrals.' })
    await keepsake
      .scope({ user: 'ana', agent: 'coach' })
      .remember({ role: 'user', text: 'I struggle with hill sprints.' })
    const tutor = await keepsake.scope({ user: 'ana', agent: 'tutor' }).recall('What do I struggle with?')
    const whole = await keepsake.scope({ user: 'ana' }).recall('What do I struggle with?')
    expect(tutor.memories.map((recalled) => recalled.memory.text)).toEqual(['I struggle with integrals.'])
    expect(whole.memories).toHaveLength(2)
  })
})

describe('recall of forms', () => {
  it('narrows to the forms and types it names', async () => {
    const { keepsake, ana } = await talk()
    await ana.endSession()
    await keepsake.drain()
    const { memories } = await ana.recall('greyhound Pixel boats bread', {
      forms: ['fact'],
      reinforce: false,
    })
    const facts = await ana.memories({ forms: ['fact'] })
    expect(facts.map(({ text }) => text).join()).toContain('Pixel')
    expect(new Set(memories.map(({ memory }) => memory.id))).toEqual(new Set(facts.map(({ id }) => id)))
  })
})

import { describe, expect, it } from 'vitest'
import type { Keepsake, Memory, ScopedMemory } from '../src/index.ts'
import { openForTest } from './open-for-test.ts'

const DAY = 86_400_000

async function talk(
  ...days: readonly (readonly string[])[]
): Promise<{ keepsake: Keepsake; user: ScopedMemory }> {
  const keepsake = await openForTest()
  const user = keepsake.scope({ user: 'u' })
  for (const [day, texts] of days.entries()) {
    const at = Date.UTC(2024, 0, 1, 18) + day * 30 * DAY
    await user.remember(
      texts.map((text, index) => ({ role: 'user', text, id: `t${day}.${index}`, at: at + index * 60_000 })),
      { session: `s${day}` },
    )
    await user.endSession(`s${day}`)
    await keepsake.drain()
  }
  return { keepsake, user }
}

async function everything(user: ScopedMemory, question: string, options = {}): Promise<string> {
  const { memories, context } = await user.recall(question, {
    limit: 50,
    tokens: 10_000,
    reinforce: false,
    ...options,
  })
  return JSON.stringify([memories, context.text])
}

async function facts(user: ScopedMemory, key: string): Promise<readonly Memory[]> {
  return (await user.memories({ forms: ['fact'] })).filter((memory) => memory.key === key)
}

describe('a request to forget', () => {
  it.each([
    [
      'in English',
      ['I have a parrot named Kiwi.', 'I work as a baker.'],
      'Please forget that I have a parrot named Kiwi.',
      'Kiwi',
      'baker',
    ],
    [
      'about a name',
      ['My cousin Wilhelmina is a pilot.', 'I work as a baker.'],
      'Delete what I said about Wilhelmina.',
      'Wilhelmina',
      'baker',
    ],
    ['in Chinese', ['我有一只猫叫小白。', '我在医院工作。'], '请忘掉我说的关于小白的事。', '小白', '医院'],
  ])(
    'drops what it names %s, the request included, and nothing else',
    async (_, said, request, dropped, kept) => {
      const { user } = await talk(said, [request])
      const found = await everything(user, `${dropped} ${kept}`)
      expect(found).not.toContain(dropped)
      expect(found).toContain(kept)
    },
  )

  it('drops what was said just before', async () => {
    const { user } = await talk(
      ['I work as a baker.'],
      ['I once stole a bicycle.', 'Forget what I just said.'],
    )
    const found = await everything(user, 'bicycle baker')
    expect(found).not.toContain('bicycle')
    expect(found).toContain('baker')
  })

  it.each([
    "Don't forget that I have a parrot named Kiwi.",
    "I'll never forget my parrot Kiwi.",
    '别忘了我有一只鹦鹉叫Kiwi。',
  ])('is not seen in "%s"', async (text) => {
    const { user } = await talk(['I have a parrot named Kiwi.'], [text])
    expect(await everything(user, 'parrot Kiwi')).toContain('Kiwi')
    expect((await user.memories({ statuses: ['deleted'] })).length).toBe(0)
  })

  it('can be explained and undone', async () => {
    const { user } = await talk(
      ['I have a parrot named Kiwi.'],
      ['Please forget that I have a parrot named Kiwi.'],
    )
    const [gone] = await user.memories({ statuses: ['deleted'], forms: ['fact'] })
    const explanation = await user.explain(gone?.id ?? '')
    expect(explanation.sentences.join(' ')).toContain('asked to be forgotten')
    const deletion = explanation.history.find((operation) => operation.kind === 'delete')
    await user.undo(deletion?.id ?? '')
    expect(await everything(user, 'parrot Kiwi')).toContain('Kiwi')
  })
})

describe('what is said to have changed', () => {
  it('answers both where somebody lives and where they lived', async () => {
    const { user } = await talk(['I live in Porto.'], ['Actually, I moved to Lyon.'])
    const residence = await facts(user, 'residence')
    const now = residence.filter((memory) => memory.validUntil === null)
    expect(now.map((memory) => memory.value)).toEqual(['Lyon'])
    const values = residence.flatMap((memory) => [
      memory.value,
      ...memory.past.map((version) => version.value),
    ])
    expect(values).toContain('Porto')
    const then = await user.recall('Where do I live?', {
      asOf: '2024-01-15T00:00:00Z',
      forms: ['fact'],
      reinforce: false,
    })
    expect(then.memories.map((recalled) => recalled.memory.value)).toEqual(['Porto'])
  })

  it('closes what somebody no longer does, and keeps that it was so', async () => {
    const { user } = await talk(['I work as a baker.'], ['I no longer work as a baker.'])
    const [job] = await facts(user, 'occupation')
    expect(job).toMatchObject({
      value: expect.stringContaining('baker'),
      validUntil: Date.UTC(2024, 0, 31, 18),
    })
    expect(job?.evidence.map((evidence) => evidence.turn)).toEqual(['t0.0', 't1.0'])
  })

  it('lets a new liking delete the dislike it contradicts', async () => {
    const { user } = await talk(['I hate olives.'], ['I love olives now.'])
    expect((await facts(user, 'dislikes')).length).toBe(0)
    expect((await facts(user, 'likes')).map((memory) => memory.value)).toEqual(['olives'])
  })

  it('works in Chinese', async () => {
    const { user } = await talk(['我住在上海。'], ['我搬到北京了。'])
    const now = (await facts(user, 'residence')).filter((memory) => memory.validUntil === null)
    expect(now.map((memory) => memory.value)).toEqual(['北京'])
  })
})

describe('what only the agent says', () => {
  it('never becomes a fact about the user', async () => {
    const keepsake = await openForTest()
    const user = keepsake.scope({ user: 'u' })
    await user.remember([
      { role: 'agent', text: 'You live in Reykjavik and you love herring, right?' },
      { role: 'user', text: 'Hm, why do you ask?' },
    ])
    await user.endSession()
    await keepsake.drain()
    expect((await user.memories({ forms: ['fact'] })).filter((memory) => memory.subject === 'user')).toEqual(
      [],
    )
  })

  it('becomes one, labelled as such, when the user confirms it', async () => {
    const keepsake = await openForTest()
    const user = keepsake.scope({ user: 'u' })
    await user.remember([
      { role: 'agent', text: 'So you live in Reykjavik?' },
      { role: 'user', text: 'Yes.' },
    ])
    await user.endSession()
    await keepsake.drain()
    const [fact] = await facts(user, 'residence')
    expect(fact).toMatchObject({ value: 'Reykjavik', label: 'user-confirmed' })
  })
})

import { describe, expect, it } from 'vitest'
import type { ScopedMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'

const GARAGE = 'My cousin Pavel runs a garage in Brno.'

const texts = async (user: ScopedMemory): Promise<string[]> => (await user.memories()).map(({ text }) => text)

/** A model that reads the garage in whatever shows it, and waits before its first answer. */
async function withSlowModel() {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const shown: string[] = []
  const model = scriptedModel(async (request) => {
    const text = request.messages.map((message) => message.text).join('\n')
    if (request.schemaName !== 'segment') return '{}'
    shown.push(text)
    asked.resolve()
    await answer.promise
    const memories = text.includes('Pavel runs')
      ? [
          {
            text: "The user's cousin Pavel runs a garage in Brno.",
            evidence: ['1: Pavel runs a garage in Brno'],
          },
          { text: 'The user has a red bicycle.', evidence: ['3: I have a red bicycle'] },
          { text: 'Pavel is a good boss.', evidence: ['4: He is a good boss'] },
        ]
      : []
    return JSON.stringify({
      memories,
      forget: [],
      summary: text.includes('Pavel runs') ? 'Pavel has a garage.' : '',
    })
  })
  const keepsake = await openForTest({ model })
  const user = keepsake.scope({ user: 'u' })
  await user.remember([
    { role: 'user', text: GARAGE },
    { role: 'assistant', text: 'Good to know.' },
    { role: 'user', text: 'I have a red bicycle.' },
    { role: 'user', text: 'He is a good boss.' },
  ])
  await user.endSession()
  await asked.promise
  return { user, shown, answer }
}

describe('what is forgotten while a model reads it', () => {
  const ways: Readonly<Record<string, (user: ScopedMemory) => Promise<unknown>>> = {
    'by topic': (user) => user.forgetAbout('Pavel'),
    'by id': async (user) => {
      const utterances = await user.memories({ forms: ['utterance'] })
      const found = utterances.find(({ text }) => text.includes('Pavel'))
      return user.forget(found?.id ?? '')
    },
  }
  it.each(Object.entries(ways))('does not come back: %s', async (_, forget) => {
    const { user, shown, answer } = await withSlowModel()
    await forget(user)
    answer.resolve()
    await user.drain()
    expect((await texts(user)).join('\n')).not.toMatch(/Pavel|Brno/)
    // What other messages say stays, and the model is asked once.
    expect((await user.memories({ forms: ['fact'] })).map(({ text }) => text)).toEqual([
      'The user has a red bicycle.',
    ])
    expect((await user.recall('Where is the garage?')).context.text).not.toMatch(/Pavel|Brno/)
    expect(shown).toHaveLength(1)
  })

  it('is read once if nothing is forgotten', async () => {
    const { user, shown, answer } = await withSlowModel()
    await user.remember({ role: 'user', text: 'I bought a red kettle.' }, { session: 'next' })
    answer.resolve()
    await user.drain()
    expect((await texts(user)).join('\n')).toMatch(/Pavel/)
    expect(shown.filter((text) => text.includes('Pavel runs'))).toHaveLength(1)
  })
})

describe('what forgetAbout removed', () => {
  it.each(['in order', 'in reverse', 'the first alone', 'twice'])('comes back by undo: %s', async (way) => {
    const user = (await openForTest()).scope({ user: 'u' })
    await user.remember([
      { role: 'user', text: GARAGE },
      { role: 'user', text: 'Pavel has a red van.' },
    ])
    await user.drain()
    const before = (await texts(user)).toSorted()
    const { operations } = await user.forgetAbout('Pavel')
    expect(operations.length).toBeGreaterThan(2)
    const ids = operations.map(({ id }) => id)
    const undone = {
      'in reverse': ids.toReversed(),
      'the first alone': ids.slice(0, 1),
      twice: [...ids, ...ids],
    }
    for (const id of undone[way as keyof typeof undone] ?? ids)
      expect((await user.undo(id)).kind).toMatch(/restore|modify|delete/)
    expect((await texts(user)).toSorted()).toEqual(before)
  })
})

describe('a topic of a message that was stored just now', () => {
  it.each(['Pavel', 'the garage'])('is forgotten: %s', async (topic) => {
    const user = (await openForTest()).scope({ user: 'u' })
    await user.remember([
      { role: 'user', text: GARAGE },
      { role: 'user', text: 'I collect stamps.' },
    ])
    const preview = await user.forgetAbout(topic, { dryRun: true })
    const { memories } = await user.forgetAbout(topic)
    expect(memories.map(({ id }) => id)).toEqual(preview.memories.map(({ id }) => id))
    expect(memories.map(({ text }) => text).join('\n')).toContain('Pavel')
    await user.drain()
    expect((await texts(user)).join('\n')).not.toMatch(/Pavel|Brno/)
    expect((await texts(user)).join('\n')).toContain('stamps')
  })
})

import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'

const day = (n: number) => `2025-03-${String(n).padStart(2, '0')}T19:00:00Z`

async function talk(key: { user: string; agent?: string }) {
  const keepsake = await openForTest()
  const scope = keepsake.scope(key)
  const said = [
    ['user', 'Long day. I work at the harbour office, permits and moorings.'],
    ['assistant', "That's fantastic, Priya! Congratulations on the permits."],
    ['user', 'My sister Anju teaches chemistry in Leeds.'],
    ['assistant', 'You could visit her over Easter, Priya.'],
    ['user', 'I am allergic to walnuts, found out the hard way.'],
    ['assistant', 'Good night, Priya.'],
  ] as const
  await scope.remember(
    said.map(([role, text], place) => ({ id: `t${place + 1}`, role, text, at: day(place + 1) })),
    { session: 'one' },
  )
  await keepsake.drain()
  return scope
}

describe('names of those who talk', () => {
  it.each([
    ['Where do I work?', 'Where does Priya work?', 't1'],
    ['What am I allergic to?', 'What is Priya allergic to?', 't5'],
    ['Where does my sister teach?', "Where does Priya's sister teach?", 't3'],
  ])('ask the same in the first and the third person: %s', async (first, third, turn) => {
    const scope = await talk({ user: 'priya' })
    const [one, other] = [await scope.recall(first), await scope.recall(third)]
    const evidence = (recall: typeof one) => recall.memories[0]?.evidence.map((found) => found.turn)
    expect(evidence(one)).toContain(turn)
    expect(evidence(other)).toContain(turn)
    expect(other.known).toBe(one.known)
    expect(Math.abs(other.confidence - one.confidence)).toBeLessThan(0.1)
  })

  it('are learned from what the person says they are called', async () => {
    const scope = await talk({ user: 'u-4711' })
    await scope.remember({ role: 'user', text: 'My name is Priya.', id: 't7', at: day(8) })
    await scope.drain()
    const { memories } = await scope.recall('Where does Priya work?')
    expect(memories[0]?.evidence.map((found) => found.turn)).toContain('t1')
  })

  it('are learned from how the agent speaks to the person, whatever their key', async () => {
    const scope = await talk({ user: 'u-4711' })
    const { memories } = await scope.recall('Where does Priya work?')
    expect(memories[0]?.evidence.map((found) => found.turn)).toContain('t1')
    // Anju is spoken of, and by the person: where she works nobody said.
    expect((await scope.recall('Where does Anju work?')).confidence).toBeLessThan(
      (await scope.recall('Where does Priya work?')).confidence,
    )
  })

  it('are learned from how the person speaks to the agent', async () => {
    const scope = await talk({ user: 'u-4711' })
    await scope.remember(
      [
        { role: 'user', text: 'Thanks, Pip. Which book on moorings would you take?', id: 't7', at: day(8) },
        { role: 'assistant', text: 'The Long Rope, it has every knot.', id: 't8', at: day(9) },
        { role: 'user', text: 'Pip, you are a gem.', id: 't9', at: day(10) },
      ],
      { session: 'two' },
    )
    await scope.drain()
    const [named, spoken] = [
      await scope.recall('Which book did Pip recommend?'),
      await scope.recall('Which book did you recommend?'),
    ]
    const found = ({ memories }: typeof named) => memories.map(({ memory }) => memory.id)
    expect(found(named)).toEqual(found(spoken))
  })

  it('tell what the agent said from what it was told', async () => {
    const scope = await talk({ user: 'priya', agent: 'nova' })
    const { memories } = await scope.recall('What did Nova tell Priya to visit?')
    expect(memories[0]?.evidence.map((found) => found.turn)).toContain('t4')
  })
})

describe('confidence', () => {
  it('is not had from the name of the person who asks', async () => {
    const scope = await talk({ user: 'priya' })
    expect((await scope.recall('Has Priya ever been to Japan?')).known).toBe(false)
    expect((await scope.recall('Have I ever been to Japan?')).known).toBe(false)
  })
})

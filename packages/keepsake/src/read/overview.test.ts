import { expect, it } from 'vitest'
import { openEngine, resolvedIn, storeTurns } from '../work/engine-fixture.ts'
import { gatherLastSession } from './overview.ts'
import { recallMemories } from './recall.ts'
import { requestIn } from './recall-fixture.ts'

it('gathers of a long talk as many turns as could stand in the context, those that say most', async () => {
  const place = await openEngine()
  const said = Array.from({ length: 300 }, (_, at) => ({
    session: 'long',
    text:
      at < 260 ? `Yes, ${at}.` : `We walked along the river to the old mill, ate soup and saw ${at} birds.`,
  }))
  await storeTurns(place, ...said)
  const state = await place.engine.users.load(place.row.owner)
  const gathered = (tokens: number): readonly string[] =>
    gatherLastSession(requestIn(place, { tokens }), state).map(({ memory }) => memory.evidence[0]?.turn ?? '')
  const usual = gathered(1_000)
  expect(usual).toHaveLength(200)
  expect(usual.slice(0, 40).every((id) => (state.turns.get(id)?.text.length ?? 0) > 40)).toBe(true)
  expect(gathered(10_000)).toHaveLength(300)
})

it('tells all about one subject on short lines by day, and shows what was said of it, not how somebody replied', async () => {
  const place = await openEngine()
  await storeTurns(
    place,
    {
      session: 'a',
      text: 'Several things. The library cut my hours, the cat is ill, and I bruised my hip on the stairs.',
    },
    { session: 'a', role: 'assistant', text: 'That is a lot at once. Shall we begin with the library?' },
    { session: 'a', text: 'Maybe later.' },
    {
      session: 'b',
      text: 'It was a fracture of the hip after all, so I am on crutches until the end of June, says Dr Banerjee.',
    },
  )
  const { context } = await recallMemories(place.engine, resolvedIn(place), 'How is my hip?', { tokens: 150 })
  expect(context.text).toMatch(/^\[[\d-]+\].*\n- "Several things/m)
  expect(context.text).toContain('bruised my hip')
  expect(context.text).toContain('on crutches until the end of June')
})

it('seeks the subject of a wide question, not the words that ask for all of it', async () => {
  const place = await openEngine()
  await storeTurns(
    place,
    { session: 'a', text: 'What is going on with the bus? It has been going round and round the square.' },
    { session: 'b', text: 'Hamish: I told him about the ferry.' },
    { session: 'c', text: 'Hamish: he took it well, and comes on Friday.' },
  )
  const { memories } = await recallMemories(
    place.engine,
    resolvedIn(place),
    'What has been going on with Hamish?',
    {},
  )
  expect(memories.slice(0, 2).map(({ memory }) => memory.session)).toEqual(expect.arrayContaining(['b', 'c']))
})

it('shows every turn on a short line before it makes the first ones long', async () => {
  const place = await openEngine()
  const aches = Array.from({ length: 20 }, (_, at) => ({
    session: 'a',
    text: `My knee hurt at mill ${at}, so I sat down on the bank, and the geese came, and nobody else did, and we went home by boat.`,
  }))
  await storeTurns(place, ...aches)
  const { context } = await recallMemories(
    place.engine,
    resolvedIn(place),
    'What should you know about my health?',
    { tokens: 500 },
  )
  for (const at of aches.keys()) expect(context.text).toContain(`My knee hurt at mill ${at},`)
  expect(context.text).toContain('home by boat.')
  expect(context.tokens).toBeGreaterThan(450)
})

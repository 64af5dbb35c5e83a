import { beforeEach, expect, it } from 'vitest'
import { RouteAsker, type MemoryList } from '../../testing/routes-asker.ts'

const ANA = '/v1/scopes/ana'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open({
    categories: { races: 'Races they run.' },
    keys: {
      'weekly-distance': { description: 'How far they run.', schema: { type: 'number' }, unit: 'km' },
      'next-race': {
        description: 'The next race.',
        schema: {
          type: 'object',
          properties: { place: { type: 'string' }, at: { type: 'number' } },
          required: ['place', 'at'],
        },
        category: 'races',
      },
    },
  })
})

it('states of keys are written, read in their own form, and filtered by category', async () => {
  const add = (body: object) => asker.ask<{ id: string }>('POST', `${ANA}/memories`, body)
  await add({ text: 'The user runs 42 km a week.', key: 'weekly-distance', value: 42 })
  // The application's own JSON: `at` is no moment of the engine's.
  const race = { place: 'Ghent', at: 9 }
  expect((await add({ text: 'The user runs in Ghent at nine.', key: 'next-race', value: race })).status).toBe(
    201,
  )
  const { body } = await asker.ask<{ states: object[] }>('GET', `${ANA}/state`)
  expect(body.states).toMatchObject([
    { key: 'weekly-distance', value: 42, unit: 'km', memories: [{ value: '42 km' }] },
    { key: 'next-race', value: race, unit: null },
  ])
  expect((await asker.ask('GET', `${ANA}/state/next-race`)).body).toMatchObject({ value: race })
  expect((await asker.ask('GET', `${ANA}/state/next-race?subject=Tom`)).body).toMatchObject({ value: null })
  expect((await asker.ask('GET', `${ANA}/categories`)).body).toEqual({
    categories: [{ name: 'races', description: 'Races they run.', facts: 1 }],
  })
  const listed = await asker.ask<MemoryList>('GET', `${ANA}/memories?categories=races`)
  expect(listed.body.memories).toMatchObject([{ key: 'next-race', metadata: { category: 'races' } }])
  const recalled = await asker.ask<MemoryList>('POST', `${ANA}/recall`, {
    question: 'What does Ana run?',
    categories: ['races'],
  })
  expect(recalled.body.memories).toMatchObject([{ memory: { key: 'next-race' } }])
})

it.each([
  ['GET', `${ANA}/state/weekly`, undefined],
  ['POST', `${ANA}/memories`, { text: 'Far.', key: 'weekly-distance', value: 'far' }],
  ['POST', `${ANA}/memories`, { text: 'Far.', category: 'gear' }],
])('refuses what the application did not define: %s %s', async (method, path, body) => {
  const { status } = await asker.ask(method, path, body)
  expect(status).toBe(422)
})

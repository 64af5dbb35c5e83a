import { expect, it } from 'vitest'
import { openEngine, storeTurns } from '../work/engine-fixture.ts'
import { gatherLastSession } from './overview.ts'
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

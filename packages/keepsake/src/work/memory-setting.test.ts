import { expect, it } from 'vitest'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { openEngine, storeTurns } from './engine-fixture.ts'
import { settingOfSession, settingOfTurn, viewScope } from './scope-view.ts'

async function view() {
  const place = await openEngine()
  await storeTurns(place, {}, { role: 'assistant' }, { session: 's2' }, { session: 's2' })
  return viewScope(place.engine, place.row)
}

it('gives what is made up to a turn that turn’s session, round and time', async () => {
  const scope = await view()
  const settingOf = (turn: Turn) => settingOfTurn(scope, turn)
  expect(settingOf(makeTurn({ session: 's1', position: 2, at: 20 }))).toEqual({
    session: 's1',
    sessionNumber: 1,
    round: 1,
    learnedAt: 20,
  })
  expect(settingOf(makeTurn({ session: 's2', position: 3, at: 30 }))).toMatchObject({
    sessionNumber: 2,
    round: 2,
  })
  expect(settingOf(makeTurn({ session: 'gone', position: 4 }))).toMatchObject({ sessionNumber: 0, round: 3 })
})

it('gives what is made of a whole session its end', async () => {
  const session = { scope: 1, id: 's1', number: 1, startedAt: 10, lastAt: 20, endedAt: null }
  expect(settingOfSession(await view(), session)).toEqual({
    session: 's1',
    sessionNumber: 1,
    round: 3,
    learnedAt: 20,
  })
})

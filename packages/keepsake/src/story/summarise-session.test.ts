import { expect, it } from 'vitest'
import { makeCandidate } from '../memories/memory-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { scriptedSummariser } from './summariser-fixture.ts'
import { summariseSession } from '../consolidate/finish-session.ts'

const TURNS = [makeTurn({ id: 't1', at: 20 }), makeTurn({ id: 't2', at: 10 })]

it('makes a summary of a session’s turns, of the time of the earliest', async () => {
  const summariser = scriptedSummariser(() => 'They met.')
  expect(await summariseSession(TURNS, summariser, { before: 'Once.' })).toEqual(
    makeCandidate({
      form: 'summary',
      type: 'event',
      text: 'They met.',
      evidence: ['t1', 't2'].map((turn) => ({ turn, quote: null })),
      validFrom: 10,
    }),
  )
  expect(summariser.asked).toMatchObject([
    { maxCharacters: 700, before: 'Once.', sources: [{ turn: 't1' }, { turn: 't2' }] },
  ])
})

it.each([null, 'unsafe'])('makes none where the summariser says %j', async (told) => {
  expect(
    await summariseSession(
      TURNS,
      scriptedSummariser(() => told),
    ),
  ).toBe(told)
})

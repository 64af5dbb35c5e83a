import { expect, it } from 'vitest'
import { loadOwnTalk } from '../datasets/own-talk.ts'
import { cutSessions } from './cost.ts'
import { takeRounds } from './take-rounds.ts'

it('cuts a talk into sessions of as many rounds, and loses no turn', async () => {
  const talk = await loadOwnTalk('nadia-en')
  const turns = talk.conversation.sessions.flatMap((session) => session.turns)
  const cut = cutSessions(talk, 12)
  const { sessions, sessionOf } = cut.conversation
  expect(sessions.flatMap((session) => session.turns)).toEqual(turns)
  const rounds = sessions.map((session) => session.turns.filter(({ role }) => role === 'user').length)
  expect(rounds.slice(0, -1)).toEqual(rounds.slice(0, -1).map(() => 12))
  expect(rounds.at(-1)).toBeLessThanOrEqual(12)
  expect(takeRounds(cut, 100).rounds).toBe(takeRounds(talk, 100).rounds)
  for (const { id, turns: own } of sessions)
    expect(own.every((turn) => sessionOf.get(turn.id) === id)).toBe(true)
})

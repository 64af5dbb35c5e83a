import type { DatasetTurn } from '../datasets/conversation.ts'
import type { Talk } from '../datasets/own-talk.ts'

/** A talk as it would be in sessions of so many rounds: how long sessions are decides how often a model is asked. */
export function cutSessions(talk: Talk, rounds: number): Talk {
  const { conversation } = talk
  const sessions: DatasetTurn[][] = []
  let begun = 0
  for (const turn of conversation.sessions.flatMap((session) => session.turns)) {
    if (sessions.length === 0 || (turn.role === 'user' && begun % rounds === 0 && begun > 0))
      sessions.push([])
    if (turn.role === 'user') begun += 1
    sessions.at(-1)?.push(turn)
  }
  const named = sessions.map((turns, place) => ({ id: `${rounds}-${place + 1}`, turns }))
  const sessionOf = named.flatMap(({ id, turns }) =>
    turns.map((turn): [string, string] => [conversation.unitOf.get(turn.id) ?? turn.id, id]),
  )
  return { ...talk, conversation: { ...conversation, sessions: named, sessionOf: new Map(sessionOf) } }
}

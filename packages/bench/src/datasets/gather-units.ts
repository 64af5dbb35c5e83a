import type { BenchConversation, DatasetSession, DatasetTurn } from './conversation.ts'

/** Which unit each turn belongs to, and which session each unit. */
export type Units = Pick<BenchConversation, 'unitOf' | 'sessionOf'>

/** Whether a turn begins a unit. @param before the turn before it in the session */
type Begins = (turn: DatasetTurn, before: DatasetTurn | undefined) => boolean

function gatherUnits(sessions: readonly DatasetSession[], begins: Begins): Units {
  const unitOf = new Map<string, string>()
  const sessionOf = new Map<string, string>()
  for (const { id, turns } of sessions) {
    let unit = ''
    for (const [place, turn] of turns.entries()) {
      if (place === 0 || begins(turn, turns[place - 1])) unit = turn.id
      unitOf.set(turn.id, unit)
      sessionOf.set(unit, id)
    }
  }
  return { unitOf, sessionOf }
}

/**
 * Units that are rounds: what the user said and the agent's reply to it. A session that the agent opens begins with
 * a unit of its own.
 */
export function gatherRounds(sessions: readonly DatasetSession[]): Units {
  return gatherUnits(sessions, ({ role }) => role === 'user')
}

/** Units that are an agent's utterance and the user's answer to it. */
export function gatherAnswers(sessions: readonly DatasetSession[]): Units {
  return gatherUnits(sessions, ({ role }, before) => role === 'agent' || before?.role === 'user')
}

/** Units that are single turns. */
export function gatherTurns(sessions: readonly DatasetSession[]): Units {
  return gatherUnits(sessions, () => true)
}

import type { BenchConversation, DatasetSession } from './conversation.ts'

/** Which unit each turn belongs to, and which session each unit. */
export type Units = Pick<BenchConversation, 'unitOf' | 'sessionOf'>

/**
 * Units that are rounds: what the user said and the agent's reply to it. A session that the agent opens begins with
 * a unit of its own.
 */
export function gatherRounds(sessions: readonly DatasetSession[]): Units {
  const unitOf = new Map<string, string>()
  const sessionOf = new Map<string, string>()
  for (const session of sessions) {
    let unit: string | null = null
    for (const turn of session.turns) {
      if (unit === null || turn.role === 'user') unit = turn.id
      unitOf.set(turn.id, unit)
      sessionOf.set(unit, session.id)
    }
  }
  return { unitOf, sessionOf }
}

/** Units that are single turns. */
export function gatherTurns(sessions: readonly DatasetSession[]): Units {
  const pairs = sessions.flatMap(({ id, turns }) => turns.map((turn) => [turn.id, id] as const))
  return { unitOf: new Map(pairs.map(([turn]) => [turn, turn])), sessionOf: new Map(pairs) }
}

import type { BenchConversation, DatasetSession, DatasetTurn } from './conversation.ts'

/** The unit of each turn, and the session of each unit. */
export type Units = Pick<BenchConversation, 'unitOf' | 'sessionOf'>

/** Reports, for each kind of unit, whether a turn begins a new unit. The first turn of a session always does. */
const BEGINS_UNIT = {
  rounds: ({ role }: DatasetTurn) => role === 'user',
  /** A unit is the agent's words with the user's answer. */
  answers: ({ role }: DatasetTurn, previous?: DatasetTurn) =>
    role === 'assistant' || previous?.role === 'user',
  turns: () => true,
} as const

/** Groups the turns of sessions into units, by which retrieval is scored. A unit has the id of its first turn. */
export function gatherUnits(sessions: readonly DatasetSession[], kind: keyof typeof BEGINS_UNIT): Units {
  const unitOf = new Map<string, string>()
  const sessionOf = new Map<string, string>()
  for (const { id, turns } of sessions) {
    let unit = ''
    for (const [place, turn] of turns.entries()) {
      if (place === 0 || BEGINS_UNIT[kind](turn, turns[place - 1])) unit = turn.id
      unitOf.set(turn.id, unit)
      sessionOf.set(unit, id)
    }
  }
  return { unitOf, sessionOf }
}

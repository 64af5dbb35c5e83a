import type { BenchConversation, DatasetSession, DatasetTurn } from './conversation.ts'

/** Which unit each turn belongs to, and which session each unit. */
export type Units = Pick<BenchConversation, 'unitOf' | 'sessionOf'>

/** What a unit is, by whether a turn begins one; the first of a session always does. */
const BEGINS = {
  /** What the user said and the agent's reply to it. */
  rounds: ({ role }: DatasetTurn) => role === 'user',
  /** An agent's utterance and the user's answer to it. */
  answers: ({ role }: DatasetTurn, before?: DatasetTurn) => role === 'agent' || before?.role === 'user',
  turns: () => true,
} as const

/** Gathers the turns of each session into units of a kind. */
export function gatherUnits(sessions: readonly DatasetSession[], kind: keyof typeof BEGINS): Units {
  const unitOf = new Map<string, string>()
  const sessionOf = new Map<string, string>()
  for (const { id, turns } of sessions) {
    let unit = ''
    for (const [place, turn] of turns.entries()) {
      if (place === 0 || BEGINS[kind](turn, turns[place - 1])) unit = turn.id
      unitOf.set(turn.id, unit)
      sessionOf.set(unit, id)
    }
  }
  return { unitOf, sessionOf }
}

import type { BenchConversation, DatasetSession, DatasetTurn } from './conversation.ts'

export type Units = Pick<BenchConversation, 'unitOf' | 'sessionOf'>

/** Unit kinds, by which turn begins one; the first turn of a session always does. */
const BEGINS = {
  /** The user's words and the agent's reply. */
  rounds: ({ role }: DatasetTurn) => role === 'user',
  answers: ({ role }: DatasetTurn, before?: DatasetTurn) => role === 'assistant' || before?.role === 'user',
  turns: () => true,
} as const

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

import type { ForgettingTalk, TalkUnit } from '../forgetting-talk.ts'

/** Makes a unit of one user turn. Its default text is its id. */
export function unitOf(
  id: string,
  session: number,
  { text = id, speaker = 'Ana', at = session * 1_000, marked = [] as readonly boolean[] } = {},
): TalkUnit {
  const turns = [{ id, role: 'user' as const, speaker, text, at, zone: 'UTC' }]
  return { id, session, turns, marked }
}

/** Makes a person's talk of these units. By default there are no questions about it. */
export function talkOf(
  person: string,
  units: readonly TalkUnit[],
  questions: ForgettingTalk['questions'] = [],
): ForgettingTalk {
  const sessions = Math.max(1, ...units.map(({ session }) => session))
  return { name: person, person, sessions, units, questions, evidence: 'named', countsFrom: 1 }
}

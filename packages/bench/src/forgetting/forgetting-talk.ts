import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'

/** What a policy keeps or forgets. In LUFY's data it is an utterance of the agent with the user's answer, in LoCoMo a turn. */
export interface TalkUnit {
  /** The id of its first turn. */
  readonly id: string
  /** From 1. */
  readonly session: number
  readonly turns: readonly DatasetTurn[]
  /** For each annotator, whether they marked the user's words as important. Empty without annotations. */
  readonly marked: readonly boolean[]
}

export interface TalkQuestion {
  readonly text: string
  /** The session from whose end on it is asked: the one that it is about, or that of its last evidence. */
  readonly session: number
  /** Units that answer it, of all sessions. */
  readonly correct: ReadonlySet<string>
}

/** One talk for measuring forgetting: its units by session, and the questions about it. */
export interface ForgettingTalk {
  readonly name: string
  /** Talks of one person share this name. Intervals resample people. */
  readonly person: string
  readonly sessions: number
  readonly units: readonly TalkUnit[]
  readonly questions: readonly TalkQuestion[]
  /** How evidence is known. `named`: an answer may need all of it. `by-words`: any unit with words of the answer is enough. */
  readonly evidence: 'named' | 'by-words'
  /** The first session whose end is scored. Three systems of LUFY share their first session, which counts once. */
  readonly countsFrom: number
}

/** A data set's talks. */
export interface ForgettingTalks {
  readonly talks: readonly ForgettingTalk[]
  readonly dataHash: string
  readonly leftOut: Readonly<Record<string, number>>
}

export function unitsOf({ sessions, unitOf }: BenchConversation): TalkUnit[] {
  const units = new Map<string, TalkUnit>()
  for (const [s, { turns }] of sessions.entries()) {
    for (const turn of turns) {
      const id = unitOf.get(turn.id) ?? turn.id
      const begun = units.get(id)?.turns ?? []
      units.set(id, { id, session: s + 1, turns: [...begun, turn], marked: [] })
    }
  }
  return [...units.values()]
}

import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'

/** The unit that a policy keeps or forgets. In LUFY's data it is an utterance of the agent with the user's answer, in LoCoMo a turn. */
export interface TalkUnit {
  /** The id of the unit's first turn. */
  readonly id: string
  /** From 1. */
  readonly session: number
  readonly turns: readonly DatasetTurn[]
  /** For each annotator, whether they marked the user's words as important. Empty without annotations. */
  readonly marked: readonly boolean[]
}

export interface TalkQuestion {
  readonly text: string
  /** The question is asked from the end of this session on. It is the session of the question's topic, or of its last evidence. */
  readonly session: number
  /** Ids of the units that answer the question, in all sessions. */
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
  /** How the data set says which units answer. `named`: it names them, and an answer may need all. `by-words`: any unit with words of the answer is enough. */
  readonly evidence: 'named' | 'by-words'
  /** The first session whose end is scored. Three systems of LUFY share their first session, which counts once. */
  readonly countsFrom: number
}

/** A data set's talks. */
export interface ForgettingTalks {
  readonly talks: readonly ForgettingTalk[]
  readonly dataHash: string
  /** How many questions were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
}

/** Groups the turns of a conversation into units. */
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

import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'

/** The unit that a policy keeps or forgets. In LUFY an agent's utterance and the user's answer to it, in LoCoMo a turn. */
export interface TalkUnit {
  /** The id of its first turn. */
  readonly id: string
  /** From 1. */
  readonly session: number
  readonly turns: readonly DatasetTurn[]
  /** Each annotator's mark of the user's words as important. Empty without annotations. */
  readonly marked: readonly boolean[]
}

export interface TalkQuestion {
  readonly text: string
  /** The session after which it is asked: the one it is about, or that of its last evidence. */
  readonly session: number
  /** Units that answer it, of all sessions. */
  readonly correct: ReadonlySet<string>
}

/** One talk for measuring forgetting: its units by session, and the questions about it. */
export interface ForgettingTalk {
  readonly name: string
  /** Shared by talks of one person; intervals are clustered by it. */
  readonly person: string
  readonly sessions: number
  readonly units: readonly TalkUnit[]
  readonly questions: readonly TalkQuestion[]
  /**
   * How evidence units are known. `named`: by the data, and a whole answer may need all of them. `by-words`: by the answer's words, so that
   * any one of them suffices.
   */
  readonly evidence: 'named' | 'by-words'
  /** The first session whose end is scored. LUFY's Session1 is one conversation under three systems: it counts once. */
  readonly countsFrom: number
}

/** A data set's talks. */
export interface ForgettingTalks {
  readonly talks: readonly ForgettingTalk[]
  readonly dataHash: string
  readonly leftOut: Readonly<Record<string, number>>
}

/** Converts a conversation to units, without marks. */
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

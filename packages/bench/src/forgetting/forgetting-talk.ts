import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'

/** What a policy keeps or lets go. In LUFY an agent's utterance and the user's answer to it, in LoCoMo a turn. */
export interface TalkUnit {
  /** The id of its first turn. */
  readonly id: string
  /** From 1. */
  readonly session: number
  readonly turns: readonly DatasetTurn[]
  /** Whether each annotator marked the user's words as important. Empty where no one marked anything. */
  readonly marked: readonly boolean[]
}

export interface TalkQuestion {
  readonly text: string
  /** It is asked from this session's end on: the one it is about, or in which the last of its evidence was said. */
  readonly session: number
  /** Units that answer it, of all sessions. */
  readonly correct: ReadonlySet<string>
}

/** One talk as forgetting is measured on it: what was said, session by session, and what was asked about it. */
export interface ForgettingTalk {
  readonly name: string
  /** Talks of one person share it; intervals are clustered by it. */
  readonly person: string
  readonly sessions: number
  readonly units: readonly TalkUnit[]
  readonly questions: readonly TalkQuestion[]
  /**
   * How the units that answer a question are known. `named`: by the data, and a whole answer may need all of them.
   * `by-words`: by the answer's words, so that any one of them will do.
   */
  readonly evidence: 'named' | 'by-words'
  /** The first session whose end is scored. LUFY's Session1 is one conversation under three systems: it counts once. */
  readonly countsFrom: number
}

/** A data set's talks. */
export interface ForgettingTalks {
  readonly talks: readonly ForgettingTalk[]
  readonly dataHash: string
  /** Questions that are not put, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
}

/** A conversation's units, each a thing to keep or to let go; no one marked anything yet. */
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

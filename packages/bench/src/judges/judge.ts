/** A decision of a judge with its reason. */
export interface Verdict<V> {
  readonly verdict: V
  readonly reason: string
}

/** How far something is contained or supported. 0: not at all, or wrongly. 1: partly. 2: completely. */
export type Degree = 0 | 1 | 2
export type UpdateOutcome = 'correct' | 'hallucinated' | 'omitted' | 'other'
export type AnswerOutcome = 'correct' | 'hallucinated' | 'omitted'

export interface IntegrityInput {
  /** The statement that should be among the memories. Interference (said by the agent, never confirmed) should not be. */
  readonly expected: string
  /** The memories after the session. Quoted talk begins with its day: `[2026-01-05] …`. */
  readonly memories: readonly string[]
  /** The user's name, if known. */
  readonly user?: string
}

export interface AccuracyInput {
  /** A memory of the session. Quoted talk begins with its day. */
  readonly memory: string
  readonly dialogue: readonly {
    readonly speaker: string
    readonly role: 'user' | 'assistant'
    readonly text: string
    /** Milliseconds since 1970. Absent: unknown. */
    readonly at?: number
  }[]
  /** The gold memories, which the data expects of the session, without interference. */
  readonly gold: readonly string[]
}

export interface AccuracyVerdict {
  readonly verdict: Degree
  /** Whether every part of the memory is about something in the gold memories, right or wrong. Then it counts for target precision. */
  readonly isTarget: boolean
  readonly reason: string
}

export interface UpdateInput {
  /** The new statement. */
  readonly updated: string
  /** The statements that the new one replaces. */
  readonly originals: readonly string[]
  /** The memories retrieved for the update, best first. Quoted talk begins with its day. */
  readonly memories: readonly string[]
  /** The user's name, where known. */
  readonly user?: string
}

export interface AnswerInput {
  readonly question: string
  /** The right answer, by the data. */
  readonly reference: string
  /** Statements on which the right answer rests. Empty if the data has none. */
  readonly keyPoints: readonly string[]
  readonly answer: string
  /** Whether the conversation contains the answer. If not, the right answer is “I do not know”. */
  readonly answerable: boolean
}

export interface LikenessInput {
  readonly label: string
  readonly memory: string
}

export interface ReplyInput {
  readonly question: string
  readonly reference: string
  readonly reply: string
}

export interface ContentInput {
  readonly expected: string
  readonly actual: string
}

/** Judges the memories and answers of systems. Reports show its figures in a column under its name. */
export interface Judge {
  readonly name: string
  readonly kind: 'deterministic' | 'model'
  /** The version of the rules or prompts. Verdicts of different versions are not comparable. */
  readonly version: string
  /** Returns the same judge with prompts in a language. Absent: the verdicts do not depend on the language. */
  readonly inLanguage?: (language: 'en' | 'zh') => Judge
  /** HaluMem: how far the memories contain a gold memory. */
  integrity(input: IntegrityInput): Promise<Verdict<Degree>>
  /** HaluMem: how far a memory is supported by the dialogue and the gold memories. */
  accuracy(input: AccuracyInput): Promise<AccuracyVerdict>
  /** HaluMem: whether an update was made. */
  update(input: UpdateInput): Promise<Verdict<UpdateOutcome>>
  /** HaluMem: whether an answer is right, hallucinated or omitted. */
  answer(input: AnswerInput): Promise<Verdict<AnswerOutcome>>
  /** MOOM's MemScore: how well a memory captures the meaning of a label, from 0 to 5. A label is a memory that people annotated. */
  likeness(input: LikenessInput): Promise<Verdict<number>>
  /** MOOM's probe table (appendix H): how near a reply is to its reference in meaning, from 0 to 5. */
  reply(input: ReplyInput): Promise<Verdict<number>>
  /** MMM: whether the texts of two operations say the same. */
  sameContent(input: ContentInput): Promise<Verdict<boolean>>
}

export interface Verdict<V> {
  readonly verdict: V
  readonly reason: string
}

/** 0: missing or wrong; 1: partly; 2: completely. */
export type Degree = 0 | 1 | 2
export type UpdateOutcome = 'correct' | 'hallucinated' | 'omitted' | 'other'
export type AnswerOutcome = 'correct' | 'hallucinated' | 'omitted'

export interface IntegrityInput {
  /** The statement that should be among the memories; for interference, must not. */
  readonly expected: string
  /** The remaining memories; quoted talk is marked with its day (`[2026-01-05] …`). */
  readonly memories: readonly string[]
  /** The user's name, where known. */
  readonly user?: string
}

export interface AccuracyInput {
  /** A memory of the session; quoted talk is marked with its day. */
  readonly memory: string
  readonly dialogue: readonly {
    readonly speaker: string
    readonly role: 'user' | 'assistant'
    readonly text: string
    /** Milliseconds since 1970. Absent: unknown. */
    readonly at?: number
  }[]
  /** Gold memories of the session, without interference. */
  readonly gold: readonly string[]
}

export interface AccuracyVerdict {
  readonly verdict: Degree
  /** Whether every field of the memory is in the gold set, whatever its value: it then counts for target precision. */
  readonly isTarget: boolean
  readonly reason: string
}

export interface UpdateInput {
  readonly updated: string
  readonly originals: readonly string[]
  /** The memories retrieved for the update, best first; quoted talk is marked with its day. */
  readonly memories: readonly string[]
  /** The user's name, where known. */
  readonly user?: string
}

export interface AnswerInput {
  readonly question: string
  readonly reference: string
  readonly keyPoints: readonly string[]
  readonly answer: string
  /** Whether the conversation contains the answer; otherwise the right answer is “I do not know”. */
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

/** A judge of systems' answers. Its figures have their own column, under its name. */
export interface Judge {
  readonly name: string
  readonly kind: 'deterministic' | 'model'
  /** Version of its rules or prompts; verdicts of other versions are not comparable. */
  readonly version: string
  /** The same judge with prompts in a language. Absent: it judges every language alike. */
  readonly inLanguage?: (language: 'en' | 'zh') => Judge
  /** HaluMem: how far the memories contain a gold memory. */
  integrity(input: IntegrityInput): Promise<Verdict<Degree>>
  /** HaluMem: how far a memory is supported by the dialogue and the gold memories. */
  accuracy(input: AccuracyInput): Promise<AccuracyVerdict>
  /** HaluMem: whether an update was made. */
  update(input: UpdateInput): Promise<Verdict<UpdateOutcome>>
  /** HaluMem: whether an answer is right, hallucinated or left out. */
  answer(input: AnswerInput): Promise<Verdict<AnswerOutcome>>
  /** MemScore (MOOM): 0 to 5, how well a memory captures what a label means. */
  likeness(input: LikenessInput): Promise<Verdict<number>>
  /** MOOM's probe table (appendix H): 0 to 5, how near a reply comes to its reference in meaning. */
  reply(input: ReplyInput): Promise<Verdict<number>>
  /** MMM: whether two contents say the same. */
  sameContent(input: ContentInput): Promise<Verdict<boolean>>
}

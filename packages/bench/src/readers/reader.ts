/** The input of a reader. */
export interface ReadingInput {
  readonly question: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  /** The context of the system, within the token budget of the run. */
  readonly context: string
  /** The retrieved memories, best first. */
  readonly memories: readonly string[]
}

/** An answer of a reader. */
export interface Reading {
  readonly answer: string
  /** Whether the answer says that it does not know. */
  readonly abstained: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Answers questions from what a system retrieved. All compared systems have the same reader. */
export interface Reader {
  /** `extractive`, or the model's id. */
  readonly name: string
  readonly kind: 'deterministic' | 'model'
  readonly version: string
  /** Returns the same reader with prompts in a language. Absent: the reader has no prompts. */
  readonly inLanguage?: (language: 'en' | 'zh') => Reader
  /** Answers a question from a context. */
  answer(input: ReadingInput): Promise<Reading>
  /** Chooses one of several answers. */
  choose(
    input: ReadingInput & { readonly choices: readonly string[] },
  ): Promise<{ readonly choice: number; readonly inputTokens: number; readonly outputTokens: number }>
}

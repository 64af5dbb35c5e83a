export interface ReadingInput {
  readonly question: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  /** The system's context, cut to the run's budget. */
  readonly context: string
  /** The retrieved memories, best first. */
  readonly memories: readonly string[]
}

export interface Reading {
  readonly answer: string
  /** Whether it says that it does not know. */
  readonly abstained: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Answers questions from a system's retrieval. Equal for all compared systems. */
export interface Reader {
  /** `extractive`, or the model's id. */
  readonly name: string
  readonly kind: 'deterministic' | 'model'
  readonly version: string
  /** The same reader with prompts in a language. Absent: it reads every language alike. */
  readonly inLanguage?: (language: 'en' | 'zh') => Reader
  /** Answers a question from a context. */
  answer(input: ReadingInput): Promise<Reading>
  /** Chooses one of several answers. */
  choose(
    input: ReadingInput & { readonly choices: readonly string[] },
  ): Promise<{ readonly choice: number; readonly inputTokens: number; readonly outputTokens: number }>
}

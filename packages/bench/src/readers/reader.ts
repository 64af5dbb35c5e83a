/** What a reader is given: the same for every system. */
export interface ReadingInput {
  readonly question: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  /** What the system composed, cut to the run's budget. */
  readonly context: string
  /** What the system retrieved, best first. */
  readonly memories: readonly string[]
}

export interface Reading {
  readonly answer: string
  /** Whether it says that it does not know. */
  readonly abstained: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Who answers questions from what a system retrieved. Equal for all systems that are compared. */
export interface Reader {
  /** `extractive`, or the model's id. */
  readonly name: string
  readonly kind: 'deterministic' | 'model'
  readonly version: string
  /** The same reader with prompts in a language. Absent: it reads every language alike. */
  readonly inLanguage?: (language: 'en' | 'zh') => Reader
  answer(input: ReadingInput): Promise<Reading>
  /** The option that the context supports best, from 0. */
  choose(
    input: ReadingInput & { readonly choices: readonly string[] },
  ): Promise<{ readonly choice: number; readonly inputTokens: number; readonly outputTokens: number }>
}

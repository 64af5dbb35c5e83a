import type { Clause } from './clause.ts'
import type { Word } from './word.ts'

/** A language, as far as rules need it. */
export interface Tongue {
  readonly language: 'en' | 'zh'
  /** How the user, or the agent, is called without a name. */
  readonly unnamed: { readonly user: string; readonly agent: string }
  /**
   * What a sentence states of whoever says it.
   * @param before the sentence before it in the turn, whose subject it may go on with
   */
  read(sentence: string, before: string | null): readonly Clause[]
  /** A clause in the third person. */
  say(clause: Clause, who: string): string
  /** What a slot took, as a value. */
  value(words: readonly Word[]): string
  /** Whether the sentence corrects something: “actually”, “I meant”, 其实. */
  isCorrection(sentence: string): boolean
  /** What the user would have said themself, had they answered a yes-or-no question in full; `null` for others. */
  answerInFull(question: string): string | null
}

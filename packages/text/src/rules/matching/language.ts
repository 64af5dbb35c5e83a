import type { Grammar } from './grammar.ts'
import type { Rule } from './rule.ts'
import type { LabelledStatements } from './spell-out.ts'
import type { Word } from './word.ts'

/** What a sentence states in one go, as patterns are matched against it. */
export interface Clause {
  /** Without what changes nothing: see `rule.ts`. */
  readonly words: readonly Word[]
  /** As it was said. */
  readonly said: readonly Word[]
  /** A time that leads in to it: “last week”. */
  readonly time: readonly Word[]
  /** All that stands before it in the sentence. */
  readonly before: readonly Word[]
  /** `over`: “used to”. `ended`: “no longer”, “anymore”. */
  readonly state: 'holds' | 'over' | 'ended'
  /** Whether only the end of something is to be believed of it: another clause of the sentence asks or supposes. */
  readonly isDoubted: boolean
}

/** A language, as far as rules need it. */
export interface Language {
  readonly id: 'en' | 'zh'
  /** With the phrases that `read-requests.ts` asks for. */
  readonly grammar: Grammar
  /** From the particular to the general. */
  readonly rules: readonly Rule[]
  /** How the user, or the agent, is called without a name. */
  readonly unnamed: { readonly user: string; readonly agent: string }
  /** Loads what `read` needs. */
  load(): Promise<void>
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
  /** What a question about them and an answer without a subject state together; `null` for others. */
  readonly answerWithSubject?: (question: string, answer: string) => string | null
  /** What a value behind a label states: “Allergies: peanuts”. */
  readonly labelled: LabelledStatements
  /** The words in which requests are looked for. */
  readonly split: (sentence: string) => readonly Word[]
  /** Words without one of which nothing is asked for. */
  readonly hint: RegExp
  /** Longer "sentences" are lists, logs or pasted texts; a request is short. */
  readonly longestRequest: number
  /** What was told before, with slots for it, where a request that follows only says “that”. */
  readonly matters: readonly string[]
  /** Requests that mean all that is known of the person. */
  readonly wide: readonly string[]
  /** What stands before a request that is asked for in so many words. */
  readonly please: string
}

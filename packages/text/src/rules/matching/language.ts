// Defines what rules need of a language. Implemented by english/language.ts and chinese/language.ts.
import type { Ending } from './ending.ts'
import type { Grammar } from './grammar.ts'
import type { Rule } from './rule.ts'
import type { LabelledStatements } from './spell-out.ts'
import type { Word } from './word.ts'

/** One statement of a sentence, in the form that patterns match. */
export interface Clause {
  /** The words that patterns match, without adverbs: see `rule.ts`. */
  readonly words: readonly Word[]
  /** The words of the clause as written, with adverbs. */
  readonly said: readonly Word[]
  /** The time that introduces the clause: “last week”. */
  readonly time: readonly Word[]
  /** The words before the clause in the sentence. */
  readonly before: readonly Word[]
  /** The words after the clause that name its end: “until Friday”. */
  readonly until?: readonly Word[]
  /** `over`: a past state, “used to”. `ended`: the end of a known fact, “no longer”, “anymore”. */
  readonly state: 'holds' | 'over' | 'ended'
  /** Whether the clause may end a fact but state none, because another clause of the sentence asks or supposes. */
  readonly isDoubted: boolean
}

/** The parts of a language that rules need. */
export interface Language {
  readonly id: 'en' | 'zh'
  /** The grammar, with the phrases that `read-requests.ts` uses. */
  readonly grammar: Grammar
  /** Rules in order, the most specific first. */
  readonly rules: readonly Rule[]
  /** The names for a user or an agent without a name. */
  readonly unnamed: { readonly user: string; readonly agent: string }
  /** Loads the models that `read` needs. */
  load(): Promise<void>
  /**
   * Returns the statements of a sentence about its speaker.
   * @param before the preceding sentence of the turn, whose subject this one may continue
   */
  read(sentence: string, before: string | null): readonly Clause[]
  /** Renders a clause in the third person. */
  say(clause: Clause, who: string): string
  /** Renders the words of a slot as a value. */
  value(words: readonly Word[]): string
  /** Reports whether a value is of its key's kind. Otherwise nothing is stated and nothing ends. */
  readonly isOfKind?: (key: string, value: string) => boolean
  /** Returns the events of a sentence that end facts. */
  readonly endings?: (sentence: string, before: string | null) => readonly Ending[]
  /** Returns the statement that a full answer to a yes-or-no question would make, or `null` for other questions. */
  answerInFull(question: string): string | null
  /** Returns the statement of a question about the user and an answer without a subject, or `null` for others. */
  readonly answerWithSubject?: (question: string, answer: string) => string | null
  /** Statements for values after a label: “Allergies: peanuts”. */
  readonly labelled: LabelledStatements
  /** Splits a sentence for the request patterns. */
  readonly split: (sentence: string) => readonly Word[]
  /** Matches the words without which a sentence has no request. */
  readonly hint: RegExp
  /** Maximum characters of a request. Longer "sentences" are lists, logs or pasted texts. */
  readonly longestRequest: number
  /** Patterns whose slots are the topic that a sentence names, for a request that only says “that”. */
  readonly matters: readonly string[]
  /** Patterns of requests to delete everything about the user. */
  readonly wide: readonly string[]
  /** The word that is put before the verb of an explicit request, so that patterns can require it: `please`, 请. */
  readonly please: string
}

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
  /** Whether it is a stretch between marks, whoever it is about. */
  readonly isBare: boolean
  /** Whether only the end of something is to be believed of it: another clause of the sentence asks or supposes. */
  readonly isDoubted: boolean
}

import type { TalkLanguage } from '@keepsake/bench-generators'
import type { UpdateKind } from '@keepsake/text'

/** What a user says, the statements known so far, and what the user's words do to them. */
export interface UpdateExample {
  readonly language: TalkLanguage
  readonly said: string
  /** Statements, in the order in which they were told. */
  readonly known: readonly string[]
  readonly kind: UpdateKind
  /** The place of the statement that changes or is over, from 0; `null` for the other kinds. */
  readonly target: number | null
  /** What it was made from: a kind of fact of the generator, or some of our own sentences. A group is left out of a fit as a whole. */
  readonly group: string
  /** Its weight in the fit. */
  readonly weight: number
}

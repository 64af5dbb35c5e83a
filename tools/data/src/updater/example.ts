import type { TalkLanguage } from '@keepsake/bench-generators'
import type { UpdateKind } from '@keepsake/text'

/** Words said to what is known, and what they are to it. */
export interface UpdateExample {
  readonly language: TalkLanguage
  readonly said: string
  /** Statements, in the order in which they were told. */
  readonly known: readonly string[]
  readonly kind: UpdateKind
  /** The place of the statement that changes or is over, from 0; `null` for the other kinds. */
  readonly target: number | null
  /** What it was made from: the kind of fact of a generated theme, or which sentences of our own. What is held out together goes by it. */
  readonly group: string
  /** What it counts in the fit. */
  readonly weight: number
}

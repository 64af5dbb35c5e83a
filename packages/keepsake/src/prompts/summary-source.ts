import type { Evidence } from '../memories/evidence.ts'
import type { Role } from '../turns/turn.ts'

/** Words to summarise: a whole turn, or the part of it that an earlier summary kept. */
export interface SummarySource {
  readonly turn: string
  /** As it stands in the turn. */
  readonly text: string
  readonly role: Role
  readonly speaker: string | null
  /** When it was said, milliseconds since 1970. */
  readonly at: number
  /** The speaker's time zone, where it is known: "yesterday" is counted in it. */
  readonly timeZone?: string | null
  /** For the text of an earlier summary: the turns it rests on. `turn` is then the first of them. */
  readonly evidence?: readonly Evidence[]
}

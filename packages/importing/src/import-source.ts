import type { TurnInput } from 'keepsake'
import type { LeftOut } from './left-out.ts'
import type { PeopleNames } from './slack-names.ts'

/** A turn, and its place by the file; `null` where the file does not name one. */
export interface PlacedTurn {
  readonly user: string | null
  readonly agent: string | null
  readonly app: string | null
  /** `null`: sessions are split by gaps in time. */
  readonly session: string | null
  readonly turn: TurnInput & { readonly at?: number }
  /** Set where the text is a block that an agent keeps under this name, and no message. */
  readonly block?: { readonly name: string; readonly limit: number }
  /** Set where the text is what another memory system states: a note under the turn's id, and no message. */
  readonly isStatement?: true
  /** File, line and JSON path; `null` for a published data set. */
  readonly where: string | null
}

/** Of a turn whose file names no user, agent, application or session. */
export const UNPLACED = { user: null, agent: null, app: null, session: null } as const

export interface ImportSource {
  readonly name: string
  readonly format: string
  /** The turns in order, from the start at each call. Counts skipped parts in `leftOut`. */
  turns(leftOut: LeftOut): Iterable<PlacedTurn>
  /** Sentences on how ambiguities of the file were decided. */
  readonly notes?: readonly string[]
}

export interface ImportSettings {
  /** The user whose memory is filled. */
  readonly user?: string | undefined
  /** The person whose turns are taken from a file of several; all of them when absent. */
  readonly of?: string | undefined
  /** The speaker who is that person. */
  readonly speaker?: string | undefined
  /** Names of the people in a Slack export, by id. */
  readonly names?: PeopleNames | undefined
  readonly dateOrder?: DateOrder | undefined
  /** The IANA time zone of times without one. */
  readonly timeZone: string
  readonly now: number
  /** The kind of caller, for messages: a terminal, or a program's request. */
  readonly by: 'command' | 'request'
}

export const DATE_ORDERS = ['day-first', 'month-first', 'year-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

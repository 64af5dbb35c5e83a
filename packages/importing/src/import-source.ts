import type { TurnInput } from 'keepsake'
import type { LeftOut } from './left-out.ts'
import type { PeopleNames } from './slack-names.ts'

/** A turn with the user, agent, application and session that its file names; `null` for names that are missing. */
export interface PlacedTurn {
  readonly user: string | null
  readonly agent: string | null
  readonly app: string | null
  /** The session's name, or `null` if gaps in time split sessions. */
  readonly session: string | null
  readonly turn: TurnInput & { readonly at?: number }
  /** The block's name and limit, if the text is a block of an agent instead of a message. */
  readonly block?: { readonly name: string; readonly limit: number }
  /** Whether the text is a statement of another memory system. It becomes a note under the turn's id. */
  readonly isStatement?: true
  /** File, line and JSON path, for errors. */
  readonly where: string
}

/** The names of a turn whose file contains none. */
export const UNPLACED = { user: null, agent: null, app: null, session: null } as const

/** A file that was opened as turns. */
export interface ImportSource {
  readonly name: string
  readonly format: string
  /** Reads the turns in order, from the beginning at each call. Counts skipped parts in `leftOut`. */
  turns(leftOut: LeftOut): Iterable<PlacedTurn>
  /** Sentences that explain how ambiguous parts of the file were read. */
  readonly notes?: readonly string[]
}

/** Settings of an import, some of which answer questions that the file leaves open. */
export interface ImportSettings {
  /** The user in whose memory the turns are stored. */
  readonly user?: string | undefined
  /** The person to import from a file of several people. If it is absent, all of them are imported. */
  readonly of?: string | undefined
  /** The name under which that person speaks in the file. */
  readonly speaker?: string | undefined
  /** Names of the people in a Slack export, by id. */
  readonly names?: PeopleNames | undefined
  readonly dateOrder?: DateOrder | undefined
  /** The IANA time zone of times without one. */
  readonly timeZone: string
  readonly now: number
  /** The kind of caller, for error messages: a user of the command line, or a program. */
  readonly by: 'command' | 'request'
}

export const DATE_ORDERS = ['day-first', 'month-first', 'year-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

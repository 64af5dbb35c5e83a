import type { TurnInput } from 'keepsake'
import type { LeftOut } from './left-out.ts'

/** A turn, and where the file says it belongs; `null` where it does not say. */
export interface PlacedTurn {
  readonly user: string | null
  readonly agent: string | null
  readonly app: string | null
  /** `null`: sessions are split by gaps in time. */
  readonly session: string | null
  readonly turn: TurnInput & { readonly at?: number }
  /** File and line, and the path within JSON; `null` for a published data set. */
  readonly where: string | null
}

/** A file opened for import. */
export interface ImportSource {
  readonly name: string
  /** What it was taken for. */
  readonly format: string
  /** The turns in their order, from the start at each call. What has no place here is counted in `leftOut`. */
  turns(leftOut: LeftOut): Iterable<PlacedTurn>
  /** How it is read, where the file leaves that open, in sentences. */
  readonly told?: readonly string[]
}

/** What the one who imports says about the files. */
export interface ImportSettings {
  /** Whose memory it is. */
  readonly user?: string | undefined
  /** Of a file that holds several people, whose turns are taken: all of them when absent. */
  readonly of?: string | undefined
  /** Which of those who speak is that person. */
  readonly speaker?: string | undefined
  readonly dateOrder?: DateOrder | undefined
  /** Where the times of a file that names no time zone were written: an IANA name. */
  readonly timeZone: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Who is told what to say: somebody at a terminal, or a program that made a request. */
  readonly by: 'command' | 'request'
}

export const DATE_ORDERS = ['day-first', 'month-first', 'year-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

import type { TurnInput } from 'keepsake'

/** A turn, and where the file says it belongs; `null` where it does not say. */
export interface PlacedTurn {
  readonly user: string | null
  readonly agent: string | null
  readonly app: string | null
  /** `null`: sessions are split by gaps in time. */
  readonly session: string | null
  readonly turn: TurnInput
}

/** A file opened for import: how many turns it holds, when that is known beforehand, and the turns in their order. */
export interface ImportSource {
  readonly name: string
  readonly total: number | null
  turns(): Iterable<PlacedTurn> | AsyncIterable<PlacedTurn>
  /** What of the file has no place here, in sentences. */
  readonly leftOut?: readonly string[]
}

import type { TurnInput } from 'keepsake'

/** Some turns of one session of one person, in order. */
export interface TurnBatch {
  /** `null` when the file does not say. */
  readonly user: string | null
  readonly agent: string | null
  /** `null` or absent when the file does not say. */
  readonly app?: string | null
  /** `null`: sessions are split by gaps in time. */
  readonly session: string | null
  readonly turns: readonly TurnInput[]
}

/** A file opened for import: how many turns it holds, when that is known beforehand, and the turns. */
export interface ImportSource {
  readonly name: string
  readonly total: number | null
  batches(): AsyncIterable<TurnBatch>
  /** What of the file has no place here, in sentences. */
  readonly leftOut?: readonly string[]
}

export type ImportFormat = 'jsonl' | 'locomo' | 'lufy' | 'memorybank' | 'mem0' | 'keepsake'

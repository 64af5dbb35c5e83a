/** A turn that supports a memory, and the words in it that do. */
export interface Evidence {
  readonly turn: string
  /** The supporting words as they stand in the turn; `null` for the whole turn. */
  readonly quote: string | null
}

/** Of a term that no shown document holds. */
export const NO_ENTRIES: Uint32Array = new Uint32Array(0)

/** A term's documents in rising order of row; each entry is `row << 8 | count`. */
export interface PostingList {
  entries: Uint32Array
  size: number
  /** The row of the turn that said it first; −1 where none did. */
  first: number
}

/** The lists an image kept, one after another. */
export interface KeptLists {
  readonly entries: Uint32Array
  /** Where each term's begin, and where the last one's end. */
  readonly offsets: Uint32Array
  readonly firsts: Int32Array
}

export function sizeKept(kept: KeptLists | null, id: number): number {
  return (kept?.offsets[id + 1] ?? 0) - (kept?.offsets[id] ?? 0)
}

export function readKept(kept: KeptLists | null, id: number): PostingList {
  const start = kept?.offsets[id] ?? 0
  const size = sizeKept(kept, id)
  const entries = kept?.entries.subarray(start, start + size) ?? NO_ENTRIES
  return { entries, size, first: kept?.firsts[id] ?? -1 }
}

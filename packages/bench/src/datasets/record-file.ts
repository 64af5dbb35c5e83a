/** One entry of a data file, not yet checked. */
export interface DatasetRecord {
  /** As an error names it: `line 3` or `item 12`. */
  readonly where: string
  readonly value: unknown
}

/** A file of many entries, hashed and counted, and read again entry by entry. */
export interface RecordFile {
  readonly file: string
  /** sha256, as `hashFiles` makes it. */
  readonly dataHash: string
  /** How many entries it has. */
  readonly size: number
  /** Each call reads anew, holding one entry at a time. Throws DatasetError naming the entry. */
  records(): AsyncIterable<DatasetRecord>
}

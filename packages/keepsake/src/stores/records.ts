import type { Metadata } from '../metadata/metadata.ts'

/**
 * Small rows of whoever serves the memory, by collection and key: a server's keys, its answers to earlier requests, the
 * ids that a door gave out. The engine knows nothing of what they say. One that concerns a person names the owner, and is erased
 * with them; one that also expires goes with any erasure of something of theirs, since it may name what was erased. It holds no words of the talk, since erasing some of these leaves it.
 */
export interface Records {
  /** A record that has not expired. */
  record(collection: string, key: string): Promise<StoredRecord | null>
  /** Records of a collection that have not expired, in a fixed order of their keys. */
  records(query: RecordQuery): Promise<StoredRecord[]>
  /**
   * Writes a record, in the place of one with its key, at once for everybody.
   * @returns it as stored; `null`, having written nothing, when `expect` does not hold
   * @throws NotFoundError for an owner who is not there, or was erased
   */
  putRecord(record: NewRecord): Promise<StoredRecord | null>
  /** @returns whether there was one, of that version where one is named. */
  removeRecord(collection: string, key: string, version?: string): Promise<boolean>
}

export interface RecordQuery {
  readonly collection: string
  readonly owner?: number
  /** Only keys that begin so. */
  readonly prefix?: string
  /** Only keys after this one. */
  readonly after?: string
  readonly limit?: number
}

export interface NewRecord {
  readonly collection: string
  readonly key: string
  readonly value: Metadata
  /** The person it concerns; nobody when absent. */
  readonly owner?: number | null
  /** How long it lasts, from now by the store's clock; until it is removed when absent. */
  readonly lastsMs?: number
  /** The version that is there: `null` for none. Whatever is there when absent. */
  readonly expect?: string | null
  /** As of `CommitRequest`: whether it has to outlive a failure of power when it returns. Default `true`. */
  readonly flush?: boolean
}

export interface StoredRecord {
  readonly collection: string
  readonly key: string
  readonly value: Metadata
  readonly owner: number | null
  /** Another one with each writing, and never one that was before. */
  readonly version: string
}

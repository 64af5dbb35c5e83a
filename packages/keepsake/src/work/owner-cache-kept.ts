import type { Profile } from '../persona/profile.ts'
import type { DocumentIndexKept } from '../retrieval/document-index.ts'
import type { OwnerVersion, ScopeProgress } from '../stores/store.ts'
import type { MemoryTableKept } from './memory-table.ts'

/** How much is live. */
export interface LiveCount {
  readonly memories: number
  /** Of their own texts: utterances have none, their words are their turns'. */
  readonly characters: number
}

/** A profile made lately, with what tells whether it still stands. */
export interface MadeProfile {
  readonly changes: number
  readonly heard: number
  readonly day: number
  readonly profile: Profile
}

/** What an image keeps of a cache beside its arrays. */
export interface OwnerCacheKept {
  readonly version: OwnerVersion
  readonly index: DocumentIndexKept
  readonly memories: MemoryTableKept
  readonly waitingKeepers: readonly (readonly [string, number])[]
  readonly callings: readonly string[]
  readonly progress: readonly (readonly [number, ScopeProgress])[]
  readonly live: readonly (readonly [string, LiveCount])[]
  readonly names: readonly (readonly [string, string])[]
  readonly changes: number
  readonly heard: number
  readonly unembedded: readonly string[]
  readonly profiles: readonly (readonly [string, MadeProfile])[]
}

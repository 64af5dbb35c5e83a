// Defines the parts of a user's state: its scopes, sessions, counts and cached profiles.
import type { FactLookup } from '../facts/fact-lookup.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { Profile } from '../persona/profile.ts'
import type { ScopeProgress, SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'

/** Number of live memories, and of characters in their texts. Utterances have no text of their own, since their turns hold it. */
export interface LiveCount {
  readonly memories: number
  readonly characters: number
}

/** A cached profile, and when it is out of date. */
export interface ProfileCacheEntry {
  /** `UserState.changes` when it was made. */
  readonly changes: number
  readonly hour: number
  /** No fact ends between these times. */
  readonly from: number
  readonly to: number
  readonly profile: Profile
}

/** The preset's choices that decide which documents are found. */
export interface Visibility {
  /** Forms of memories that the preset recalls. */
  readonly recalls: readonly MemoryForm[]
  /** The branch that turns messages into memories. After it has read a turn, the turn is recalled only through live memories. */
  readonly keepingBranch: string
  /** Whether exact vectors are kept beside those of the index, which are rounded. Presets that rank by cosine only need them. */
  readonly keepsVectors: boolean
}

/** One session of a scope, with its turns in order of position. */
export interface SessionState {
  row: SessionRow
  readonly turns: Turn[]
}

/** The last position of a scope, and the position up to which each branch has read it. */
export type Progress = Pick<ScopeProgress, 'lastPosition' | 'branches'>

/** Everything that is known about one scope of a user. */
export interface ScopeState {
  progress: Progress
  /** Turns by position, from 1. An erased turn leaves a hole. */
  readonly turns: (Turn | undefined)[]
  /** Positions of the user's turns, rising. */
  readonly userPositions: number[]
  /** Sessions by id, in order of their numbers. */
  readonly sessions: Map<string, SessionState>
  /** Ids of memories of any status, in order of creation. */
  readonly memoriesByForm: Map<MemoryForm, string[]>
  readonly liveCounts: Map<MemoryForm, LiveCount>
  /** Ids of live notes and blocks by name. */
  readonly noteNames: Map<string, string>
  /** The live facts; `null` after a change, until they are needed again. */
  facts: FactLookup<Memory> | null
}

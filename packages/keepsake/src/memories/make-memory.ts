import type { Candidate } from './candidate.ts'
import type { Memory } from './memory.ts'

/** The session and round in which a memory is made. */
export interface Setting {
  readonly session: string
  readonly sessionNumber: number
  readonly round: number
  /** Time of the last turn it rests on. */
  readonly learnedAt: number
}

/** A memory before it has an id. */
export type NewMemory = Omit<Memory, 'id' | 'scope' | 'origin'>

/** Fields of a memory beyond its statement. A `reason` quarantines it. */
export type MemoryExtras = Partial<Pick<Memory, 'reason' | 'sources' | 'name' | 'limit' | 'metadata'>>

/** Makes a memory of a candidate, without an id. */
export function memoryOf(candidate: Candidate, setting: Setting, given: MemoryExtras = {}): NewMemory {
  const { session, sessionNumber, round, learnedAt } = setting
  const { reason = null, sources = [], name = null, limit = null, metadata = null } = given
  const { category = null, refused = null, ...statement } = candidate
  return {
    ...statement,
    label: candidate.label ?? 'other',
    sources,
    status: reason === null ? 'live' : 'quarantined',
    reason: reason ?? refused,
    pinned: false,
    learnedAt,
    past: [],
    session,
    sessionNumber,
    round,
    use: { first: 0, second: 0, rounds: [], lastSession: sessionNumber, lastAt: learnedAt },
    name,
    limit,
    metadata: category === null ? metadata : { ...metadata, category },
  }
}

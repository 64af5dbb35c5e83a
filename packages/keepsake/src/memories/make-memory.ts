import type { Candidate } from './candidate.ts'
import type { GroundingLabel, Memory } from './memory.ts'

/** Where a memory is made. */
export interface Place {
  readonly session: string
  readonly sessionNumber: number
  readonly round: number
  /** Time of the last turn it rests on. */
  readonly learnedAt: number
}

/** A candidate as a memory, before it has an id. */
export function memoryOf(
  candidate: Candidate,
  place: Place,
  label: GroundingLabel,
  quarantine: string | null = null,
  sources: readonly string[] = [],
): Omit<Memory, 'id' | 'scope' | 'origin'> {
  return {
    ...candidate,
    label,
    sources,
    status: quarantine === null ? 'live' : 'quarantined',
    reason: quarantine,
    pinned: false,
    learnedAt: place.learnedAt,
    past: [],
    session: place.session,
    sessionNumber: place.sessionNumber,
    round: place.round,
    use: { first: 0, second: 0, rounds: [], lastSession: place.sessionNumber, lastAt: place.learnedAt },
  }
}

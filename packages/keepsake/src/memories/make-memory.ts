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

/** A candidate as a memory, before it has an id. @param reason why it is not believed, and quarantined */
export function memoryOf(
  candidate: Candidate,
  setting: Setting,
  { reason = null, sources = [] }: { reason?: string | null; sources?: readonly string[] } = {},
): Omit<Memory, 'id' | 'scope' | 'origin'> {
  const { session, sessionNumber, round, learnedAt } = setting
  return {
    ...candidate,
    label: candidate.label ?? 'other',
    sources,
    status: reason === null ? 'live' : 'quarantined',
    reason,
    pinned: false,
    learnedAt,
    past: [],
    session,
    sessionNumber,
    round,
    use: { first: 0, second: 0, rounds: [], lastSession: sessionNumber, lastAt: learnedAt },
  }
}

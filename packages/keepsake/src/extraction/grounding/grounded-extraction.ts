import type { Candidate, ProposedOperation } from '../../memories/candidate.ts'

export interface GroundedCandidate {
  readonly candidate: Candidate
  /** Why it is quarantined; `null` if it is grounded. */
  readonly reason: string | null
}

/** A grounded operation. A deletion keeps only its real evidence. */
export interface GroundedOperation {
  readonly operation: ProposedOperation
  readonly reason: string | null
}

export interface GroundedExtraction {
  readonly candidates: readonly GroundedCandidate[]
  readonly operations: readonly GroundedOperation[]
}

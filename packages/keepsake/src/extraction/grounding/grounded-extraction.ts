import type { Candidate } from '../../memories/candidate.ts'
import type { ProposedOperation } from '../../memories/proposed-operation.ts'

/** A candidate with the label of whose word it is. */
export interface GroundedCandidate {
  readonly candidate: Candidate
  /** Why it is not believed; `null` when it is. */
  readonly reason: string | null
}

/**
 * An operation with what it would state grounded. A deletion states nothing: it keeps the evidence that stands, which the
 * rules check.
 */
export interface GroundedOperation {
  readonly operation: ProposedOperation
  readonly reason: string | null
}

export interface GroundedExtraction {
  readonly candidates: readonly GroundedCandidate[]
  readonly operations: readonly GroundedOperation[]
}

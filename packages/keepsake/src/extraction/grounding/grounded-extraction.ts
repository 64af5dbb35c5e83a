import type { Candidate } from '../../memories/candidate.ts'
import type { GroundingLabel } from '../../memories/memory.ts'
import type { ProposedOperation } from '../../memories/proposed-operation.ts'

/** A candidate with whose word it is. */
export interface GroundedCandidate {
  readonly candidate: Candidate
  readonly label: GroundingLabel
  /** Why it is not believed; `null` when it is. */
  readonly reason: string | null
}

/** An operation with the grounding of what it would state. A deletion states nothing: it keeps the evidence that stands, which the rules check. */
export interface GroundedOperation {
  readonly operation: ProposedOperation
  readonly label: GroundingLabel
  readonly reason: string | null
}

export interface GroundedExtraction {
  readonly candidates: readonly GroundedCandidate[]
  readonly operations: readonly GroundedOperation[]
}

// Defines an extraction with the results of grounding.
import type { Candidate, ProposedOperation } from '../../memories/candidate.ts'

/** A candidate with the result of grounding. */
export interface GroundedCandidate {
  readonly candidate: Candidate
  /** Why the candidate is quarantined; `null` if it is grounded. */
  readonly reason: string | null
}

/** A proposed operation with the result of grounding. The evidence of a deletion has only quotes that its turns contain. */
export interface GroundedOperation {
  readonly operation: ProposedOperation
  readonly reason: string | null
}

export interface GroundedExtraction {
  readonly candidates: readonly GroundedCandidate[]
  readonly operations: readonly GroundedOperation[]
}

/** Lists all statements of an extraction: its candidates, then those of its operations. */
export function statementsOf({ candidates, operations }: GroundedExtraction): GroundedCandidate[] {
  const ofOperations = operations.flatMap(({ operation, reason }) =>
    operation.kind === 'delete' ? [] : [{ candidate: operation.candidate, reason }],
  )
  return [...candidates, ...ofOperations]
}

/** Changes each statement of an extraction, in candidates and operations. Deletions stay as they are. */
export function mapStatements(
  { candidates, operations }: GroundedExtraction,
  change: (statement: GroundedCandidate) => GroundedCandidate,
): GroundedExtraction {
  return {
    candidates: candidates.map(change),
    operations: operations.map((grounded) => {
      const { operation } = grounded
      if (operation.kind === 'delete') return grounded
      const { candidate, reason } = change({ candidate: operation.candidate, reason: grounded.reason })
      return { operation: { ...operation, candidate }, reason }
    }),
  }
}

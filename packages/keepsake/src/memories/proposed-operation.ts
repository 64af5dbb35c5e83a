import type { Candidate } from './candidate.ts'
import type { Evidence } from './evidence.ts'

/**
 * An operation code of a model's answer (MMM): an action, the number of a shown memory, and a new statement. Neither
 * validated nor grounded yet.
 */
export type ProposedOperation =
  | { readonly kind: 'add'; readonly candidate: Candidate }
  | {
      readonly kind: 'modify'
      /** Number of a memory as shown, from 1. */
      readonly index: number
      readonly candidate: Candidate
    }
  | {
      readonly kind: 'delete'
      readonly index: number
      /** `asked`: the user asked to drop it. `no-longer-so`: what was said makes it untrue. */
      readonly why: 'asked' | 'no-longer-so'
      /** End of validity, in milliseconds since 1970. */
      readonly at: number
      readonly evidence: readonly Evidence[]
      /** The statement that replaces it in the same answer; the expiry is accepted when this is. */
      readonly successor?: Candidate
    }

/** A proposal that the rules refused, reported in an event. */
export interface RejectedOperation {
  readonly operation: ProposedOperation
  /** The reason in one sentence, without words of the conversation. */
  readonly reason: string
}

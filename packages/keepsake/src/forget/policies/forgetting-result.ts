import type { Strength } from './forgetting-policy.ts'

/** A memory that a run of the policy forgets (or would). */
export interface ForgottenMemory {
  readonly memory: string
  readonly strength: Strength
  /** In words, with the cut. */
  readonly reason: string
}

/** What a run of the policy did, or would do. */
export interface ForgettingResult {
  readonly policy: string
  /** How many memories the policy judged. */
  readonly considered: number
  readonly kept: number
  readonly forgotten: readonly ForgottenMemory[]
  /** `true` when nothing was changed. */
  readonly dryRun: boolean
}

// Defines what a run of a forgetting policy returns to callers and listeners.
import type { Strength } from './forgetting-policy.ts'

/** A memory that a run of the policy forgets (or would). */
export interface ForgottenMemory {
  readonly memory: string
  readonly strength: Strength
  /** Explanation in words, with the cut. */
  readonly reason: string
}

/** The result of a run of the policy. */
export interface ForgettingResult {
  readonly policy: string
  /** How many memories the policy judged. */
  readonly considered: number
  readonly kept: number
  readonly forgotten: readonly ForgottenMemory[]
  /** The operations that restore all of them when undone, one for each scope and policy; empty when nothing was forgotten. */
  readonly operations: readonly string[]
  /** `true` when nothing was changed. */
  readonly dryRun: boolean
}

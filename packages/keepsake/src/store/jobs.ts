import type { ScopeRow } from '../scopes/scope.ts'

// A durable queue of work. `append` and `commit` queue a job in the transaction that made it necessary.
// The `commit` that stores the job's results also removes the job. A claim keeps other workers from doing the same work at the
// same time. If two workers do it nevertheless, the second commit conflicts.
//
// queued ──claim──► claimed ──commit that finishes it──► removed
//    ▲                 │ released, expired, or the holder's process ended
//    └─────────────────┘

/** `read-segment` gives the turns of a branch between `from` and `to` to the model again, after its answer was unusable. */
export type JobKind = 'consolidate' | 'end-session' | 'read-segment'
/** A `queued` job waits for its first or next try. A `parked` job failed for good and has a reason. */
export type JobState = 'queued' | 'parked'

/** A job to queue. If a job of the same kind, scope, session, branch, positions and state is stored, that job becomes due instead. */
export interface NewJob {
  readonly id: string
  readonly kind: JobKind
  readonly scope: number
  readonly session: string | null
  readonly at: number
  /** The branch that does the work; all branches when `null` or absent. */
  readonly branch?: string | null
  /** The job covers turns with `from` < position <= `to`. All unread turns when absent. */
  readonly from?: number | null
  readonly to?: number | null
  readonly state?: JobState
  /** Number of failed tries. */
  readonly attempts?: number
  readonly reason?: string | null
  /** The model's raw answer, for diagnosis. It may quote turns. */
  readonly answer?: string | null
  /** Time until the first try, from now by the store's clock. 0 when absent. */
  readonly delayMs?: number
}

/** A stored job. */
export interface JobRow extends Required<Omit<NewJob, 'delayMs'>> {
  readonly owner: number
  /** Time of the next try by the store's clock, in milliseconds since 1970; `null` if the job does not wait for one. */
  readonly nextTryAt: number | null
}

export interface JobFilter {
  readonly owner?: number | undefined
  readonly state?: JobState | undefined
  /** Only jobs after this one, in the order of time and id. */
  readonly after?: Pick<NewJob, 'at' | 'id'> | null | undefined
  readonly limit?: number | undefined
}

export interface JobChange {
  readonly state: JobState
  readonly attempts: number
  readonly reason: string | null
  /** The stored answer stays when absent. */
  readonly answer?: string | null
  /** Time until the next try, from now by the store's clock. */
  readonly delayMs?: number
  /** Revision that the worker read. If content was erased later, reason and answer are not stored: they may quote it. */
  readonly revision?: number
}

export interface ClaimRequest {
  /** How long the claim lasts unless it is renewed. */
  readonly leaseMs: number
  /** The user to claim, even if no job waits. When absent, the user whose job has waited longest. */
  readonly userId?: number
}

export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly claim: Claim }
  /** Other callers hold the work of that user, or all work that is due. */
  | { readonly outcome: 'held' }
  /** No job is due. */
  | { readonly outcome: 'nothing' }

export interface Claim {
  readonly id: string
  readonly userId: number
  /** The user's scopes with a job that is due. */
  readonly scopes: readonly ScopeRow[]
  /** The user's queued jobs. */
  readonly jobs: readonly JobRow[]
}

import type { ScopeRow } from '../scopes/scope.ts'

/**
 * A durable queue of work. Jobs are queued by `append` and `commit`, in the transaction that made them necessary, and
 * finished by the `commit` that did them. A claim only keeps others from doing the same work at the same time: what makes
 * doing it twice harmless is that the second commit conflicts.
 *
 * queued ──claim──► claimed ──commit that finishes it──► gone
 *    ▲                 │ released, lapsed, or holder gone
 *    └─────────────────┘
 */
/** `read-segment`: turns that a branch passed over because the model's answer was unusable; `branch`, `from` and `to` name them. */
export type JobKind = 'consolidate' | 'end-session' | 'read-segment'
/** `queued` waits, also for its next try. `parked` failed for good, with its reason. */
export type JobState = 'queued' | 'parked'

/**
 * A job to queue. Of jobs that are alike in kind, scope, session, branch, positions and state only the first is kept; one
 * that waits for its next try becomes due at once.
 */
export interface NewJob {
  readonly id: string
  readonly kind: JobKind
  readonly scope: number
  readonly session: string | null
  readonly at: number
  /** The branch whose work it is; all branches when `null` or absent. */
  readonly branch?: string | null
  /** The turns it is about, those with `from` < position <= `to`; whatever is unread when absent. */
  readonly from?: number | null
  readonly to?: number | null
  readonly state?: JobState
  /** Tries that failed. */
  readonly attempts?: number
  readonly reason?: string | null
  /** The model's raw answer, for diagnosis. It may quote turns. */
  readonly answer?: string | null
  /** Time until the first try, from now by the store's clock. 0 when absent. */
  readonly delayMs?: number
}

/** Stored work that waits, or failed and why. */
export interface JobRow extends Required<Omit<NewJob, 'delayMs'>> {
  readonly owner: number
}

export interface JobFilter {
  readonly owner?: number | undefined
  readonly state?: JobState | undefined
  /** Only jobs after this place in the order of time and id. */
  readonly after?: Pick<NewJob, 'at' | 'id'> | null | undefined
  readonly limit?: number | undefined
}

export interface JobChange {
  readonly state: JobState
  readonly attempts: number
  readonly reason: string | null
  /** Left as it is when absent. */
  readonly answer?: string | null
  /** Time until the next try, from now by the store's clock. */
  readonly delayMs?: number
  /** The revision on which the work was based. When content was erased since, neither reason nor answer is kept: they may quote it. */
  readonly revision?: number
}

export interface ClaimRequest {
  /** How long the claim lasts unless it is renewed. */
  readonly leaseMs: number
  /** Whose work, whether or not a job waits. Otherwise that of the user who has waited longest. */
  readonly userId?: number
}

export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly claim: Claim }
  /** Another caller holds that user's work, or all work that is due. */
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

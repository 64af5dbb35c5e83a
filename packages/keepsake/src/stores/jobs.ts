import type { ScopeRow } from '../scopes/scope.ts'
import type { OwnerVersion } from './rows.ts'

/**
 * Work that is to be done once, whoever does it: a durable queue of jobs, and claims by which one worker has a person's
 * work to itself. Jobs are queued by `append` and `commit`, in the transaction of what made them necessary, and finished by the
 * `commit` that did them.
 *
 * A claim only keeps others from doing the same work at the same time. What makes doing it twice harmless are the
 * expectations of a commit: whoever lost a claim without knowing, and comes second, changes nothing.
 *
 * queued ──claim──► claimed ──commit that finishes it──► gone
 *    ▲                 │ released, lapsed, or holder gone
 *    └─────────────────┘
 */
export interface Jobs {
  /** Unfinished and parked jobs, oldest first; a page of them is in order of time and id. */
  jobs(filter?: JobFilter): Promise<JobRow[]>
  /** Sets a job's state, attempts, reason and answer. A job that was finished meanwhile is left alone. */
  updateJob(job: string, change: JobChange): Promise<void>

  /**
   * Claims a person's work for the caller, to whom alone it belongs until it is released, or the lease lapses, or the store
   * knows that the holder is gone (a killed process). Times are the store's own: machines' clocks differ.
   *
   * With `owner`, that person's, whether or not a job waits; otherwise that of whoever has waited longest with a job that
   * is due and whose work nobody holds. A store that knows who has whom at hand gives a caller its own people first, and leaves it
   * others' for `leaveMs`; now and then it gives whoever has waited longest, so that nobody waits for ever.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>
  /**
   * Gives claims back, and then claims: both or neither. Optional, for stores where one such call is less than two; without it they are
   * asked for one after the other.
   */
  turnOver?(ended: readonly string[], request: ClaimRequest): Promise<ClaimResult>
  /** Makes a claim last for so long from now. @returns `false` when it was lost: it lapsed and somebody else has claimed the work since. */
  renew(claim: string, leaseMs: number): Promise<boolean>
  /** Whether commits give back the claims that they name (`CommitRequest.endClaims`). `false` when absent: then nobody names any. */
  readonly endsClaims?: boolean
  /** Gives a claim back. One that was lost is left to who has it. */
  release(claim: string): Promise<void>

  /**
   * Calls the listener whenever another process may have queued work, for stores that are told so (LISTEN/NOTIFY), and says whether
   * it is that of people whom this process has at hand. Without it, workers look for work every second. What this process queues it
   * knows by itself.
   *
   * @returns what ends the watching
   */
  watch?(listener: (isAtHand: boolean) => void): () => void
}

/**
 * `read-segment`: turns that a branch passed over, since the model answered with something unusable; its `branch`,
 * `from` and `to` say which.
 */
export type JobKind = 'consolidate' | 'end-session' | 'read-segment'
/** `queued` waits (also after a failure that will be tried again); `parked` failed for good, with its reason. Finished jobs are removed. */
export type JobState = 'queued' | 'parked'

export interface JobFilter {
  readonly owner?: number | undefined
  readonly state?: JobState | undefined
  /** Only jobs behind this place. Asked for with `null`, or with a `limit`, they come in order of time and then id. */
  readonly after?: Pick<NewJob, 'at' | 'id'> | null | undefined
  readonly limit?: number | undefined
}

/**
 * A job to queue. Of jobs that are alike in kind, scope, session, branch and positions, the first in a state is kept
 * and the others are not stored: work that waits is not doubled, and a parked job holds up none that is queued. One that was
 * to wait before it is tried again is due at once then: there is something new to do.
 */
export interface NewJob {
  readonly id: string
  readonly kind: JobKind
  readonly scope: number
  readonly session: string | null
  readonly at: number
  /** The branch whose work it is; `null` when absent: all of them. */
  readonly branch?: string | null
  /** The turns it is about, those with `from` < position <= `to`; `null` when absent: whatever is unread. */
  readonly from?: number | null
  readonly to?: number | null
  /** `queued` when absent. */
  readonly state?: JobState
  /** Tries that failed; 0 when absent. */
  readonly attempts?: number
  readonly reason?: string | null
  /** What the model answered, raw, for whoever looks into the failure. It may hold words of the talk. */
  readonly answer?: string | null
}

export interface JobRow extends Required<NewJob> {
  readonly owner: number
}

export interface JobChange {
  readonly state: JobState
  readonly attempts: number
  readonly reason: string | null
  /** Left as it is when absent. */
  readonly answer?: string | null
  /** How long nobody is to try it again, from now by the store's clock. At once when absent. */
  readonly delayMs?: number
  /**
   * The owner's epoch when the turns that were handed to the model were read. When content was erased since, neither
   * reason nor answer is kept: they could bring back what is gone.
   */
  readonly epoch?: number
}

export interface ClaimRequest {
  /** How long it lasts unless it is renewed. Lapsed, it goes to whoever claims next. */
  readonly leaseMs: number
  /** Whose work; anybody's when absent. */
  readonly owner?: number
  /**
   * For how long work that is due is left to the process that has its person at hand: the one that worked for them last, or else
   * the one that queued it. At once anybody's when absent. Stores whose processes do not hear of each other's work need not heed it.
   */
  readonly leaveMs?: number
}

export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly claim: Claim }
  /** Somebody else holds the owner's work; without an owner: all work that is due. */
  | { readonly outcome: 'held' }
  /** No job is due. */
  | { readonly outcome: 'nothing' }

export interface Claim {
  readonly id: string
  readonly owner: number
  /** The person's scopes with a job that is due. */
  readonly scopes: readonly ScopeRow[]
  /** The person's version and queued jobs as of the claim, from stores that can tell them along: they are asked for next. */
  readonly version?: OwnerVersion
  readonly jobs?: readonly JobRow[]
}

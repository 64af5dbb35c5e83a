import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim, ClaimRequest, ClaimResult, Jobs } from '../stores/store.ts'

/** How long a claim outlives a process that stops renewing it without being gone: one that is suspended, or on another machine. */
const LEASE_MS = 30_000
const RENEW_MS = LEASE_MS / 3
/**
 * So long a person's work is left to the process that has them in memory: to read a stranger's rows costs several times what
 * a round costs to read, and whoever is there begins within a few hundredths of a second unless it has more than it can do.
 */
export const LEAVE_MS = 500
/** Between two tries for a person whose work another process holds. */
const WAIT_MS = 20

/** The methods of the store that claims use. */
type ClaimStore = Pick<Jobs, 'claim' | 'renew' | 'release'>

/**
 * Has each user's background work done by one worker at a time, in this process and among all that share the store: a model
 * is not asked twice for the same. A claim is renewed while the work lasts, and released when it ends.
 */
export class PersonClaims {
  readonly #store: ClaimStore
  readonly #report: (error: unknown) => void
  readonly #leaseMs: number
  /** Work under way in this process, by user. */
  readonly #held = new Map<number, Promise<unknown>>()

  /** @param report receives what kept a claim from being renewed or released: it lapses by itself */
  constructor(store: ClaimStore, report: (error: unknown) => void, leaseMs = LEASE_MS) {
    this.#store = store
    this.#report = report
    this.#leaseMs = leaseMs
  }

  /** Does the work of the user who has waited longest, if there is one. */
  async next(work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    return this.#claimOnce({ leaseMs: this.#leaseMs, leaveMs: LEAVE_MS }, work)
  }

  /** Does one user's work, whether or not a job waits, once no other worker does it. */
  async of<Result>(owner: number, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.#store.claim({ leaseMs: this.#leaseMs, owner })
      if (result.outcome === 'claimed') return this.#hold(result.claim, work)
      await (this.#held.get(owner) ?? sleep(WAIT_MS))
    }
  }

  /** Does one user's work, unless another worker does it. */
  async once(owner: number, work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    return this.#claimOnce({ leaseMs: this.#leaseMs, owner }, work)
  }

  async #claimOnce(
    request: ClaimRequest,
    work: (claim: Claim) => Promise<void>,
  ): Promise<ClaimResult['outcome']> {
    const result = await this.#store.claim(request)
    if (result.outcome === 'claimed') await this.#hold(result.claim, work)
    return result.outcome
  }

  async #hold<Result>(claim: Claim, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    const renewing = setInterval(() => this.#renew(claim.id), Math.min(RENEW_MS, this.#leaseMs / 3)).unref()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#held.set(claim.owner, ended)
    try {
      return await work(claim)
    } finally {
      clearInterval(renewing)
      await this.#store.release(claim.id).catch(this.#report)
      this.#held.delete(claim.owner)
      end()
    }
  }

  /** A claim that was lost is noticed by the commits of the work, which then change nothing. */
  #renew(claim: string): void {
    this.#store.renew(claim, this.#leaseMs).catch(this.#report)
  }
}

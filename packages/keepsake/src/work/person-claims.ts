import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim, ClaimRequest, ClaimResult, Store } from '../store/store.ts'

/** How long a claim outlives a process that stops renewing it without being gone: one that is suspended, or on another machine. */
const LEASE_MS = 30_000
const RENEW_MS = LEASE_MS / 3
/** Between two tries for a person whose work another process holds. */
const WAIT_MS = 20

/** The methods of the store that claims use. */
type ClaimStore = Pick<Store, 'claimJobs' | 'renewClaim' | 'releaseClaim'>

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
    return this.#claimOnce({ leaseMs: this.#leaseMs }, work)
  }

  /** Does one user's work, whether or not a job waits, once no other worker does it. */
  async of<Result>(userId: number, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.#store.claimJobs({ leaseMs: this.#leaseMs, userId })
      if (result.outcome === 'claimed') return this.#hold(result.claim, work)
      await (this.#held.get(userId) ?? sleep(WAIT_MS))
    }
  }

  /** Does one user's work, unless another worker does it. */
  async once(userId: number, work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    return this.#claimOnce({ leaseMs: this.#leaseMs, userId }, work)
  }

  async #claimOnce(
    request: ClaimRequest,
    work: (claim: Claim) => Promise<void>,
  ): Promise<ClaimResult['outcome']> {
    const result = await this.#store.claimJobs(request)
    if (result.outcome === 'claimed') await this.#hold(result.claim, work)
    return result.outcome
  }

  async #hold<Result>(claim: Claim, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    const renewing = setInterval(() => this.#renew(claim.id), Math.min(RENEW_MS, this.#leaseMs / 3)).unref()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#held.set(claim.userId, ended)
    try {
      return await work(claim)
    } finally {
      clearInterval(renewing)
      await this.#store.releaseClaim(claim.id).catch(this.#report)
      this.#held.delete(claim.userId)
      end()
    }
  }

  /** A claim that was lost is noticed by the commits of the work, which then change nothing. */
  #renew(claim: string): void {
    this.#store.renewClaim(claim, this.#leaseMs).catch(this.#report)
  }
}

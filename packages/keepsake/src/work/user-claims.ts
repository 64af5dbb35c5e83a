// Claims users, so that only one worker does a user's work at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim, Store, ClaimRequest, ClaimResult } from '../store/store.ts'

/** How long a claim stays valid without renewal. It matters for processes that are suspended or on another machine. */
const LEASE_MS = 30_000
const RENEW_MS = LEASE_MS / 3
/** Delay between two tries to claim a user whom another process has claimed. */
const WAIT_MS = 20

type ClaimStore = Pick<Store, 'claimJobs' | 'renewClaim' | 'releaseClaim'>

/** Claims users, so that one worker of all processes does a user's work. Claims are renewed, and released at the end. */
export class UserClaims {
  readonly #store: ClaimStore
  readonly #report: (error: unknown) => void
  readonly #leaseMs: number
  /** The work of this process that is running, by user. */
  readonly #running = new Map<number, Promise<unknown>>()

  /** @param report receives errors of renewing or releasing a claim, which then expires by itself */
  constructor(store: ClaimStore, report: (error: unknown) => void, leaseMs = LEASE_MS) {
    this.#store = store
    this.#report = report
    this.#leaseMs = leaseMs
  }

  /** Runs `work` for the user who has waited longest, if a job is due. */
  async next(work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    return this.#claimOnce({ leaseMs: this.#leaseMs }, work)
  }

  /** Runs `work` for one user, with or without a job, as soon as no other worker has claimed them. */
  async of<Result>(userId: number, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.#store.claimJobs({ leaseMs: this.#leaseMs, userId })
      if (result.outcome === 'claimed') return this.#run(result.claim, work)
      await (this.#running.get(userId) ?? sleep(WAIT_MS))
    }
  }

  /** Runs `work` for one user, unless another worker has claimed them. */
  async once(userId: number, work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    return this.#claimOnce({ leaseMs: this.#leaseMs, userId }, work)
  }

  async #claimOnce(
    request: ClaimRequest,
    work: (claim: Claim) => Promise<void>,
  ): Promise<ClaimResult['outcome']> {
    const result = await this.#store.claimJobs(request)
    if (result.outcome === 'claimed') await this.#run(result.claim, work)
    return result.outcome
  }

  async #run<Result>(claim: Claim, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    const renewing = setInterval(() => this.#renew(claim.id), Math.min(RENEW_MS, this.#leaseMs / 3)).unref()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#running.set(claim.userId, ended)
    try {
      return await work(claim)
    } finally {
      clearInterval(renewing)
      await this.#store.releaseClaim(claim.id).catch(this.#report)
      this.#running.delete(claim.userId)
      end()
    }
  }

  /** A lost claim does no harm: the commits of its work conflict and change nothing. */
  #renew(claim: string): void {
    this.#store.renewClaim(claim, this.#leaseMs).catch(this.#report)
  }
}

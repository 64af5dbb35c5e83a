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

/** What it asks of the store. */
type ClaimStore = Pick<Jobs, 'claim' | 'renew' | 'release' | 'turnOver'>

/**
 * Has each person's background work done by one worker at a time, in this process and among all that share the store: a model
 * is not asked twice for the same. Claims are renewed while the work lasts, and given back when it ends, however it ends.
 */
export class PersonClaims {
  readonly #store: ClaimStore
  readonly #report: (error: unknown) => void
  readonly #leaseMs: number
  /** Work under way in this process, by person. */
  readonly #held = new Map<number, Promise<unknown>>()
  /** Claims whose work has ended, to be given back with the next look for work. */
  #ended: string[] = []
  /** Those that the last commit of their work gave back. */
  readonly #givenBack = new Set<string>()

  /** @param report told when a claim could not be renewed or given back: it lapses by itself */
  constructor(store: ClaimStore, report: (error: unknown) => void, leaseMs = LEASE_MS) {
    this.#store = store
    this.#report = report
    this.#leaseMs = leaseMs
  }

  /**
   * Does the work of whoever has waited longest, if anybody has, and is not just left to another. Its claim is given back by the next look for
   * work, or by {@link settle}: whoever asks goes on until there is none.
   */
  async next(work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    const result = await this.#claim({ leaseMs: this.#leaseMs, leaveMs: LEAVE_MS })
    if (result.outcome === 'claimed')
      await this.#hold(result.claim, work, ({ id }) => Promise.resolve(void this.#ended.push(id)))
    return result.outcome
  }

  /** Does one person's work, whether or not a job waits, once nobody else is at it. */
  async of<Result>(owner: number, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.#claim({ leaseMs: this.#leaseMs, owner })
      if (result.outcome === 'claimed') return this.#hold(result.claim, work)
      await (this.#held.get(owner) ?? sleep(WAIT_MS))
    }
  }

  /** Does one person's work, unless somebody is at it. */
  async once(owner: number, work: (claim: Claim) => Promise<void>): Promise<ClaimResult['outcome']> {
    const result = await this.#claim({ leaseMs: this.#leaseMs, owner })
    if (result.outcome === 'claimed') await this.#hold(result.claim, work)
    return result.outcome
  }

  /** Takes note that a claim whose work goes on for a moment was given back by a commit. */
  gaveBack({ id }: Claim): void {
    this.#givenBack.add(id)
  }

  /** Gives back what {@link next} left. */
  async settle(): Promise<void> {
    const ended = this.#ended
    this.#ended = []
    for (const id of ended) await this.#store.release(id).catch(this.#report)
  }

  /** Claims, and gives back what has ended. What could not be given back now is the next time. */
  async #claim(request: ClaimRequest): Promise<ClaimResult> {
    if (this.#ended.length === 0 || this.#store.turnOver === undefined) {
      await this.settle()
      return this.#store.claim(request)
    }
    const ended = this.#ended
    this.#ended = []
    try {
      return await this.#store.turnOver(ended, request)
    } catch (error) {
      this.#ended.push(...ended)
      throw error
    }
  }

  async #hold<Result>(
    claim: Claim,
    work: (claim: Claim) => Promise<Result>,
    giveBack = ({ id }: Claim): Promise<void> => this.#store.release(id),
  ): Promise<Result> {
    const renewing = setInterval(() => this.#renew(claim.id), Math.min(RENEW_MS, this.#leaseMs / 3)).unref()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#held.set(claim.owner, ended)
    try {
      return await work(claim)
    } finally {
      clearInterval(renewing)
      if (!this.#givenBack.delete(claim.id)) await giveBack(claim).catch(this.#report)
      this.#held.delete(claim.owner)
      end()
    }
  }

  /** One that was lost is noticed by the commits of the work, which then change nothing. */
  #renew(claim: string): void {
    this.#store.renew(claim, this.#leaseMs).catch(this.#report)
  }
}

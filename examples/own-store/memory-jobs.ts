import { randomUUID } from 'node:crypto'
import * as kit from 'keepsake/store-kit'
import { MemoryRows } from './memory-rows.ts'
import { personOf } from './state.ts'

/** The queue, and claims on people's work. */
export class MemoryJobs extends MemoryRows implements kit.Jobs {
  async jobs({ owner, state, after, limit }: kit.JobFilter = {}): Promise<kit.JobRow[]> {
    const jobs = this.opening.state.jobs
      .filter((job) => job.owner === (owner ?? job.owner) && job.state === (state ?? job.state))
      .map(({ dueAt: _dueAt, ...job }) => job)
    if (after === undefined && limit === undefined) return jobs
    return jobs
      .toSorted(byTime)
      .filter((job) => after === undefined || after === null || byTime(job, after) > 0)
      .slice(0, limit)
  }

  async updateJob(id: string, { delayMs, epoch, answer, reason, ...change }: kit.JobChange): Promise<void> {
    this.opening.change((state) => {
      const job = state.jobs.find((one) => one.id === id)
      if (job === undefined) return
      Object.assign(job, change, { dueAt: delayMs === undefined ? 0 : Date.now() + delayMs })
      if (epoch !== undefined && epoch !== personOf(state, job.owner).epoch) return
      job.reason = reason
      if (answer !== undefined) job.answer = answer
    })
  }

  async claim({ leaseMs, owner: wanted }: kit.ClaimRequest): Promise<kit.ClaimResult> {
    return this.opening.change((state): kit.ClaimResult => {
      const now = Date.now()
      const due = state.jobs.filter((job) => job.state === 'queued' && job.dueAt <= now)
      const isFree = (owner: number): boolean => {
        const claim = state.claims.get(owner)
        return claim === undefined || claim.until <= now || kit.stateOfHolder(claim.holder) === 'dead'
      }
      const owner = wanted ?? due.find((job) => isFree(job.owner))?.owner
      if (owner === undefined) return { outcome: due.length === 0 ? 'nothing' : 'held' }
      if (!isFree(owner)) return { outcome: 'held' }
      const id = randomUUID()
      state.claims.set(owner, { id, holder: this.opening.holder.name, until: now + leaseMs })
      const scopes = (state.people[owner - 1]?.scopes ?? []).map(({ row }) => row)
      return {
        outcome: 'claimed',
        claim: { id, owner, scopes: scopes.filter(({ scope }) => due.some((job) => job.scope === scope)) },
      }
    })
  }

  async renew(id: string, leaseMs: number): Promise<boolean> {
    return this.opening.change((state) => {
      const claim = [...state.claims.values()].find((one) => one.id === id)
      if (claim !== undefined) claim.until = Date.now() + leaseMs
      return claim !== undefined
    })
  }

  async release(id: string): Promise<void> {
    this.opening.change((state) => {
      for (const [owner, claim] of state.claims) if (claim.id === id) state.claims.delete(owner)
    })
  }

  watch(listener: () => void): () => void {
    this.opening.watchers.add(listener)
    return () => this.opening.watchers.delete(listener)
  }
}

type Place = Pick<kit.NewJob, 'at' | 'id'>

function byTime(one: Place, other: Place): number {
  return one.at - other.at || (one.id < other.id ? -1 : Number(one.id > other.id))
}

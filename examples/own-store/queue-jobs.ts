import type { NewJob } from 'keepsake/store-kit'
import type { Opening } from './opening.ts'
import type { State } from './state.ts'

/** Of jobs that are alike the first is kept, and due at once. Whoever watches is told. */
export function queueJobs(opening: Opening, state: State, owner: number, jobs: readonly NewJob[]): void {
  const unread = { branch: null, from: null, to: null, answer: null, reason: null }
  for (const job of jobs) {
    const row = { ...unread, state: 'queued' as const, attempts: 0, ...job, owner, dueAt: 0 }
    const fields = ['owner', 'scope', 'session', 'kind', 'branch', 'from', 'to', 'state'] as const
    const alike = state.jobs.find((one) => fields.every((field) => one[field] === row[field]))
    if (alike === undefined) state.jobs.push(row)
    else alike.dueAt = 0
  }
  if (jobs.length > 0) for (const tell of opening.watchers) setImmediate(tell)
}

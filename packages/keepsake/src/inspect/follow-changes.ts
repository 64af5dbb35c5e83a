// Follows the changes of users as the store announces them.
import { LRUCache } from 'lru-cache'
import type { ChangeNote } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { reportFailure } from '../work/jobs.ts'
import { listChanges, readMark, UNKNOWN_REVISION, type Change, type ChangeMark } from './list-changes.ts'

export interface FollowedUser {
  readonly tenant: string
  readonly user: string
}

/** A listener, with an optional filter by user. */
export interface FollowOptions {
  /** Called with each change, in order. */
  readonly onChange: (change: Change) => void
  /** Filters users before anything is read; `null` is an erased user, who has no name any more. All users when absent. */
  readonly filter?: (person: FollowedUser | null) => boolean
}

/** Number of turns and of log entries that are read at a time. */
const BATCH_SIZE = 200
/** Maximum number of users whose last reported mark is known. */
const MAX_USERS = 10_000
/** Delay before a retry after a store failure. */
const RETRY_MS = 1_000

/** Reports the changes that the store announces. A store may also announce changes of this process. They have the same ids there. */
export class ChangeFollower {
  readonly #engine: Engine
  readonly #following: FollowOptions
  readonly #unwatch: () => void
  /** The last reported mark of each user. */
  readonly #marks = new LRUCache<number, ChangeMark>({ max: MAX_USERS })
  readonly #names = new LRUCache<number, FollowedUser>({ max: MAX_USERS })
  readonly #queued = new Map<number, ChangeNote | null>()
  #isRunning = false
  #isStopped = false

  constructor(engine: Engine, following: FollowOptions) {
    this.#engine = engine
    this.#following = following
    this.#unwatch = engine.store.watch((note) => this.#receive(note))
  }

  readonly stop = (): void => {
    this.#isStopped = true
    this.#unwatch()
  }

  /** Queues the user of a note; all known users if notes may have been missed. */
  #receive(note: ChangeNote | null): void {
    if (this.#isStopped) return
    if (note !== null) this.#add(note)
    else for (const owner of this.#marks.keys()) if (!this.#queued.has(owner)) this.#queued.set(owner, null)
    if (!this.#isRunning) void this.#run()
  }

  #add(note: ChangeNote): void {
    const earlier = this.#queued.get(note.userId) ?? null
    this.#queued.set(note.userId, earlier === null ? note : joinNotes(earlier, note))
  }

  /** Runs until no user is queued. Failures are reported and retried. */
  async #run(): Promise<void> {
    this.#isRunning = true
    for (let [next] = this.#queued; next !== undefined && !this.#isStopped; [next] = this.#queued) {
      const [owner, note] = next
      this.#queued.delete(owner)
      try {
        await this.#report(owner, note)
      } catch (error) {
        if (this.#isStopped) return
        reportFailure(this.#engine, error)
        if (note === null) this.#queued.set(owner, null)
        else this.#add(note)
        await new Promise((resolve) => void setTimeout(resolve, RETRY_MS).unref())
      }
    }
    this.#isRunning = false
  }

  async #report(owner: number, note: ChangeNote | null): Promise<void> {
    const { filter = () => true, onChange } = this.#following
    const person = this.#names.get(owner) ?? (await this.#readName(owner))
    if (!filter(person)) return
    let mark = this.#marks.get(owner) ?? (note && markBefore(await readMark(this.#engine, owner), note))
    // The user was never reported, so there is no mark to start from.
    if (mark === null) return
    for (;;) {
      const found = await listChanges(this.#engine, owner, mark, BATCH_SIZE)
      const { changes } = found
      for (const change of changes) if (!this.#isStopped) onChange(change)
      // An erased user has no name any more.
      if (found.person === null) this.#names.delete(owner)
      mark = found.mark
      this.#marks.set(owner, mark)
      const isEverythingReported = changes.length === 0 || mark.revision !== UNKNOWN_REVISION
      if (isEverythingReported) return
    }
  }

  async #readName(owner: number): Promise<FollowedUser | null> {
    const [row] = await this.#engine.store.listScopes({ owner, limit: 1 })
    if (row === undefined) return null
    const person = { tenant: row.tenant, user: row.user }
    this.#names.set(owner, person)
    return person
  }
}

/** Returns the mark before the changes of a note. @param now the current mark */
function markBefore(now: ChangeMark, { sequence, turns, erasures }: ChangeNote): ChangeMark {
  const positions: Record<number, number> = { ...now.turns }
  for (const { scope, position } of turns) positions[scope] = Math.min(positions[scope] ?? position, position)
  return {
    turns: positions,
    sequence: Math.min(now.sequence, sequence),
    erasures: Math.max(0, now.erasures - erasures),
    revision: UNKNOWN_REVISION,
  }
}

/** Joins two notes of a user to one with the state before both. */
export function joinNotes(first: ChangeNote, second: ChangeNote): ChangeNote {
  const positions = new Map(second.turns.map(({ scope, position }) => [scope, position]))
  for (const { scope, position } of first.turns)
    positions.set(scope, Math.min(position, positions.get(scope) ?? position))
  return {
    userId: second.userId,
    sequence: Math.min(first.sequence, second.sequence),
    turns: [...positions].map(([scope, position]) => ({ scope, position })),
    erasures: first.erasures + second.erasures,
    hasJobs: first.hasJobs || second.hasJobs,
  }
}

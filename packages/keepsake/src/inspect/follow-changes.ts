import { LRUCache } from 'lru-cache'
import type { ChangeNote } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { tellFailure } from '../work/report-failure.ts'
import { listChanges, readMark, type Change, type ChangeMark } from './list-changes.ts'

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

/** Turns and entries of the log that are read at a time. */
const AT_A_TIME = 200
/** Maximum number of users whose last reported mark is remembered. */
const MOST_KNOWN = 10_000
/** Milliseconds before a retry after a store failure. */
const AGAIN_MS = 1_000

/**
 * Reads what other processes did as the store hears of it, from the turns and the log. What this process does may be among it: each change
 * has an id. Ends what it does by itself once it is stopped.
 */
export class ChangeFollower {
  readonly #engine: Engine
  readonly #following: FollowOptions
  readonly #unwatch: () => void
  /** Last reported mark by user, in order of use. */
  readonly #marks = new LRUCache<number, ChangeMark>({ max: MOST_KNOWN })
  readonly #people = new LRUCache<number, FollowedUser>({ max: MOST_KNOWN })
  readonly #waiting = new Map<number, ChangeNote | null>()
  #isRunning = false
  #isStopped = false

  constructor(engine: Engine, following: FollowOptions) {
    this.#engine = engine
    this.#following = following
    this.#unwatch = engine.store.watch((note) => this.#hear(note))
  }

  readonly stop = (): void => {
    this.#isStopped = true
    this.#unwatch()
  }

  /** After a gap in the notes, checks every user reported before. */
  #hear(note: ChangeNote | null): void {
    if (this.#isStopped) return
    if (note !== null) this.#add(note)
    else for (const owner of this.#marks.keys()) if (!this.#waiting.has(owner)) this.#waiting.set(owner, null)
    if (!this.#isRunning) void this.#run()
  }

  #add(note: ChangeNote): void {
    this.#waiting.set(note.userId, joinNotes(this.#waiting.get(note.userId) ?? null, note))
  }

  /** Runs until no user is queued. Failures are reported and retried. */
  async #run(): Promise<void> {
    this.#isRunning = true
    for (let [next] = this.#waiting; next !== undefined && !this.#isStopped; [next] = this.#waiting) {
      const [owner, note] = next
      this.#waiting.delete(owner)
      try {
        await this.#look(owner, note)
      } catch (error) {
        if (this.#isStopped) return
        tellFailure(this.#engine, error)
        if (note === null) this.#waiting.set(owner, null)
        else this.#add(note)
        await new Promise((resolve) => void setTimeout(resolve, AGAIN_MS).unref())
      }
    }
    this.#isRunning = false
  }

  async #look(owner: number, note: ChangeNote | null): Promise<void> {
    const { filter = () => true, onChange } = this.#following
    const person = this.#people.get(owner) ?? (await this.#personOf(owner))
    if (!filter(person)) return
    let mark = this.#marks.get(owner) ?? (note && before(await readMark(this.#engine, owner), note))
    // The user was never reported, so there is no mark to start from.
    if (mark === null) return
    for (;;) {
      const found = await listChanges(this.#engine, owner, mark, AT_A_TIME)
      const { changes } = found
      for (const change of changes) if (!this.#isStopped) onChange(change)
      // An erased user has no name any more.
      if (found.person === null) this.#people.delete(owner)
      mark = found.mark
      this.#marks.set(owner, mark)
      if (changes.length === 0 || mark.revision >= 0) return
    }
  }

  async #personOf(owner: number): Promise<FollowedUser | null> {
    const [row] = await this.#engine.store.listScopes({ owner, limit: 1 })
    if (row === undefined) return null
    const person = { tenant: row.tenant, user: row.user }
    this.#people.set(owner, person)
    return person
  }
}

/** Computes the mark before the noted changes from the current one. */
function before(now: ChangeMark, { sequence, turns, erasures }: ChangeNote): ChangeMark {
  const positions: Record<number, number> = { ...now.turns }
  for (const { scope, position } of turns) positions[scope] = Math.min(positions[scope] ?? position, position)
  return {
    turns: positions,
    sequence: Math.min(now.sequence, sequence),
    erasures: Math.max(0, now.erasures - erasures),
    revision: -1,
  }
}

/** Two notes of one user as one: from where they stood before both. */
function joinNotes(first: ChangeNote | null, second: ChangeNote): ChangeNote {
  if (first === null) return second
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

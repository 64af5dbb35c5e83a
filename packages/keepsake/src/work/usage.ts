import type { Memory } from '../memories/memory.ts'
import type { Tally, MemoryRef } from '../memories/operation.ts'
import { countUse, joinTallies, tallyOf, type TouchMoment } from '../memories/tally.ts'
import type { EventEmitter } from 'node:events'
import type { EventMap } from '../events/event-map.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Users } from '../user-state/users.ts'

/** How long the usage of a user's memories waits to be written. A process that is killed loses as much. */
const WRITE_AFTER_MS = 1_000
/** Users whose usage is written at a time. */
const USERS_AT_A_TIME = 4

/** The parts of the engine that usage is written to. */
interface UsageParts {
  readonly users: Pick<Users, 'addUsage' | 'cached'>
  readonly events: EventEmitter<EventMap>
}

/** What recalls of one scope did that is not written yet. */
interface ScopeUsage {
  readonly row: ScopeRow
  readonly tallies: Map<string, Tally>
}

/**
 * Counts which memories recalls used, and writes it about a second later, off the read path: one statement for all recalls of a user.
 * Policies see what is not written yet by {@link counted}.
 */
export class UsageWriter {
  readonly #parts: () => UsageParts
  readonly #report: (error: unknown) => void
  /** By user and scope, the longest waiting first. */
  readonly #waiting = new Map<number, Map<number, ScopeUsage>>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: () => UsageParts, report: (error: unknown) => void) {
    this.#parts = parts
    this.#report = report
  }

  /** Notes what a recall used. */
  note(row: ScopeRow, touched: readonly MemoryRef[], moment: TouchMoment): void {
    const ofUser = this.#waiting.get(row.owner) ?? new Map<number, ScopeUsage>()
    this.#waiting.set(row.owner, ofUser)
    const usage = ofUser.get(row.scope) ?? { row, tallies: new Map<string, Tally>() }
    ofUser.set(row.scope, usage)
    for (const ref of touched) {
      const before = usage.tallies.get(ref.memory)
      const tally = tallyOf(ref, moment)
      usage.tallies.set(ref.memory, before === undefined ? tally : joinTallies(before, tally))
    }
    if (this.#timer === null) this.#timer = setTimeout(() => void this.#writeOnTime(), WRITE_AFTER_MS).unref()
  }

  /** A memory with all usage that was counted of it, what waits to be written included. */
  counted(state: UserState, memory: Memory): Memory {
    const counted = state.counted(memory)
    const tally = this.#waiting.get(state.user)?.get(memory.scope)?.tallies.get(memory.id)
    return tally === undefined || memory.status !== 'live'
      ? counted
      : { ...counted, use: countUse(counted.use, tally) }
  }

  /** Drops what waits of a user who is erased. */
  drop(user: number): void {
    this.#waiting.delete(user)
  }

  /** Writes what waits, of one user or of all. What fails is reported. */
  async write(user?: number): Promise<void> {
    if (user === undefined || this.#waiting.has(user)) this.#writing = this.#writeAfter(this.#writing, user)
    await this.#writing
  }

  async #writeOnTime(): Promise<void> {
    this.#timer = null
    await this.write()
  }

  async #writeAfter(before: Promise<void>, user: number | undefined): Promise<void> {
    await before
    const users = user === undefined ? [...this.#waiting.keys()] : [user]
    while (users.length > 0)
      await Promise.all(users.splice(0, USERS_AT_A_TIME).map((user) => this.#writeUser(user)))
  }

  async #writeUser(user: number): Promise<void> {
    const usages = [...(this.#waiting.get(user)?.values() ?? [])]
    this.#waiting.delete(user)
    const { users, events } = this.#parts()
    const known = users.cached(user)?.memories
    const counts = usages
      .flatMap(({ tallies }) => Array.from(tallies, ([memory, tally]) => ({ memory, tally })))
      .filter(({ memory }) => known === undefined || known.get(memory)?.status === 'live')
    if (counts.length === 0) return
    try {
      await users.addUsage(user, counts)
    } catch (error) {
      this.#report(error)
      return
    }
    for (const { row, tallies } of usages) {
      const touched = Array.from(tallies, ([memory, tally]) => touchedBy(memory, tally))
      events.emit('memories-reinforced', { scope: eventScope(row), touched: touched.toSorted(byRank) })
    }
  }
}

function touchedBy(memory: string, tally: Tally): MemoryRef {
  return { memory, rank: tally.first > 0 ? 'first' : 'second', tally }
}

function byRank({ rank }: MemoryRef, { rank: other }: MemoryRef): number {
  return rank === other ? 0 : rank === 'first' ? -1 : 1
}

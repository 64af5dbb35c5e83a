// Counts how often memories are recalled, and writes the counters later, together.
import type { Memory } from '../memories/memory.ts'
import type { Tally, MemoryRef } from '../memories/operation.ts'
import { countUse, joinTallies, tallyOf, type TouchMoment } from '../memories/apply-operation.ts'
import type { EventEmitter } from 'node:events'
import type { EventMap } from '../events/event-map.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Users } from '../user-state/users.ts'

/** Delay after which usage is written. A process that is killed loses the usage of this time. */
const WRITE_AFTER_MS = 1_000
/** Number of users whose usage is written at the same time. */
const BATCH_SIZE = 4

/** The parts of the engine that the writer needs. */
interface UsageParts {
  readonly users: Pick<Users, 'addUsage' | 'cached'>
  readonly events: EventEmitter<EventMap>
}

/** Usage in one scope that is not written yet. */
interface ScopeUsage {
  readonly row: ScopeRow
  readonly tallies: Map<string, Tally>
}

/** Counts which memories recalls use. The counts are written together a second later. {@link counted} includes pending ones. */
export class UsageWriter {
  readonly #parts: () => UsageParts
  readonly #report: (error: unknown) => void
  /** Pending usage by user and scope, the oldest first. */
  readonly #pending = new Map<number, Map<number, ScopeUsage>>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: () => UsageParts, report: (error: unknown) => void) {
    this.#parts = parts
    this.#report = report
  }

  /** Counts the memories that a recall used. */
  note(row: ScopeRow, touched: readonly MemoryRef[], moment: TouchMoment): void {
    const ofUser = this.#pending.get(row.owner) ?? new Map<number, ScopeUsage>()
    this.#pending.set(row.owner, ofUser)
    const usage = ofUser.get(row.scope) ?? { row, tallies: new Map<string, Tally>() }
    ofUser.set(row.scope, usage)
    for (const ref of touched) {
      const before = usage.tallies.get(ref.memory)
      const tally = tallyOf(ref, moment)
      usage.tallies.set(ref.memory, before === undefined ? tally : joinTallies(before, tally))
    }
    if (this.#timer === null) this.#timer = setTimeout(() => void this.#writeOnTime(), WRITE_AFTER_MS).unref()
  }

  /** Returns a memory with its usage, including pending counts. */
  counted(state: UserState, memory: Memory): Memory {
    const counted = state.counted(memory)
    const tally = this.#pending.get(state.user)?.get(memory.scope)?.tallies.get(memory.id)
    return tally === undefined || memory.status !== 'live'
      ? counted
      : { ...counted, use: countUse(counted.use, tally) }
  }

  /** Drops the pending usage of a user who is erased. */
  drop(user: number): void {
    this.#pending.delete(user)
  }

  /** Writes the pending usage of one user or of all. Errors are reported. */
  async write(user?: number): Promise<void> {
    if (user === undefined || this.#pending.has(user)) this.#writing = this.#writeAfter(this.#writing, user)
    await this.#writing
  }

  async #writeOnTime(): Promise<void> {
    this.#timer = null
    await this.write()
  }

  async #writeAfter(before: Promise<void>, user: number | undefined): Promise<void> {
    await before
    const users = user === undefined ? [...this.#pending.keys()] : [user]
    while (users.length > 0)
      await Promise.all(users.splice(0, BATCH_SIZE).map((user) => this.#writeUser(user)))
  }

  async #writeUser(user: number): Promise<void> {
    const usages = [...(this.#pending.get(user)?.values() ?? [])]
    this.#pending.delete(user)
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
  return Number(rank === 'second') - Number(other === 'second')
}

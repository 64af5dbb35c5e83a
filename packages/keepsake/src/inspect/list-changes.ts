// Lists and follows the changes of users.
import { LRUCache } from 'lru-cache'
import { EVENT_OF, type MemoryEvent } from '../events/event-map.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import { eventScope, type EventScope, type ScopeRow } from '../scopes/scope.ts'
import type { EraseReceipt, ChangeNote } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { reportFailure } from '../work/jobs.ts'
import { withTextsAndUsage } from '../work/read-memories.ts'

/** A position in the changes of a user. It holds only numbers, so it may be stored anywhere. */
export interface ChangeMark {
  /** The last turn of each scope, by the scope's row number. */
  readonly turns: Readonly<Record<string, number>>
  /** Sequence number in the user's log. */
  readonly sequence: number
  readonly erasures: number
  /** The user's revision when everything up to here was reported. An equal revision means no change. */
  readonly revision: number
}

/** The mark before all changes of a user. */
export const FIRST_MARK: ChangeMark = { turns: {}, sequence: 0, erasures: 0, revision: 0 }

/** A change, with the payload of the event of that name. It is read from the store, so it contains no erased text. */
export type Change = { readonly id: string; readonly at: number; readonly mark: ChangeMark } & (
  | {
      readonly event: 'turns-recorded'
      readonly payload: {
        readonly scope: EventScope
        readonly session: string
        readonly turns: readonly string[]
      }
    }
  | {
      readonly event: MemoryEvent
      /** The memory as it is now; `null` once it was erased. */
      readonly payload: {
        readonly scope: EventScope
        readonly memory: Memory | null
        readonly operation: Operation
      }
    }
  | { readonly event: 'scope-erased'; readonly payload: { readonly receipt: EraseReceipt } }
)

/** Changes of a user after a mark. */
export interface Changes {
  /** The user; `null` for an erased user, of whom only the erasure is reported. */
  readonly person: { readonly tenant: string; readonly user: string } | null
  /** Turns in order of arrival, then operations in the order of the log, then erasures. */
  readonly changes: readonly Change[]
  /** The mark after these changes, and after operations that are no event. */
  readonly mark: ChangeMark
}

/** Lists a user's changes after a mark from the log, up to a limit for each kind. Recalls and reinforcements are not included. */
export async function listChanges(
  engine: Engine,
  owner: number,
  after: ChangeMark,
  limit: number,
): Promise<Changes> {
  const { store } = engine
  const rows = await store.listScopes({ owner })
  const [first] = rows
  const person = first === undefined ? null : { tenant: first.tenant, user: first.user }
  const revision = await store.revision(owner)
  if (revision === after.revision) return { person, changes: [], mark: after }
  // The log is read before the turns, so that the turns of each operation are among them.
  const operations =
    person === null ? [] : await store.listOperations({ userId: owner, afterSequence: after.sequence, limit })
  const turns = await listNewTurns(engine, rows, after, limit)
  const receipts = (await store.listErasures(owner)).slice(after.erasures)
  const memories = await readMemories(engine, owner, operations)
  const scopes = new Map(rows.map((row) => [row.scope, eventScope(row)]))
  const changes: Change[] = []
  // The revision is unknown until everything is reported.
  let mark: ChangeMark = { ...after, revision: -1 }
  for (const { id, scope: row, session, position, at } of turns) {
    mark = { ...mark, turns: { ...mark.turns, [row]: position } }
    const scope = scopes.get(row)
    if (scope === undefined) continue
    const payload = { scope, session, turns: [id] }
    changes.push({ id: `turn-${row}-${position}`, at, mark, event: 'turns-recorded', payload })
  }
  for (const operation of operations) {
    const { id, kind, memory, at, sequence } = operation
    mark = { ...mark, sequence }
    const scope = scopes.get(operation.scope)
    if (!hasEvent(kind) || memory === null || scope === undefined) continue
    const payload = { scope, memory: memories.get(memory) ?? null, operation }
    changes.push({ id: `operation-${id}`, at, mark, event: EVENT_OF[kind], payload })
  }
  for (const receipt of receipts) {
    mark = { ...mark, erasures: mark.erasures + 1 }
    const { id, at } = receipt
    changes.push({ id: `erasure-${id}`, at, mark, event: 'scope-erased', payload: { receipt } })
  }
  const isAll = turns.length < limit && operations.length < limit
  return { person, changes, mark: isAll ? { ...mark, revision } : mark }
}

function hasEvent(kind: OperationKind): kind is keyof typeof EVENT_OF {
  return kind in EVENT_OF
}

/** The events that can be reported after they happened. */
export const CHANGE_EVENTS = ['turns-recorded', ...Object.values(EVENT_OF), 'scope-erased'] as const

/** Returns the user's current mark; later changes come after it. */
export async function readMark({ store }: Engine, owner: number): Promise<ChangeMark> {
  const revision = await store.revision(owner)
  const rows = await store.listScopes({ owner })
  const [last] = await store.listOperations({ userId: owner, newestFirst: true, limit: 1 })
  const turns: Record<string, number> = {}
  for (const { scope } of rows) {
    const [turn] = await store.listTurns({ userId: owner, scopes: [scope], newestFirst: true, limit: 1 })
    turns[scope] = turn?.position ?? 0
  }
  return {
    turns,
    sequence: last?.sequence ?? 0,
    erasures: (await store.listErasures(owner)).length,
    revision,
  }
}

async function listNewTurns(
  { store }: Engine,
  rows: readonly ScopeRow[],
  after: ChangeMark,
  limit: number,
): Promise<readonly Turn[]> {
  const found: Turn[] = []
  for (const { owner, scope } of rows) {
    if (found.length >= limit) break
    const afterPosition = after.turns[scope] ?? 0
    const query = { userId: owner, scopes: [scope], afterPosition, limit: limit - found.length }
    found.push(...(await store.listTurns(query)))
  }
  return found
}

/** Reads the memories of operations that have an event, without erased ones. */
async function readMemories(
  engine: Engine,
  owner: number,
  operations: readonly Operation[],
): Promise<ReadonlyMap<string, Memory>> {
  const ids = new Set(operations.flatMap(({ kind, memory }) => (kind in EVENT_OF && memory ? [memory] : [])))
  if (ids.size === 0) return new Map()
  const stored = await engine.store.listMemories({ userId: owner, ids: [...ids] })
  const present = stored.flatMap(({ memory }) => (memory.status === 'erased' ? [] : [memory]))
  const memories = await withTextsAndUsage(engine, owner, present)
  return new Map(memories.map((memory) => [memory.id, memory]))
}

/** The name of a user whose changes are followed. */
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

/**
 * Reports the changes of other processes when the store announces them. Changes of this process may be among them; they have the same
 * ids.
 */
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
    this.#queued.set(note.userId, joinNotes(this.#queued.get(note.userId) ?? null, note))
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
      if (changes.length === 0 || mark.revision >= 0) return
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
    revision: -1,
  }
}

/** Joins two notes of a user to one with the state before both. */
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

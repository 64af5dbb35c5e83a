// Lists the changes of a user after a mark.
import { EVENT_OF, type MemoryEvent } from '../events/event-map.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import { eventScope, type EventScope, type ScopeRow } from '../scopes/scope.ts'
import type { EraseReceipt } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
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

/** The revision of a mark while changes after it are not reported yet. */
export const UNKNOWN_REVISION = -1

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
  const list = new ChangeList(after, rows)
  list.addTurns(turns)
  list.addOperations(operations, memories)
  list.addErasures(receipts)
  const isEverythingRead = turns.length < limit && operations.length < limit
  const mark = isEverythingRead ? { ...list.mark, revision } : list.mark
  return { person, changes: list.changes, mark }
}

/** Collects changes, each with the mark after it. */
class ChangeList {
  readonly changes: Change[] = []
  mark: ChangeMark
  /** The scopes as events report them, by their row numbers. */
  readonly #scopes: ReadonlyMap<number, EventScope>

  constructor(after: ChangeMark, rows: readonly ScopeRow[]) {
    this.mark = { ...after, revision: UNKNOWN_REVISION }
    this.#scopes = new Map(rows.map((row) => [row.scope, eventScope(row)]))
  }

  addTurns(turns: readonly Turn[]): void {
    for (const { id, scope: row, session, position, at } of turns) {
      this.mark = { ...this.mark, turns: { ...this.mark.turns, [row]: position } }
      const scope = this.#scopes.get(row)
      if (scope === undefined) continue
      const payload = { scope, session, turns: [id] }
      const change = { id: `turn-${row}-${position}`, at, mark: this.mark }
      this.changes.push({ ...change, event: 'turns-recorded', payload })
    }
  }

  addOperations(operations: readonly Operation[], memories: ReadonlyMap<string, Memory>): void {
    for (const operation of operations) {
      const { id, kind, memory, at, sequence } = operation
      this.mark = { ...this.mark, sequence }
      const scope = this.#scopes.get(operation.scope)
      if (!hasEvent(kind) || memory === null || scope === undefined) continue
      const payload = { scope, memory: memories.get(memory) ?? null, operation }
      const change = { id: `operation-${id}`, at, mark: this.mark }
      this.changes.push({ ...change, event: EVENT_OF[kind], payload })
    }
  }

  addErasures(receipts: readonly EraseReceipt[]): void {
    for (const receipt of receipts) {
      this.mark = { ...this.mark, erasures: this.mark.erasures + 1 }
      const change = { id: `erasure-${receipt.id}`, at: receipt.at, mark: this.mark }
      this.changes.push({ ...change, event: 'scope-erased', payload: { receipt } })
    }
  }
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

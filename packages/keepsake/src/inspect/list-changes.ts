import { EVENT_OF, type MemoryEvent } from '../events/event-map.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import { eventScope, type EventScope, type ScopeRow } from '../scopes/scope.ts'
import type { EraseReceipt } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { wholeMemories } from '../work/read-memories.ts'

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

/** A change, with the payload of the event of that name, read from the store. Text erased since is not in it. */
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
  /** The user; `null` once erased: then only the erasure is reported. */
  readonly person: { readonly tenant: string; readonly user: string } | null
  /** Turns in order of arrival, then changes in the order of the log: none before the turn it rests on. Erasures are last. */
  readonly changes: readonly Change[]
  /** The mark after these changes, including entries that are no event. */
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
  // The log is read first: what a change rests on is then among the turns.
  const operations =
    person === null ? [] : await store.listOperations({ userId: owner, afterSequence: after.sequence, limit })
  const turns = await turnsAfter(engine, rows, after, limit)
  const receipts = (await store.listErasures(owner)).slice(after.erasures)
  const follow = new Follower(after, rows)
  for (const turn of turns) follow.turn(turn)
  const memories = await memoriesOf(engine, owner, operations)
  for (const operation of operations) follow.operation(operation, memories)
  for (const receipt of receipts) follow.receipt(receipt)
  const isAll = turns.length < limit && operations.length < limit
  return { person, changes: follow.changes, mark: isAll ? { ...follow.mark, revision } : follow.mark }
}

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

async function turnsAfter(
  { store }: Engine,
  rows: readonly ScopeRow[],
  after: ChangeMark,
  limit: number,
): Promise<readonly Turn[]> {
  const found: Turn[] = []
  for (const { owner, scope } of rows) {
    if (found.length >= limit) break
    const afterPosition = after.turns[scope] ?? 0
    found.push(
      ...(await store.listTurns({
        userId: owner,
        scopes: [scope],
        afterPosition,
        limit: limit - found.length,
      })),
    )
  }
  return found
}

async function memoriesOf(
  engine: Engine,
  owner: number,
  operations: readonly Operation[],
): Promise<ReadonlyMap<string, Memory>> {
  const ids = [
    ...new Set(operations.flatMap(({ kind, memory }) => (kind in EVENT_OF && memory ? [memory] : []))),
  ]
  if (ids.length === 0) return new Map()
  const stored = await engine.store.listMemories({ userId: owner, ids })
  const there = stored.flatMap(({ memory }) => (memory.status === 'erased' ? [] : [memory]))
  const whole = await wholeMemories(engine, owner, there)
  return new Map(whole.map((memory) => [memory.id, memory]))
}

/** Puts rows one after another into the events that they were, each with the mark behind it. */
class Follower {
  readonly changes: Change[] = []
  readonly #scopes: ReadonlyMap<number, EventScope>
  #mark: ChangeMark

  constructor(after: ChangeMark, rows: readonly ScopeRow[]) {
    // The revision is unknown until everything was reported.
    this.#mark = { ...after, revision: -1 }
    this.#scopes = new Map(rows.map((row) => [row.scope, eventScope(row)]))
  }

  get mark(): ChangeMark {
    return this.#mark
  }

  turn({ id, scope: row, session, position, at }: Turn): void {
    const scope = this.#scopes.get(row)
    this.#mark = { ...this.#mark, turns: { ...this.#mark.turns, [row]: position } }
    if (scope === undefined) return
    const payload = { scope, session, turns: [id] }
    this.changes.push({
      id: `turn-${row}-${position}`,
      at,
      mark: this.#mark,
      event: 'turns-recorded',
      payload,
    })
  }

  operation(operation: Operation, memories: ReadonlyMap<string, Memory>): void {
    const { id, kind, memory, at } = operation
    this.#mark = { ...this.#mark, sequence: operation.sequence }
    const scope = this.#scopes.get(operation.scope)
    if (!isFollowed(kind) || memory === null || scope === undefined) return
    const change = { scope, memory: memories.get(memory) ?? null, operation }
    this.changes.push({ id: `operation-${id}`, at, mark: this.#mark, event: EVENT_OF[kind], payload: change })
  }

  receipt(receipt: EraseReceipt): void {
    this.#mark = { ...this.#mark, erasures: this.#mark.erasures + 1 }
    const { id, at } = receipt
    this.changes.push({
      id: `erasure-${id}`,
      at,
      mark: this.#mark,
      event: 'scope-erased',
      payload: { receipt },
    })
  }
}

function isFollowed(kind: OperationKind): kind is Followed {
  return kind in EVENT_OF
}

/** Kinds of operation that are followed. */
type Followed = keyof typeof EVENT_OF
const FOLLOWED = Object.keys(EVENT_OF) as readonly Followed[]

/** The events that can be followed after they happened. */
export const CHANGE_EVENTS = [
  'turns-recorded',
  ...FOLLOWED.map((kind) => EVENT_OF[kind]),
  'scope-erased',
] as const

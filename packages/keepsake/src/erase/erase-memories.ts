// Erases users, turns and memories, and previews what an erasure removes.
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidInputError } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import { MEMORY_FORMS, type Memory, type MemoryForm } from '../memories/memory.ts'
import { blankOperation, type NewOperation } from '../memories/operation.ts'
import { digestName } from '../scopes/erased-name.ts'
import type { EraseReceipt, EraseRequest } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { withTextsAndUsage } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { momentOf, originOf } from '../work/scope-view.ts'

/** The target of an erasure: at least one id, or everything. Memories that are derived from the target are erased too. */
export interface EraseTarget {
  /** The whole user, in every scope that the handle opens. Cannot be combined with ids. */
  readonly everything?: true
  readonly memories?: readonly string[]
  readonly turns?: readonly string[]
  readonly sessions?: readonly string[]
}

/** Checks whether a target is the whole user. @throws InvalidInputError if it names nothing, or both everything and parts */
export function isEverything(target: EraseTarget = {}): boolean {
  const { everything, memories = [], turns = [], sessions = [] } = target
  const namesIds = memories.length + turns.length + sessions.length > 0
  // Callers in JavaScript may pass any value.
  const everythingValue: unknown = everything ?? false
  const isBoolean = typeof everythingValue === 'boolean'
  const isExactlyOne = everythingValue !== namesIds
  if (!isBoolean || !isExactlyOne)
    throw new InvalidInputError(
      'erase() takes memories, turns or sessions, or { everything: true } alone to erase the person.',
    )
  return everythingValue
}

/** Erases the target and everything that is derived from it. @throws InvalidInputError, NotFoundError */
export async function eraseTarget(
  engine: Engine,
  resolved: ResolvedScope,
  target: EraseTarget,
): Promise<EraseReceipt> {
  if (isEverything(target)) return eraseUser(engine, resolved)
  const { turns, memories } = await readTarget(engine, resolved, target)
  return eraseIds(engine, resolved, turns, memories)
}

/** Erases the user with everything, the user's key included. If the user has further scopes, erases only the content of the given ones. */
export async function eraseUser(engine: Engine, resolved: ResolvedScope): Promise<EraseReceipt> {
  const { owner } = resolved
  const allScopes = await engine.store.listScopes({ owner })
  const isWholeUser = allScopes.length === resolved.rows.length
  if (!isWholeUser) return eraseScopes(engine, resolved)
  return engine.users.lock(owner, () => eraseNow(engine, resolved, 'user', []))
}

/** Erases all turns and memories of some scopes, and keeps the user's other scopes. */
async function eraseScopes(engine: Engine, resolved: ResolvedScope): Promise<EraseReceipt> {
  const { turns, memories } = await engine.users.load(resolved.owner)
  const idsOf = (all: Iterable<{ readonly id: string; readonly scope: number }>): Set<string> =>
    new Set(Array.from(all).flatMap(({ id, scope }) => (resolved.scopes.includes(scope) ? [id] : [])))
  return eraseIds(engine, resolved, idsOf(turns.values()), idsOf(memories.values()))
}

/** Returns the ids of a target's turns and memories, including the evidence turns of the memories. @throws NotFoundError */
export async function readTarget(
  engine: Engine,
  { owner, scopes }: ResolvedScope,
  target: EraseTarget,
): Promise<{ readonly turns: ReadonlySet<string>; readonly memories: ReadonlySet<string> }> {
  const state = await engine.users.load(owner)
  const turns = new Set(target.turns)
  for (const id of turns)
    if (!scopes.includes(state.turns.get(id)?.scope ?? 0)) throw new NotFoundError('turn', id)
  for (const session of target.sessions ?? []) {
    const found = scopes.flatMap((scope) => state.turnsOfSession(scope, session))
    if (found.length === 0) throw new NotFoundError('session', session)
    for (const turn of found) turns.add(turn.id)
  }
  for (const id of target.memories ?? []) {
    const memory = state.memories.get(id)
    if (memory === undefined || !scopes.includes(memory.scope)) throw new NotFoundError('memory', id)
    // A block is the agent's own text, so its evidence turns stay.
    if (memory.form !== 'block') for (const { turn } of memory.evidence) turns.add(turn)
  }
  return { turns, memories: new Set(target.memories) }
}

/** Adds all memories with evidence in the turns, now or in a past version. */
export async function addDerived(
  engine: Engine,
  owner: number,
  turns: ReadonlySet<string>,
  memories: ReadonlySet<string>,
): Promise<Set<string>> {
  if (turns.size === 0) return new Set(memories)
  const derived = await engine.store.listMemories({ userId: owner, evidenceTurns: [...turns] })
  return new Set([...memories, ...derived.map(({ memory }) => memory.id)])
}

/** Erases turns and memories, and all memories with evidence in the turns, under one receipt. */
export async function eraseIds(
  engine: Engine,
  resolved: ResolvedScope,
  turns: ReadonlySet<string>,
  namedMemories: ReadonlySet<string>,
): Promise<EraseReceipt> {
  return engine.users.lock(resolved.owner, async () => {
    const state = await engine.users.load(resolved.owner)
    const memories = await addDerived(engine, resolved.owner, turns, namedMemories)
    const operations: NewOperation[] = []
    for (const row of resolved.rows) {
      const moment = momentOf({ engine, row, state })
      for (const id of memories) {
        if (state.memories.get(id)?.scope !== row.scope) continue
        const operation = blankOperation(engine.newId(), 'erase', moment, originOf(engine, 'api'))
        operations.push({ ...operation, memory: id })
      }
    }
    return eraseNow(engine, resolved, { turns: [...turns], memories: [...memories] }, operations)
  })
}

/** Erases at once. If the receipt has no `purgedAt`, the event `erasure-proven` reports later that the bytes are removed. */
async function eraseNow(
  engine: Engine,
  { owner, rows }: ResolvedScope,
  target: EraseRequest['target'],
  operations: readonly NewOperation[],
): Promise<EraseReceipt> {
  const [firstScope] = rows
  if (firstScope === undefined) throw new Error('a user has at least one scope')
  const request = { id: engine.newId(), userId: owner, at: engine.now(), target, operations }
  if (target === 'user') engine.usage.drop(owner)
  const receipt = await engine.ledger.erase(firstScope, request)
  engine.users.evict(owner)
  const erasedName = target === 'user' ? digestName(await engine.ledger.salt(), firstScope.user) : null
  engine.events.emit('scope-erased', { owner, receipt, erasedName })
  if (receipt.purgedAt === null) void reportProof(engine, owner, receipt.id)
  return receipt
}

/** Interval at which the store is asked whether erased bytes are removed. */
const POLL_MS = 500

/** Waits until an erasure's bytes are removed, but at most `patienceMs`, and returns the receipt. */
export async function awaitProof(
  { store }: Pick<Engine, 'store'>,
  { owner, id }: { readonly owner: number; readonly id: string },
  patienceMs: number,
): Promise<EraseReceipt | null> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const receipt = (await store.listErasures(owner)).find((receipt) => receipt.id === id) ?? null
    if (receipt === null || receipt.purgedAt !== null || performance.now() >= deadline) return receipt
    await sleep(Math.min(POLL_MS, deadline - performance.now()), undefined, { ref: false })
  }
}

async function reportProof(engine: Engine, owner: number, id: string): Promise<void> {
  const receipt = await awaitProof(engine, { owner, id }, Number.MAX_SAFE_INTEGER).catch(() => null)
  if (receipt !== null) engine.events.emit('erasure-proven', { receipt })
}

/** Maximum number of ids and memories that a preview lists. */
const MAX_LISTED = 200

/** The data that an erasure would remove. */
export interface ErasePreview {
  /** Whether the whole user is erased: key, records and snapshot included. */
  readonly isPerson: boolean
  readonly turns: number
  readonly memories: number
  readonly forms: readonly { readonly form: MemoryForm; readonly count: number }[]
  /** Ids of up to 200 erased turns. They are only counted when the whole user is erased. */
  readonly turnIds: readonly string[]
  /** Up to 200 of the erased memories, with their words. */
  readonly items: readonly Memory[]
}

const EMPTY_PREVIEW: ErasePreview = {
  isPerson: false,
  turns: 0,
  memories: 0,
  forms: [],
  turnIds: [],
  items: [],
}

/** Lists the data that `erase` would remove: the target, and every memory with evidence in its turns. @throws as `erase` */
export async function previewErasure(
  engine: Engine,
  resolved: ResolvedScope | null,
  target: EraseTarget = { everything: true },
): Promise<ErasePreview> {
  const isWhole = isEverything(target)
  if (resolved === null) return EMPTY_PREVIEW
  const { owner, scopes, rows } = resolved
  const state = await engine.users.load(owner)
  const named = isWhole ? null : await readTarget(engine, resolved, target)
  const ids = named && (await addDerived(engine, owner, named.turns, named.memories))
  const erased = [...state.memories.values()].filter(
    ({ id, scope, status }) => status !== 'erased' && (ids === null ? scopes.includes(scope) : ids.has(id)),
  )
  const forms = MEMORY_FORMS.map((form) => ({
    form,
    count: erased.filter((memory) => memory.form === form).length,
  }))
  const turns = [...state.turns.values()].filter(({ scope }) => scopes.includes(scope))
  return {
    isPerson: isWhole && state.rows.length === rows.length,
    turns: named?.turns.size ?? turns.length,
    memories: erased.length,
    forms: forms.filter(({ count }) => count > 0),
    turnIds: [...(named?.turns ?? [])].slice(0, MAX_LISTED),
    items: await withTextsAndUsage(engine, owner, erased.slice(0, MAX_LISTED)),
  }
}

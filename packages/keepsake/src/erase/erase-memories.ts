import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidInputError } from '@keepsake/text'
import { NotFoundError } from '../errors/errors.ts'
import { blankOperation, type NewOperation } from '../memories/operation.ts'
import { digestName } from '../scopes/erased-name.ts'
import type { EraseReceipt, EraseRequest } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { momentOf, originOf } from '../work/scope-view.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'

/** The target of an erasure: at least one id in all, or everything. What is derived from it is erased too. */
export interface EraseTarget {
  /** The whole user, in every scope that the handle sees. Goes with no ids. */
  readonly everything?: true
  readonly memories?: readonly string[]
  readonly turns?: readonly string[]
  readonly sessions?: readonly string[]
}

/** Whether a target is the whole user. @throws InvalidInputError for none, for one that names nothing, or both everything and parts */
export function isEverything({
  everything,
  memories = [],
  turns = [],
  sessions = [],
}: EraseTarget = {}): boolean {
  const named = memories.length + turns.length + sessions.length
  const isWhole: unknown = everything ?? false
  if ((isWhole === true) === named > 0 || (isWhole !== true && isWhole !== false))
    throw new InvalidInputError(
      'erase() takes memories, turns or sessions, or { everything: true } alone to erase the person.',
    )
  return isWhole
}

/** Erases what a target names. @throws InvalidInputError, NotFoundError */
export async function eraseTarget(
  engine: Engine,
  resolved: ResolvedScope,
  target: EraseTarget,
): Promise<EraseReceipt> {
  if (isEverything(target)) return erasePerson(engine, resolved)
  const { turns, memories } = await readTarget(engine, resolved, target)
  return eraseIds(engine, resolved, turns, memories)
}

/** Erases a user in every scope, with the key. */
export async function erasePerson(engine: Engine, resolved: ResolvedScope): Promise<EraseReceipt> {
  const { owner } = resolved
  const isWhole = (await engine.store.listScopes({ owner })).length === resolved.rows.length
  if (!isWhole) return eraseEverythingIn(engine, resolved)
  return engine.users.lock(owner, () => eraseNow(engine, resolved, 'user', []))
}

/** Erases only what a handle for an agent or app sees, and keeps the user's other scopes. */
async function eraseEverythingIn(engine: Engine, resolved: ResolvedScope): Promise<EraseReceipt> {
  const { turns, memories } = await engine.users.load(resolved.owner)
  const idsOf = (all: Iterable<{ readonly id: string; readonly scope: number }>): Set<string> =>
    new Set(Array.from(all).flatMap(({ id, scope }) => (resolved.scopes.includes(scope) ? [id] : [])))
  return eraseIds(engine, resolved, idsOf(turns.values()), idsOf(memories.values()))
}

/** The turns and memories that a target names, the turns of its memories included. @throws NotFoundError */
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
    // A block is the agent's text: what it rests on stays.
    if (memory.form !== 'block') for (const { turn } of memory.evidence) turns.add(turn)
  }
  return { turns, memories: new Set(target.memories) }
}

/** Finds all memories that rest on the turns, or ever did in past versions and payloads. */
export async function withAllResting(
  engine: Engine,
  owner: number,
  turns: ReadonlySet<string>,
  memories: ReadonlySet<string>,
): Promise<Set<string>> {
  const resting =
    turns.size === 0 ? [] : await engine.store.listMemories({ userId: owner, evidenceTurns: [...turns] })
  return new Set([...memories, ...resting.map(({ memory }) => memory.id)])
}

/** Erases turns and memories, and whatever rests on the turns, with one receipt. */
export async function eraseIds(
  engine: Engine,
  resolved: ResolvedScope,
  turns: ReadonlySet<string>,
  named: ReadonlySet<string>,
): Promise<EraseReceipt> {
  return engine.users.lock(resolved.owner, async () => {
    const state = await engine.users.load(resolved.owner)
    const memories = await withAllResting(engine, resolved.owner, turns, named)
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

/** A receipt without `purgedAt`: the text cannot be read any more, and `erasure-proven` reports when its bytes are gone. */
async function eraseNow(
  engine: Engine,
  { owner, rows }: ResolvedScope,
  target: EraseRequest['target'],
  operations: readonly NewOperation[],
): Promise<EraseReceipt> {
  const [key] = rows
  if (key === undefined) throw new Error('a person is there by a scope at least')
  const request = { id: engine.newId(), userId: owner, at: engine.now(), target, operations }
  if (target === 'user') engine.usage.drop(owner)
  const receipt = await engine.ledger.erase(key, request)
  engine.users.evict(owner)
  const erasedName = target === 'user' ? digestName(await engine.ledger.salt(), key.user) : null
  engine.events.emit('scope-erased', { owner, receipt, erasedName })
  if (receipt.purgedAt === null) void reportProof(engine, owner, receipt.id)
  return receipt
}

/** Interval of checking whether erased bytes are gone. */
const LOOK_AGAIN_MS = 500

/** Returns an erasure's receipt once it has `purgedAt` or the time is over. */
export async function awaitProof(
  { store }: Pick<Engine, 'store'>,
  { owner, id }: { readonly owner: number; readonly id: string },
  patienceMs: number,
): Promise<EraseReceipt | null> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const receipt = (await store.listErasures(owner)).find((receipt) => receipt.id === id) ?? null
    if (receipt === null || receipt.purgedAt !== null || performance.now() >= deadline) return receipt
    await sleep(Math.min(LOOK_AGAIN_MS, deadline - performance.now()), undefined, { ref: false })
  }
}

async function reportProof(engine: Engine, owner: number, id: string): Promise<void> {
  const receipt = await awaitProof(engine, { owner, id }, Number.MAX_SAFE_INTEGER).catch(() => null)
  if (receipt !== null) engine.events.emit('erasure-proven', { receipt })
}

import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { NotFoundError } from '../errors/not-found-error.ts'
import { NotPossibleError } from '../errors/not-possible-error.ts'
import { hearWideRequests, type WideRequest } from '../extraction/rules/hear-requests.ts'
import { isHeld } from '../memories/kept-request.ts'
import type { MemoryForm } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { memoriesOf, viewScope } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { forgetEverything } from './hold-requests.ts'

/** A request to forget everything. It runs only after the user or the application confirms it. */
export interface PendingRequest {
  /** The turn that asked. `confirmRequest` takes it. */
  readonly turn: string
  /** Number of live memories of each form that it would delete. */
  readonly removes: Readonly<Partial<Record<MemoryForm, number>>>
}

/** Counts the memories of a scope that a confirmed request would delete now. */
async function removedBy(engine: Engine, row: ScopeRow): Promise<PendingRequest['removes']> {
  const counts: Partial<Record<MemoryForm, number>> = {}
  for (const memory of memoriesOf(await viewScope(engine, row))) {
    if (memory.status !== 'live' || memory.name !== null || isHeld(memory)) continue
    counts[memory.form] = (counts[memory.form] ?? 0) + 1
  }
  return counts
}

/** Returns the pending requests among new turns, with what they would delete. */
export async function heldAmong(
  engine: Engine,
  row: ScopeRow,
  turns: readonly Pick<Turn, 'id' | 'role' | 'text'>[],
): Promise<readonly PendingRequest[]> {
  // Requests are only read by a facts branch.
  const isHeard = engine.preset.branches.some(({ kind }) => kind === 'facts')
  const asked: WideRequest[] = []
  for (const [at, turn] of (isHeard ? turns : []).entries()) {
    // Yields, because many turns may arrive at once.
    if (at > 0) await yieldToEventLoop()
    asked.push(...hearWideRequests([turn], engine.rules))
  }
  if (asked.length === 0) return []
  const removes = await removedBy(engine, row)
  return asked.map(({ turn }) => ({ turn, removes }))
}

/** Lists the pending requests. */
export async function listPendingRequests(
  engine: Engine,
  resolved: ResolvedScope | null,
): Promise<readonly PendingRequest[]> {
  const held: PendingRequest[] = []
  for (const row of resolved?.rows ?? []) {
    const waiting = memoriesOf(await viewScope(engine, row)).filter(isHeld)
    const removes = waiting.length === 0 ? {} : await removedBy(engine, row)
    held.push(
      ...waiting.flatMap(({ evidence: [first] }) =>
        first === undefined ? [] : [{ turn: first.turn, removes }],
      ),
    )
  }
  return held
}

/**
 * Applies a pending request: deletes all memories of its scope, which `undo` restores.
 *
 * @throws NotFoundError when the turn has no request; NotPossibleError when it is no longer pending
 */
export async function confirmRequest(
  engine: Engine,
  resolved: ResolvedScope | null,
  turn: string,
): Promise<Operation> {
  for (const row of resolved?.rows ?? []) {
    const { result, operations } = await decideAndCommit(engine, row, (unit) => {
      const held = [...unit.state.memoriesOfTurn(turn)].find(isHeld)
      if (held !== undefined) forgetEverything(unit, held)
      return held
    })
    const [first] = operations
    if (result !== undefined && first !== undefined) return first
    if (
      memoriesOf(await viewScope(engine, row)).some((memory) =>
        memory.evidence.some((one) => one.turn === turn),
      )
    )
      throw new NotPossibleError(
        `No request of turn ${turn} waits to be confirmed: it was none, was confirmed or removed, or its session has not ended yet under a preset that reads sessions whole.`,
        { turn },
      )
  }
  throw new NotFoundError('turn', turn)
}

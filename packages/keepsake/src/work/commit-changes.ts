import type { EventMap } from '../events/event-map.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { CommitRequest, CommitResult } from '../stores/store.ts'
import type { Engine } from './engine.ts'

/** A change of one scope's memories, ready to be stored. */
export interface Committing {
  readonly row: ScopeRow
  readonly changes: ChangeSet
  readonly request: CommitRequest
}

/**
 * Stores changes, each for itself, in one transaction where the store can. What was stored is put into the caches, which need
 * not read it, and told.
 */
export async function commitAll(
  engine: Engine,
  all: readonly Committing[],
): Promise<readonly CommitResult[]> {
  const results = await commitRequests(
    engine,
    all.map(({ request }) => request),
  )
  for (const [index, result] of results.entries()) {
    const done = all[index]
    if (done === undefined || result.outcome === 'conflict') continue
    engine.caches.applyCommit(done.request, result)
    tell(engine, done, result.operations)
  }
  return results
}

async function commitRequests(
  { store }: Engine,
  requests: readonly CommitRequest[],
): Promise<CommitResult[]> {
  const [only] = requests
  if (requests.length > 1 && store.commitAll !== undefined) return store.commitAll(requests)
  if (requests.length <= 1) return only === undefined ? [] : [await store.commit(only)]
  const results: CommitResult[] = []
  for (const request of requests) results.push(await store.commit(request))
  return results
}

const EVENT_OF = {
  add: 'memory-added',
  modify: 'memory-modified',
  delete: 'memory-deleted',
  forget: 'memory-forgotten',
  restore: 'memory-restored',
} as const satisfies Partial<Record<OperationKind, keyof EventMap>>

function tell({ events }: Engine, { row, changes }: Committing, operations: readonly Operation[]): void {
  const scope = eventScope(row)
  for (const operation of operations) {
    const memory = operation.memory === null ? undefined : changes.read(operation.memory)
    if (operation.kind === 'reinforce') events.emit('memories-reinforced', { scope, operation })
    else if (memory !== undefined && operation.kind in EVENT_OF) {
      const name = EVENT_OF[operation.kind as keyof typeof EVENT_OF]
      events.emit(name, { scope, memory, operation })
    }
  }
}

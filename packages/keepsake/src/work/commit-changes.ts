import { EVENT_OF, type MemoryEvent } from '../events/memory-events.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { CommitRequest, CommitResult } from '../stores/store.ts'
import type { Engine } from './engine.ts'
import { TurnReader } from './read-memories.ts'
import { tellFailure } from './report-failure.ts'

/** A change of one scope's memories, ready to be stored. */
export interface Committing {
  readonly row: ScopeRow
  readonly request: CommitRequest
  /** The memory that an operation is about, as what it was decided with leaves it. */
  readonly memoryAfter: (operation: Operation) => Memory | undefined
  /** Whether the person's cache has it already. */
  readonly isTaken?: boolean
}

/** Reads memories as a change set leaves them. */
export function readerOf(changes: ChangeSet): Committing['memoryAfter'] {
  return ({ memory }) => (memory === null ? undefined : changes.read(memory))
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
    if (done.isTaken === true) engine.caches.noteStored(done.request, result)
    else engine.caches.applyCommit(done.request, result)
    await tell(engine, done, result.operations)
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

async function tell(
  engine: Engine,
  { row, memoryAfter }: Committing,
  operations: readonly Operation[],
): Promise<void> {
  const { events } = engine
  const scope = eventScope(row)
  const told = operations.flatMap((operation) => {
    const name = nameOf(operation)
    const memory = memoryAfter(operation)
    return name === null || memory === undefined || events.listenerCount(name) === 0
      ? []
      : [{ name, memory, operation }]
  })
  const worded = await withWords(engine, row.owner, told)
  for (const operation of operations)
    if (operation.kind === 'reinforce') events.emit('memories-reinforced', { scope, operation })
  for (const { name, memory, operation } of worded) events.emit(name, { scope, memory, operation })
}

type Told = { readonly name: MemoryEvent; readonly memory: Memory; readonly operation: Operation }

/** Utterances' words are their turns'. It is done and durable: that they cannot be read now fails nothing. */
async function withWords(engine: Engine, owner: number, told: readonly Told[]): Promise<readonly Told[]> {
  if (told.length === 0) return told
  try {
    const memories = told.map(({ memory }) => memory)
    const whole = await new TurnReader(engine, owner).withTexts(memories)
    return told.map((one, place) => ({ ...one, memory: whole[place] ?? one.memory }))
  } catch (error) {
    tellFailure(engine, error)
    return told
  }
}

function nameOf({ kind }: Operation): MemoryEvent | null {
  return kind in EVENT_OF ? EVENT_OF[kind as keyof typeof EVENT_OF] : null
}

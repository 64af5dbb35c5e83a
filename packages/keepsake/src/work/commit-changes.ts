import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation, OperationKind } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { CommitRequest, NewDocument } from '../stores/store.ts'
import { indexText } from './index-text.ts'
import type { EventMap } from '../events/event-map.ts'
import type { Engine } from './engine.ts'
import { memoryIndexText } from './memory-index-text.ts'

type Extras = Partial<
  Pick<
    CommitRequest,
    'progress' | 'endSessions' | 'queueJobs' | 'finishJobs' | 'expectJobs' | 'epoch' | 'flush'
  >
>

const EVENT_OF = {
  add: 'memory-added',
  modify: 'memory-modified',
  delete: 'memory-deleted',
  forget: 'memory-forgotten',
  restore: 'memory-restored',
} as const satisfies Partial<Record<OperationKind, keyof EventMap>>

/** Index rows for memories whose text is their own; utterances are found by their turns. */
async function documentsOf(engine: Engine, memories: readonly Memory[]): Promise<NewDocument[]> {
  const own = memories.filter((memory) => memory.form !== 'utterance' && memory.status !== 'erased')
  const texts = own.map((memory) => memoryIndexText(memory, engine.preset.keyTable))
  return own.map((memory, index) => {
    return { id: memory.id, kind: 'memory', ...indexText(engine.embedding, texts[index] ?? '') }
  })
}

function tell(engine: Engine, row: ScopeRow, operations: readonly Operation[], changes: ChangeSet): void {
  const scope = eventScope(row)
  for (const operation of operations) {
    const memory = operation.memory === null ? undefined : changes.read(operation.memory)
    if (operation.kind === 'reinforce') engine.events.emit('memories-reinforced', { scope, operation })
    else if (memory !== undefined && operation.kind in EVENT_OF) {
      const name = EVENT_OF[operation.kind as keyof typeof EVENT_OF]
      engine.events.emit(name, { scope, memory, operation })
    }
  }
}

/**
 * Commits a change set with whatever belongs to it, and tells what happened.
 *
 * @returns the operations as logged, or `null` when another process was first and the caller must read and decide again.
 */
export async function commitChanges(
  engine: Engine,
  row: ScopeRow,
  changes: ChangeSet,
  extras: Extras = {},
): Promise<readonly Operation[] | null> {
  const memories = changes.memories
  const result = await engine.store.commit({
    owner: row.owner,
    scope: row.scope,
    operations: changes.operations,
    memories,
    documents: await documentsOf(engine, changedTexts(changes)),
    progress: extras.progress ?? [],
    epoch: extras.epoch ?? null,
    expect: changes.expect,
    endSessions: extras.endSessions ?? [],
    queueJobs: extras.queueJobs ?? [],
    finishJobs: extras.finishJobs ?? [],
    expectJobs: extras.expectJobs ?? [],
    flush: extras.flush ?? true,
  })
  if (result.outcome === 'conflict') return null
  tell(engine, row, result.operations, changes)
  return result.operations
}

/** Memories whose text an operation of this set wrote: only these need new index rows. */
function changedTexts(changes: ChangeSet): Memory[] {
  const ids = new Set<string>()
  for (const { memory, payload } of changes.operations) {
    if (memory !== null && payload !== null && ('text' in payload.after || 'past' in payload.after))
      ids.add(memory)
  }
  return changes.memories.filter((memory) => ids.has(memory.id))
}

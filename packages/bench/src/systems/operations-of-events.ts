import type { EventMap, Memory, MemoryForm } from 'keepsake'
import { isCounted } from './counted-memories.ts'
import type { SystemOperation } from './memory-system.ts'

/** An engine's event about one memory: added, changed or removed. */
export interface MemoryEvent {
  readonly kind: 'added' | 'modified' | 'deleted' | 'restored'
  /** Its state afterwards. */
  readonly memory: Memory
  readonly operation: EventMap['memory-modified'][0]['operation']
}

interface Change {
  readonly operation: SystemOperation
  readonly memory: Memory
  /** Whether the change only sets the end of the statement. */
  readonly ends: boolean
}

/** Converts events to MMM's operations on counted forms. An end is a deletion; with a new value of its key it is one modification. */
export function operationsOfEvents(
  events: readonly MemoryEvent[],
  forms: readonly MemoryForm[],
): SystemOperation[] {
  const changes = events.flatMap((event) => changeOf(event, forms))
  const merged: SystemOperation[] = []
  const mergedAdditions = new Set<Change>()
  for (const change of changes) {
    if (mergedAdditions.has(change)) continue
    const replacement = change.ends
      ? changes.find((one) => !mergedAdditions.has(one) && replaces(one, change))
      : undefined
    if (replacement === undefined) {
      merged.push(change.operation)
      continue
    }
    mergedAdditions.add(replacement)
    const at = merged.indexOf(replacement.operation)
    if (at >= 0) merged.splice(at, 1)
    merged.push({ ...change.operation, kind: 'modify', after: replacement.operation.after })
  }
  return merged
}

function changeOf({ kind, memory, operation }: MemoryEvent, forms: readonly MemoryForm[]): Change[] {
  if (!forms.includes(memory.form)) return []
  const was = operation.payload?.before ?? null
  const before = was?.text ?? memory.text
  const as = (done: Omit<SystemOperation, 'memory'>, ends = false): Change[] => [
    { operation: { ...done, memory: memory.id }, memory, ends },
  ]
  switch (kind) {
    case 'added':
    case 'restored':
      return memory.status === 'live' && isCounted(memory, forms)
        ? as({ kind: 'add', before: null, after: memory.text })
        : []
    case 'deleted':
      return as({ kind: 'delete', before, after: null })
    case 'modified': {
      if (before !== memory.text) return as({ kind: 'modify', before, after: memory.text })
      const ends = memory.validUntil !== null && was?.validUntil === null
      return ends ? as({ kind: 'delete', before, after: null }, true) : []
    }
  }
}

function replaces(one: Change, ended: Change): boolean {
  if (one.operation.kind !== 'add' || one.memory.form !== ended.memory.form) return false
  if (one.memory.form === 'portrait') return true
  return (
    one.memory.key !== null &&
    one.memory.key === ended.memory.key &&
    one.memory.subject === ended.memory.subject
  )
}

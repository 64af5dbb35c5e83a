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
  /** Whether it only ends the memory's statement. */
  readonly ends: boolean
}

/**
 * The operations of a dialogue, in MMM's terms, from the engine's events. An ended statement counts as deleted (the engine keeps it with
 * its end); with a new value of the same key it is one modification. Forgetting by the policy does not count.
 *
 * @param forms which memories count
 */
export function operationsOfEvents(
  events: readonly MemoryEvent[],
  forms: readonly MemoryForm[],
): SystemOperation[] {
  const changes = events.flatMap((event) => changeOf(event, forms))
  const merged: SystemOperation[] = []
  const taken = new Set<Change>()
  for (const change of changes) {
    if (taken.has(change)) continue
    const heir = change.ends ? changes.find((one) => !taken.has(one) && replaces(one, change)) : undefined
    if (heir === undefined) {
      merged.push(change.operation)
      continue
    }
    taken.add(heir)
    const at = merged.indexOf(heir.operation)
    if (at >= 0) merged.splice(at, 1)
    merged.push({ ...change.operation, kind: 'modify', after: heir.operation.after })
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

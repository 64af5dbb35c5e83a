import type { EventMap, Memory, MemoryForm } from 'keepsake'
import { isCounted } from './counted-memories.ts'
import type { SystemOperation } from './memory-system.ts'

/** What the engine told of one memory: that it came, changed or went. */
export interface MemoryEvent {
  readonly kind: 'added' | 'modified' | 'deleted' | 'restored'
  /** As it is afterwards. */
  readonly memory: Memory
  readonly operation: EventMap['memory-modified'][0]['operation']
}

interface Change {
  readonly operation: SystemOperation
  readonly memory: Memory
  /** Whether it only says that what the memory states is over. */
  readonly ends: boolean
}

/**
 * The operations that a dialogue made, in the words of MMM, from the engine's own events. What is stated to be over is
 * deleted, since it is no longer so (the engine keeps it, with its end); where a new value of the same key comes in its
 * place, the two are one modification. What the forgetting policy lets go is none of the dialogue's operations.
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

import { applyOperation, changeFromBlank } from '../../memories/apply-operation.ts'
import type { Memory, Origin } from '../../memories/memory.ts'
import type { MemoryChange, NewOperation } from '../../memories/operation.ts'

/** A memory is kept as what differs from a blank one: that leaves out most of its fields' names. */
export function encodeState(memory: Memory): string {
  return JSON.stringify(changeFromBlank(memory))
}

const NOBODY: Origin = { preset: '', step: '', promptVersion: null, model: null }

/** Written out, not spread from a constant: it is made once a memory when a person is read. */
function addOf(scope: number, after: MemoryChange): NewOperation {
  return {
    id: '',
    scope,
    kind: 'add',
    memory: null,
    at: 0,
    origin: NOBODY,
    parent: null,
    undoes: null,
    touched: [],
    sessionNumber: 0,
    round: 0,
    payload: { before: null, after },
  }
}

/** The way back, by the rule that makes memories from the log. */
export function decodeState(id: string, scope: number, state: string): Memory {
  const memory = applyOperation(undefined, addOf(scope, JSON.parse(state) as MemoryChange), id)
  if (memory === undefined) throw new Error(`the state of memory "${id}" is empty`)
  return memory
}

import { applyOperation, changeFromBlank } from '../../operations/apply-operation.ts'
import type { Memory } from '../../operations/memory.ts'
import type { MemoryChange, NewOperation } from '../../operations/operation.ts'

/** A memory is kept as what differs from a blank one: that leaves out most of its fields' names. */
export function encodeState(memory: Memory): string {
  return JSON.stringify(changeFromBlank(memory))
}

const ADD: Omit<NewOperation, 'scope' | 'payload'> = {
  id: '',
  kind: 'add',
  memory: null,
  at: 0,
  origin: { preset: '', step: '', promptVersion: null, model: null },
  parent: null,
  undoes: null,
  touched: [],
  sessionNumber: 0,
  round: 0,
}

/** The way back, by the rule that makes memories from the log. */
export function decodeState(id: string, scope: number, state: string): Memory {
  const after = JSON.parse(state) as MemoryChange
  const memory = applyOperation(undefined, { ...ADD, scope, payload: { before: null, after } }, id)
  if (memory === undefined) throw new Error(`the state of memory "${id}" is empty`)
  return memory
}

/** Every turn a change mentions as evidence, in its present statement or a past one. */
export function evidenceTurns(change: MemoryChange | null): string[] {
  if (change === null) return []
  const past = change.past ?? []
  return [...(change.evidence ?? []), ...past.flatMap((version) => version.evidence)].map(
    (entry) => entry.turn,
  )
}

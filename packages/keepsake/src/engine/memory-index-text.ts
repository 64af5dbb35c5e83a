import type { Memory } from '../operations/memory.ts'

/**
 * What the index reads of a memory: its statement, and what it said before, so that a question about the
 * past finds it as well.
 */
export function memoryIndexText(memory: Memory): string {
  if (memory.past.length === 0) return memory.text
  return [memory.text, ...memory.past.map((version) => version.text)].join(' ')
}

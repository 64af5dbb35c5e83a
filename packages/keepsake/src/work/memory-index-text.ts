import type { Memory } from '../memories/memory.ts'
import type { KeyTable } from '../persona/key-table.ts'

const HAN = /\p{Script=Han}/u

/**
 * What the index reads of a memory: its statement; what it said before, so that a question about the past finds
 * it as well; and the names of its key in its own language, since "Where does she live?" shares no word with
 * "She moved to Lyon".
 */
export function memoryIndexText(memory: Memory, keys: KeyTable): string {
  const names = memory.key === null ? undefined : keys.get(memory.key)?.names
  const inOwnLanguage = names === undefined ? [] : HAN.test(memory.text) ? names.zh : names.en
  return [memory.text, ...memory.past.map((version) => version.text), ...inOwnLanguage].join('\n')
}

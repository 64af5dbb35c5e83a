import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { accumulate } from './accumulate.ts'
import { keepsakeSystem, type KeepsakeSystemOptions } from './keepsake.ts'
import { mem0Graph } from './mem0-graph.ts'
import { mem0Npm } from './mem0.ts'
import type { MemorySystem } from './memory-system.ts'
import { noMemory, turnBm25, wholeContext } from './kept-turns.ts'

/** Systems that run in this process without an address. */
const IN_PROCESS = ['none', 'whole-context', 'bm25', 'accumulate', 'mem0', 'mem0-graph'] as const

type InProcessName = PresetName | (typeof IN_PROCESS)[number]

/** Every system by its name in reports: Keepsake's presets, the baselines, Mem0's npm package. */
export const IN_PROCESS_SYSTEM_NAMES: readonly InProcessName[] = [...PRESET_NAMES, ...IN_PROCESS]

/** Services reached over HTTP, which @keepsake/bench-http-peers opens. */
export const HTTP_SYSTEM_NAMES = [
  'mem0-server',
  'mem0-platform',
  'zep',
  'supermemory',
  'memobase',
  'memos',
] as const

export type HttpSystemName = (typeof HTTP_SYSTEM_NAMES)[number]
export type SystemName = InProcessName | HttpSystemName

export const SYSTEM_NAMES: readonly SystemName[] = [...IN_PROCESS_SYSTEM_NAMES, ...HTTP_SYSTEM_NAMES]

/** Whether it is reached over HTTP: `httpSystem` of @keepsake/bench-http-peers opens it. */
export function isHttpSystem(name: SystemName): name is HttpSystemName {
  return HTTP_SYSTEM_NAMES.some((one) => one === name)
}

/**
 * Opens a system of this process by name.
 *
 * @throws RangeError for an unknown name, listing the known ones.
 *
 * @example
 * const memory = await openSystem('bm25').open({ user: 'ana', model: null, embedding: null })
 */
export function openSystem(name: string, preset?: KeepsakeSystemOptions): MemorySystem {
  if (!isInProcess(name))
    throw new RangeError(
      `There is no system "${name}" in this process. There are: ${IN_PROCESS_SYSTEM_NAMES.join(', ')}.`,
    )
  switch (name) {
    case 'none':
      return noMemory()
    case 'whole-context':
      return wholeContext()
    case 'bm25':
      return turnBm25()
    case 'accumulate':
      return accumulate()
    case 'mem0':
      return mem0Npm()
    case 'mem0-graph':
      return mem0Graph()
    default:
      return keepsakeSystem(name, preset)
  }
}

function isInProcess(name: string): name is InProcessName {
  return IN_PROCESS_SYSTEM_NAMES.some((one) => one === name)
}

import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { accumulate } from './accumulate.ts'
import { keepsakeSystem, type KeepsakeSystemOptions } from './keepsake.ts'
import { mem0Npm } from './mem0.ts'
import type { MemorySystem } from './memory-system.ts'
import { noMemory, turnBm25, wholeContext } from './kept-turns.ts'

/** Systems other than presets that run in this process. */
const IN_PROCESS = ['none', 'whole-context', 'bm25', 'accumulate', 'mem0'] as const

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

/** A system that is reached over HTTP. */
export type HttpSystemName = (typeof HTTP_SYSTEM_NAMES)[number]
/** A system that can be measured. */
export type SystemName = InProcessName | HttpSystemName

/** All systems that can be measured, those in the process first. */
export const SYSTEM_NAMES: readonly SystemName[] = [...IN_PROCESS_SYSTEM_NAMES, ...HTTP_SYSTEM_NAMES]

/** Reports whether a system is reached over HTTP. `httpSystem` of @keepsake/bench-http-peers opens such systems. */
export function isHttpSystem(name: SystemName): name is HttpSystemName {
  return HTTP_SYSTEM_NAMES.some((one) => one === name)
}

/** Opens a system of this process by name. @throws RangeError listing the known names */
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
    default:
      return keepsakeSystem(name, preset)
  }
}

function isInProcess(name: string): name is InProcessName {
  return IN_PROCESS_SYSTEM_NAMES.some((one) => one === name)
}

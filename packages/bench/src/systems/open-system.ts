import { PRESET_NAMES, type PresetName } from 'keepsake'
import { presetSystem, type PresetSystemOptions } from './keepsake-memory.ts'
import { mem0Npm } from './mem0-npm.ts'
import type { MemorySystem } from './memory-system.ts'
import { noMemory } from './no-memory.ts'
import { turnBm25 } from './turn-bm25.ts'
import { wholeContext } from './whole-context.ts'

/** Systems that run in this process and need no address. */
const IN_PROCESS = ['none', 'whole-context', 'bm25', 'mem0'] as const

type InProcessName = PresetName | (typeof IN_PROCESS)[number]

/** Every system by the name that reports give it: Keepsake's presets, the baselines, Mem0's npm package. */
export const IN_PROCESS_SYSTEM_NAMES: readonly InProcessName[] = [...PRESET_NAMES, ...IN_PROCESS]

/** Systems reached over HTTP, at an address that the caller gives. */
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

export interface OpenSystemOptions {
  /** For Keepsake's presets. */
  readonly preset?: PresetSystemOptions
  /** Makes a system that is reached over HTTP; absent where the caller has no address for any. */
  readonly http?: (name: HttpSystemName) => MemorySystem
}

/**
 * A memory system under test, by its name.
 *
 * @throws RangeError for a name there is not (it lists those there are), and for a system over HTTP without `http`.
 * @example
 * const memory = await openSystem('bm25').open({ user: 'ana', model: null, embedding: null })
 */
export function openSystem(name: string, options: OpenSystemOptions = {}): MemorySystem {
  if (!isSystemName(name))
    throw new RangeError(`There is no system "${name}". There are: ${SYSTEM_NAMES.join(', ')}.`)
  switch (name) {
    case 'none':
      return noMemory()
    case 'whole-context':
      return wholeContext()
    case 'bm25':
      return turnBm25()
    case 'mem0':
      return mem0Npm()
    case 'mem0-server':
    case 'mem0-platform':
    case 'zep':
    case 'supermemory':
    case 'memobase':
    case 'memos':
      if (options.http === undefined)
        throw new RangeError(`The system ${name} is reached over HTTP: give its address.`)
      return options.http(name)
    default:
      return presetSystem(name, options.preset)
  }
}

function isSystemName(name: string): name is SystemName {
  return SYSTEM_NAMES.some((one) => one === name)
}

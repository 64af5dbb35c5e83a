import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { keepsake } from './keepsake.ts'
import { lufy } from './lufy.ts'
import { memoryBank } from './memory-bank.ts'
import { moom } from './moom.ts'
import { naiveRag } from './naive-rag.ts'
import type { Preset } from './preset.ts'

const PRESETS = {
  keepsake,
  lufy,
  'memory-bank': memoryBank,
  'naive-rag': naiveRag,
  moom,
} as const satisfies Record<string, () => Preset>

export type PresetName = keyof typeof PRESETS

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[]

/** A preset by its name, or the one handed in. @throws InvalidInputError listing the names there are. */
export function findPreset(preset: PresetName | Preset): Preset {
  if (typeof preset !== 'string') return preset
  const make = (PRESETS as Readonly<Record<string, () => Preset>>)[preset]
  if (make === undefined) {
    throw new InvalidInputError(`There is no preset "${preset}". There are: ${PRESET_NAMES.join(', ')}.`, {
      preset,
    })
  }
  return make()
}

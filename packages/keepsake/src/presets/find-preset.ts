import { InvalidInputError } from '@keepsake/text'
import { comedy } from './comedy.ts'
import { comedyRetrieval } from './comedy-retrieval.ts'
import { firstInFirstOut } from './first-in-first-out.ts'
import { keepsake } from './keepsake.ts'
import { lufy } from './lufy.ts'
import { memochat } from './memochat.ts'
import { memoryBank } from './memory-bank.ts'
import { mmm } from './mmm.ts'
import { moom } from './moom.ts'
import { naiveRag } from './naive-rag.ts'
import { BY_RULES, type PresetForm } from './preset-form.ts'
import { resum } from './resum.ts'
import type { Preset } from './preset.ts'
import { PRESET_NAMES, type PresetName } from './preset-names.ts'

const PRESETS = {
  keepsake,
  moom,
  comedy,
  mmm,
  lufy,
  'memory-bank': memoryBank,
  resum,
  'comedy-retrieval': comedyRetrieval,
  memochat,
  'naive-rag': naiveRag,
  'first-in-first-out': firstInFirstOut,
} as const satisfies Record<PresetName, (form: PresetForm) => Preset>

/**
 * A preset by its name, or the one handed in.
 *
 * @param form with a language model or without; a preset handed in stays as it is
 * @throws InvalidInputError listing the names there are, or for an updater that the preset cannot use.
 */
export function findPreset(preset: PresetName | Preset, form: PresetForm = BY_RULES): Preset {
  if (form.updater !== undefined && preset !== 'mmm')
    throw new InvalidInputError(
      typeof preset === 'string'
        ? `Preset ${preset} cannot use an updater: only mmm keeps a list by operations. Leave \`updater\` out, or open preset "mmm".`
        : `A preset of your own is handed in whole: give its fact branch the extractor \`updaterReader(updater)\` (keepsake/parts) instead of the option \`updater\`.`,
    )
  if (typeof preset !== 'string') return preset
  const make = (PRESETS as Readonly<Record<string, (form: PresetForm) => Preset>>)[preset]
  if (make === undefined) {
    throw new InvalidInputError(`There is no preset "${preset}". There are: ${PRESET_NAMES.join(', ')}.`, {
      preset,
    })
  }
  return make(form)
}

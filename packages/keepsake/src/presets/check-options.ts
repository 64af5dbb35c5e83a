import { InvalidInputError } from '@keepsake/text'
import type { EngineOptions } from '../open-options.ts'
import type { Preset } from './preset.ts'
import { checkTaskModels } from './tasks-of-preset.ts'

/**
 * Options of `openMemory` that not every preset can use. `models` is checked task by task ({@link checkTaskModels}), an
 * `updater` by `findPreset`.
 */
export type PresetOption = (typeof PRESET_OPTIONS)[number]
export const PRESET_OPTIONS = [
  'embedding',
  'reranking',
  'arousal',
  'surprise',
  'importance',
  'rules',
  'exchangesPerExtraction',
  'guidelines',
  'categories',
  'keys',
] as const satisfies readonly (keyof EngineOptions)[]

/** Why a preset has no use for an option: a clause that ends the sentence in which it is refused. */
const WHY: Readonly<Record<PresetOption, string>> = {
  embedding: 'it hands over all there is and searches for nothing',
  reranking: 'it does not reorder what was found',
  arousal: 'it measures nothing of what is said',
  surprise: 'it measures nothing of what is said',
  importance: 'it measures nothing of what is said',
  rules: 'it reads neither facts nor requests',
  exchangesPerExtraction: 'no language model reads the talk for it',
  guidelines: 'it keeps nothing but messages',
  categories: 'it extracts no facts',
  keys: 'it extracts no facts',
}

function canUse({ branches, ranking }: Preset, option: PresetOption): boolean {
  const extractors = branches.flatMap((branch) => (branch.kind === 'facts' ? [branch.extractor] : []))
  switch (option) {
    case 'embedding':
      return ranking.kind !== 'whole'
    case 'reranking':
      return ranking.kind === 'hybrid' && (ranking.rerank ?? 0) > 1
    case 'arousal':
    case 'surprise':
    case 'importance':
      return branches.some((branch) => branch.kind === 'utterances' && branch.isMeasured !== false)
    case 'rules':
    case 'categories':
    case 'keys':
      return extractors.length > 0
    case 'guidelines':
      return branches.some(({ kind }) => kind !== 'utterances')
    case 'exchangesPerExtraction':
      return extractors.some(({ prompt }) => prompt !== undefined)
  }
}

/**
 * Returns why a preset cannot use an option of `openMemory`, in a clause; `null` if it can. Reads the preset's own
 * record, so it also holds for presets of applications (docs/presets.md).
 *
 * @example
 * whyUnused(findPreset('comedy'), 'embedding') // 'it hands over all there is and searches for nothing'
 */
export function whyUnused(preset: Preset, option: PresetOption): string | null {
  return canUse(preset, option) ? null : WHY[option]
}

/**
 * Refuses what a preset would silently leave aside.
 *
 * @throws InvalidInputError names the option, why the preset cannot use it, and which can
 */
export function checkOptions(preset: Preset, options: EngineOptions): void {
  for (const option of PRESET_OPTIONS) {
    if (options[option] === undefined) continue
    const why = whyUnused(preset, option)
    if (why !== null)
      throw new InvalidInputError(
        `${option} would have no effect: preset ${preset.name} cannot use it, since ${why}. Leave it out, or choose another preset.`,
        { preset: preset.name, option },
      )
  }
  checkTaskModels(preset, options)
}

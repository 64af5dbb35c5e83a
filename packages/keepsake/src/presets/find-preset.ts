// Finds a preset by its name or its function.
import { InvalidInputError, didYouMean } from '@keepsake/text'
import { keepsake, firstInFirstOut, naiveRag } from './keepsake.ts'
import { BY_RULES, type PresetForm, type Preset } from './preset.ts'

/** Makes a preset with or without a language model, such as `lufy` of `@keepsake/papers`. */
export type PresetFactory = (form?: PresetForm) => Preset

const PRESETS: Readonly<Record<PresetName, PresetFactory>> = {
  keepsake,
  'naive-rag': naiveRag,
  'first-in-first-out': firstInFirstOut,
}
/** Functions of `@keepsake/papers` by the name of their preset. An error message shows how to import them. */
const OF_PAPERS: Readonly<Record<string, string>> = {
  moom: 'moom',
  comedy: 'comedy',
  mmm: 'mmm',
  lufy: 'lufy',
  'memory-bank': 'memoryBank',
  resum: 'resum',
  'comedy-retrieval': 'comedyRetrieval',
  memochat: 'memochat',
}

/** Returns a preset by name, by its function, or as given. @throws InvalidInputError for unknown names and unused updaters */
export function findPreset(preset: PresetName | Preset | PresetFactory, form: PresetForm = BY_RULES): Preset {
  const found = typeof preset === 'string' ? factoryOf(preset)(form) : preset
  const made = typeof found === 'function' ? found(form) : found
  if (form.updater !== undefined && !usesUpdater(made, form.updater.id))
    throw new InvalidInputError(
      typeof preset === 'object'
        ? 'A preset record takes no updater: give its fact branch the extractor `updaterReader(updater)` (keepsake/preset) instead of the option `updater`.'
        : `Preset ${made.name} cannot use an updater. Leave \`updater\` out, or use the preset mmm of @keepsake/papers.`,
    )
  return made
}

function factoryOf(name: string): PresetFactory {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName]
  const exported = Object.hasOwn(OF_PAPERS, name) ? OF_PAPERS[name] : undefined
  throw new InvalidInputError(
    exported === undefined
      ? `There is no preset "${name}". ${didYouMean(name, [...PRESET_NAMES, ...Object.keys(OF_PAPERS)])}`
      : `Preset "${name}" is in another package: npm install @keepsake/papers, then import { ${exported} } from '@keepsake/papers' and openMemory({ preset: ${exported} }).`,
    { preset: name },
  )
}

function usesUpdater({ branches }: Preset, updater: string): boolean {
  return branches.some((branch) => branch.kind === 'facts' && branch.extractor.id === updater)
}

/** Names of the engine's own presets. Presets of papers are functions of `@keepsake/papers`. */
const NAMES = ['keepsake', 'naive-rag', 'first-in-first-out'] as const

/** The name of a preset of the engine itself. */
export type PresetName = (typeof NAMES)[number]

/** Names of the presets of the engine itself. */
export const PRESET_NAMES: readonly PresetName[] = NAMES

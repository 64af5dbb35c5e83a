import { PRESET_NAMES as OWN_NAMES, type PresetName as OwnName } from 'keepsake/names'

const NAMES = [
  'moom',
  'comedy',
  'mmm',
  'lufy',
  'memory-bank',
  'resum',
  'comedy-retrieval',
  'memochat',
] as const

/** The systems of papers. This module does not load the engine, so that help texts cost nothing. */
export type PaperName = (typeof NAMES)[number]
export const PAPER_NAMES: readonly PaperName[] = NAMES

/** Every preset name, the engine's default first. */
export type PresetName = OwnName | PaperName
export const PRESET_NAMES: readonly PresetName[] = [
  'keepsake',
  ...PAPER_NAMES,
  ...OWN_NAMES.filter((name) => name !== 'keepsake'),
]

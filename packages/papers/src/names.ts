import type { PresetName as OwnName } from 'keepsake'

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

/** The engine's other presets. They are repeated here, since importing its list would load the engine. The type ensures equality. */
const OTHER_OWN_NAMES = Object.keys({
  'naive-rag': true,
  'first-in-first-out': true,
} satisfies Record<Exclude<OwnName, 'keepsake'>, true>) as readonly OwnName[]

/** Presets of papers. This module does not load the engine, so that help texts load fast. */
export type PaperName = (typeof NAMES)[number]
export const PAPER_NAMES: readonly PaperName[] = NAMES

/** Every preset name, the engine's default first. */
export type PresetName = OwnName | PaperName
export const PRESET_NAMES: readonly PresetName[] = ['keepsake', ...PAPER_NAMES, ...OTHER_OWN_NAMES]

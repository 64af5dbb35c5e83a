// Lists the names of all presets, without loading the engine.
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

/** The engine's other presets. An import of the engine's list would load the engine. The type ensures that both lists are equal. */
const OTHER_OWN_NAMES = Object.keys({
  'naive-rag': true,
  'first-in-first-out': true,
} satisfies Record<Exclude<OwnName, 'keepsake'>, true>) as readonly OwnName[]

/** The name of a paper's preset. */
export type PaperName = (typeof NAMES)[number]
export const PAPER_NAMES: readonly PaperName[] = NAMES

/** Every preset name, the engine's default first. */
export type PresetName = OwnName | PaperName
export const PRESET_NAMES: readonly PresetName[] = ['keepsake', ...PAPER_NAMES, ...OTHER_OWN_NAMES]

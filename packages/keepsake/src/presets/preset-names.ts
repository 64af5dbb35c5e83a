/** The systems that come with the engine, in the order in which they are told of. Apart from what they are made of, so that a name costs no engine. */
const NAMES = [
  'keepsake',
  'moom',
  'comedy',
  'mmm',
  'lufy',
  'memory-bank',
  'resum',
  'comedy-retrieval',
  'memochat',
  'naive-rag',
  'first-in-first-out',
] as const

export type PresetName = (typeof NAMES)[number]

export const PRESET_NAMES: readonly PresetName[] = NAMES

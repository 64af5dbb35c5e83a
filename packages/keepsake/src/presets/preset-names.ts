/** Names of the engine's own presets. Presets of papers are functions of `@keepsake/papers`. */
const NAMES = ['keepsake', 'naive-rag', 'first-in-first-out'] as const

export type PresetName = (typeof NAMES)[number]

export const PRESET_NAMES: readonly PresetName[] = NAMES

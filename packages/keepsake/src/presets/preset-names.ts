/** Names of the engine's own presets. Presets of papers are functions of `@keepsake/papers`. */
const NAMES = ['keepsake', 'naive-rag', 'first-in-first-out'] as const

/** The name of a preset of the engine itself. */
export type PresetName = (typeof NAMES)[number]

/** Names of the presets of the engine itself. */
export const PRESET_NAMES: readonly PresetName[] = NAMES

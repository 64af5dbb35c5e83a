import type { Updater } from '../models/updater.ts'

/** In which form a preset is wanted. */
export interface PresetForm {
  /** Whether a language model extracts and summarises as published; otherwise rules and quotes do. */
  readonly model: boolean
  /** Keeps MMM's list in the language model's stead. */
  readonly updater?: Updater | undefined
}

export const BY_RULES: PresetForm = { model: false }

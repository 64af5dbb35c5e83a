import type { Updater } from '../models/updater.ts'

/** In which form a preset is wanted. */
export interface PresetForm {
  /** Whether there is a language model: then it extracts and summarises as published. Otherwise rules and quotes do what they can. */
  readonly model: boolean
  /** Keeps MMM's list in the language model's stead. */
  readonly updater?: Updater | undefined
}

export const BY_RULES: PresetForm = { model: false }

/** In which form a preset is wanted. */
export interface PresetForm {
  /** Whether there is a language model: then it extracts and summarises as published. Otherwise rules and quotes do what they can. */
  readonly model: boolean
}

export const BY_RULES: PresetForm = { model: false }

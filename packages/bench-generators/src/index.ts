/** Generators of test conversations: Mem_Dialogue, HaluMem's form, and the probe table. */
export { GenerateError } from './generate-error.ts'
export { generateHalumem, type GeneratedHalumem, type HalumemOptions } from './halumem/generate-halumem.ts'
export {
  halumemUserSchema,
  QUESTION_TYPES,
  type HalumemUser,
  type QuestionType,
} from './halumem/published-form.ts'
export {
  generateMemDialogue,
  type GeneratedMemDialogue,
  type MemDialogueOptions,
} from './mem-dialogue/generate-mem-dialogue.ts'
export { definite, sentenceCase } from './material/fill-template.ts'
export { readMaterial, type Material } from './material/read-material.ts'
export type { TalkLanguage } from './material/fact-kinds.ts'
export type { ThemeRecord } from './mem-dialogue/theme-record.ts'
export { validateTheme } from './mem-dialogue/validate-theme.ts'
export { insertProbes, readProbeTable, type InsertProbesOptions, type Probe } from '@keepsake/bench/parts'
export { countHalumem, countThemes, jsonLines, sha256, type Counts } from './summarise-generated.ts'

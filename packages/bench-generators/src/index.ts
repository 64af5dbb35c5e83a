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
export type { TalkLanguage } from './material/fact-kinds.ts'
export type { ThemeRecord } from './mem-dialogue/theme-record.ts'
export { readProbeTable, type Probe } from '@keepsake/bench/parts'

/** Training from memories: consent, and examples for trainers. */
export type { Consent } from 'keepsake'
export { readConsent, writeConsent } from 'keepsake/store'
export { withholds } from './store/withheld.ts'
export { TASKS, type Example, type Task, type Voucher } from './examples/example.ts'
export { exportStore, type Exported, type ExportOptions } from './export/export-examples.ts'
export { gatherExamples, type Gathered, type GatherOptions } from './export/gather-examples.ts'
export { chatRow, completionRow, preferenceRow, rankedRow } from './formats/chat-rows.ts'
export type { Mixture } from './prepare/choose-examples.ts'
export type { Shares } from './prepare/split-people.ts'
/** LUFY's importance, fitted to annotations. */
export { annotateLufy } from './importance/annotate-lufy.ts'
export { annotationsOf } from './importance/annotate-memory.ts'
export {
  markedOf,
  readAnnotations,
  writeAnnotations,
  type Annotation,
  type Marked,
} from './importance/annotation.ts'
export { compareForgetting, type ForgettingComparison } from './importance/compare-forgetting.ts'
export type { Estimate } from '@keepsake/bench/parts'
export { crossValidate, SCORES, type CrossValidation } from './importance/cross-validate.ts'
export { fitWeights, type FitWeightsOptions } from './importance/fit-weights.ts'
export { plotFit } from './importance/plot-fit.ts'
/** The file that `lufy({ weights })` reads. */
export { writeFittedWeights as writeWeights } from '@keepsake/papers'

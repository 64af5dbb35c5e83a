/** Learning from what a memory holds: who may be learned from, and examples for trainers. */
export { readConsent, withholds, writeConsent, type Consent } from './consent/consent.ts'
/** LUFY's importance, from what people marked. */
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
export { crossValidate, SCORES, type CrossValidation, type Estimated } from './importance/cross-validate.ts'
export { fitWeights, type FitWeightsOptions } from './importance/fit-weights.ts'
export { plotFit } from './importance/plot-fit.ts'
/** The file that `lufy({ weights })` reads. */
export { writeFittedWeights as writeWeights } from 'keepsake/parts'

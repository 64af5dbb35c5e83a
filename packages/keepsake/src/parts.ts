/**
 * The pure parts, for those who study memory or build their own preset: policies, rankings, signals, tables.
 * Steadier than the files they come from, less steady than the main entry.
 */
export { competitionInhibition } from './forgetting/competition-inhibition.ts'
export { ebbinghaus } from './forgetting/ebbinghaus.ts'
export { firstInFirstOut } from './forgetting/first-in-first-out.ts'
export { keepsakeForgetting } from './forgetting/keepsake.ts'
export { lufy } from './forgetting/lufy.ts'
export { noForgetting } from './forgetting/none.ts'
export { randomForgetting } from './forgetting/random.ts'
export {
  selectForgotten,
  type Judged,
  type Selection,
  type SelectionInput,
} from './forgetting/select-forgotten.ts'
export { explainStrength } from './forgetting/explain-strength.ts'

export { embeddedArousal } from './importance/arousal.ts'
export { normaliseSignals, type SignalCalibration } from './importance/normalise-signals.ts'
export { standInImportance } from './importance/stand-in-importance.ts'
export { calibrateSignal } from './importance/normalise-signals.ts'
export { embeddedSignalCalibration } from './importance/embedded-calibration.ts'
export { embeddedSurprise } from './importance/surprise.ts'

export { embeddedWordVectors } from './models/embedded/word-vectors.ts'
export { analyseText } from './text/analyse-text.ts'
export { rescore } from './retrieval/vector/rescore.ts'
export { selectCandidates, selectContenders } from './retrieval/vector/select-candidates.ts'
export { VectorArena } from './retrieval/vector/vector-arena.ts'
export type { VectorTable } from './retrieval/vector/vector-table.ts'

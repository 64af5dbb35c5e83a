/** Exports published systems as presets of Keepsake, built on public exports of the engine and of @keepsake/text alone. */
export { comedyRetrieval } from './comedy/comedy-retrieval.ts'
export { comedy } from './comedy/comedy.ts'
export { extractiveCompressor } from './comedy/compress-extractively.ts'
export { compressPortraitPrompt } from './comedy/compress-portrait.ts'
export { wholeCompressor } from './comedy/compress-whole.ts'
export { sessionMemoryPrompt, sessionMemorySections } from './comedy/session-memory.ts'
export { sessionMemoryWriter } from './comedy/write-session-memory.ts'
export {
  EMBEDDED_SIGNALS,
  embeddedSignalCalibration,
  signalCalibrationOf,
  type SignalCalibration,
  type SignalMap,
  type SignalScale,
} from './lufy/calibration.ts'
export { calibrateMetrics, calibrateSignal } from './lufy/calibrate-signals.ts'
export { normaliseMetrics, NORMALISED_MEANS, type MeasuredMetrics } from './lufy/normalise-signals.ts'
export {
  LUFY_WEIGHTS,
  lufyStrength,
  retained,
  STRENGTH_FLOOR,
  type StrengthInputs,
  type StrengthWeights,
} from './lufy/strength.ts'
export {
  FITTED_WEIGHTS_FORMAT,
  readFittedWeights,
  writeFittedWeights,
  type FittedWeights,
} from './lufy/fitted-weights.ts'
export { keySummaryPrompt } from './lufy/key-summary.ts'
export { sessionSummariser, sessionSummaryPrompt } from './lufy/session-summary.ts'
export { lufy } from './lufy/lufy.ts'
export { LUFY_METRICS, lufy as lufyForgetting, type LufyMetric, type LufyOptions } from './lufy/policy.ts'
export { memoReader } from './memochat/memo-reader.ts'
export { memochat } from './memochat/memochat.ts'
export { topicMemosPrompt } from './memochat/topic-memos.ts'
export { dailySummariser, dailySummaryPrompt } from './memory-bank/daily-summary.ts'
export { overallCompressor, overallSummaryPrompt } from './memory-bank/overall-summary.ts'
export { ebbinghaus } from './memory-bank/ebbinghaus.ts'
export { memoryBank } from './memory-bank/memory-bank.ts'
export { mmm } from './mmm/mmm.ts'
export { operationsReader } from './mmm/operations-reader.ts'
export { operationsPrompt } from './mmm/operations.ts'
export { updaterAsking } from './mmm/updater-asking.ts'
export { competitionInhibition } from './moom/competition-inhibition.ts'
export { moom, type MoomOptions } from './moom/moom.ts'
export { personaSnapshotPrompt } from './moom/persona-snapshot.ts'
export { snapshotReader } from './moom/snapshot-reader.ts'
export { recursiveCompressor, recursiveSummaryPrompt } from './resum/recursive-summary.ts'
export { resum } from './resum/resum.ts'
export { PAPERS, PAPER_POLICIES, PAPER_PROMPTS, findPreset, presetNamed } from './papers.ts'
export { PAPER_NAMES, PRESET_NAMES, type PaperName, type PresetName } from './names.ts'

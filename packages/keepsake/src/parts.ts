/**
 * The pure parts, for those who study memory or build their own preset: policies, rankings, signals, tables.
 * Steadier than the files they come from, less steady than the main entry.
 */
export { firstInFirstOut } from './forget/policies/plain-policies.ts'
export { keepsakeForgetting } from './forget/policies/keepsake.ts'
export { noForgetting } from './forget/policies/plain-policies.ts'
export { randomForgetting } from './forget/policies/plain-policies.ts'
export {
  selectForgotten,
  type Judged,
  type Selection,
  type SelectionInput,
} from './forget/policies/select-forgotten.ts'
export { explainStrength } from './forget/policies/explain-strength.ts'

export { embeddedArousal } from './importance/arousal.ts'
export { normaliseMetrics, normaliseSignals, type MeasuredMetrics } from './importance/normalise-signals.ts'
export { calibrateMetrics } from './importance/normalise-signals.ts'
export {
  lufyStrength,
  LUFY_WEIGHTS,
  retained,
  STRENGTH_FLOOR,
  type StrengthInputs,
  type StrengthWeights,
} from './importance/normalise-signals.ts'
export {
  calibrateThreshold,
  type CalibrationTurn,
  type CosineCalibration,
} from './retrieval/calibrate-threshold.ts'
export { calibrationTalk } from './retrieval/cosine-thresholds.ts'
export {
  readImportanceFeatures,
  scaleImportance,
  standInImportance,
  type ImportanceWeights,
} from './importance/stand-in-importance.ts'
export { calibrateSignal, SURPRISE_CAP_QUANTILE } from './importance/normalise-signals.ts'
export { calibrateSurprise, type CalibrationRound } from './importance/normalise-signals.ts'
export {
  EMBEDDED_SIGNALS,
  embeddedSignalCalibration,
  signalCalibrationOf,
  type SignalModelIds,
  type SignalCalibration,
} from './importance/embedded-calibration.ts'
export { embeddedSurprise } from './importance/surprise.ts'

export {
  scriptedModel,
  type AnswerScript,
  type ScriptedAnswer,
  type ScriptedModel,
} from './models/adapters/scripted-language-model.ts'
export { DEFAULT_WINDOW_TOKENS, requestTokens, windowOf } from './models/model-window.ts'
export { PROMPTS, TEXT_PROMPTS } from './prompts/all-prompts.ts'
export { promptVersion, type Prompt, type PromptLanguage, type RenderedPrompt } from './prompts/prompt.ts'
export { named, quoted, quotedLines, renderTime } from './prompts/render-data.ts'
export { embeddedWordVectors } from '@keepsake/text'
export { analyseText } from '@keepsake/text'

export { updaterReader } from './extraction/updater-reader.ts'
export { personaRules } from './extraction/rules/persona-rules.ts'
export { segmentReader } from './extraction/segment-reader.ts'
export { checkCandidate, type Check, type Grounding } from './extraction/grounding/check-candidate.ts'
export { groundCandidate } from './extraction/grounding/ground-candidate.ts'
export { decideOperations, type DecidedOperations } from './merge/decide-operations.ts'
export { overallCompressor, portraitCompressor, recursiveCompressor } from './portrait/compress-by-model.ts'
export { UNSAFE, type Unsafe } from './portrait/compressor.ts'
export { dailySummariser, sessionSummariser, storySummariser } from './story/summarise-by-model.ts'
export { extractiveSummariser } from './story/summarise-extractively.ts'
export { PRESET_OPTIONS, whyUnused, type PresetOption } from './presets/check-options.ts'
export { tasksOfPreset } from './presets/tasks-of-preset.ts'

export { readAnswer, type ReadAnswer } from './models/read-answer.ts'
export { findKey } from '@keepsake/text'
export { keyName } from './extraction/answer-parts.ts'
export { portraitReplyPrompt, type PortraitReplyInput } from './prompts/portrait-reply.ts'
export { promptLanguage } from './prompts/render-data.ts'
export { composePortrait, type PortraitAnswer } from './prompts/portrait-answer.ts'
export { splitSentences, type Sentence } from '@keepsake/text'
export { maskSecrets, type MaskedText } from '@keepsake/text'
export { answerSchema } from './models/answer-schema.ts'
export { roundsOf, type Round } from './turns/rounds.ts'
export { isEnglishFunctionWord } from '@keepsake/text'
export { chooseUpdate, readCandidates, readUpdate, type ChosenUpdate } from '@keepsake/text'
export { KIND_FEATURES } from '@keepsake/text'
export { readSaid } from '@keepsake/text'
export { TARGET_FEATURES } from '@keepsake/text'
export {
  decodeUpdaterWeights,
  UPDATE_KINDS,
  UPDATER_WEIGHTS_FILE,
  type UpdateKind,
  type UpdaterWeights,
} from '@keepsake/text'
export { didYouMean } from '@keepsake/text'
export { requestRules } from './extraction/rules/hear-requests.ts'

export { isPassing, modelErrorFrom, readRetryAfter } from './models/adapters/ai-sdk-error.ts'
export { checkEmbeddings } from './models/adapters/ai-sdk.ts'
export { errorInBody, parseBody } from './models/adapters/ai-sdk-error.ts'
export { promptRunner, type PromptRunnerOptions } from './models/prompt-runner.ts'
export { weighTextsPrompt } from './prompts/weigh-texts.ts'

// Parts used by the presets of papers (@keepsake/papers).
export { evidenceOf, keyNames, latestTurn, subjectOf } from './extraction/answer-parts.ts'
export { readerAsking } from './extraction/read-by-model.ts'
export { sessionsSinceTouched } from './forget/policies/forgetting-policy.ts'
export { calibrationSchema } from './importance/embedded-calibration.ts'
export { candidateOf } from './memories/candidate.ts'
export { roomBeside } from './models/model-window.ts'
export { requireModel } from './models/require-model.ts'
export { fitWords } from './portrait/fit-words.ts'
export { plainPreset } from './presets/plain-preset.ts'
export { BY_RULES, type PresetForm } from './presets/preset-form.ts'
export { orEmpty, orNull } from './prompts/answer-shape.ts'
export { evidenceProblems, indexProblems, isLine } from './prompts/check-answer.ts'
export { labelled } from './prompts/labels.ts'
export { listKeys } from './prompts/segment.ts'
export { countWords } from './prompts/portrait-answer.ts'
export { renderContext, renderMemories, renderTurns, type SaidTurn } from './prompts/render-data.ts'
export { renderBefore, renderDatedTexts, type DatedText } from './prompts/render-summary-sources.ts'
export {
  composeSections,
  sectionProblems,
  toldSentence,
  type ToldSection,
} from './prompts/summary-sections.ts'
export { writingPrompt } from './prompts/writing-prompt.ts'
export { sourcesOfTurns } from './story/make-story-unit.ts'
export { MOOM_THRESHOLDS } from './story/pack-units.ts'
export { quoteSentences } from './story/summarise-extractively.ts'
export { supportedSummary } from './story/support-sections.ts'
export { whoSpeaks } from './turns/who-speaks.ts'

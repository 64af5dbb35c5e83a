/**
 * The API for authors of presets: the types of a preset and its branches, forgetting policies, signals, extractors, summarisers and prompts.
 * The presets of `@keepsake/papers` use nothing else. This API may change more often than the main entry.
 */

// The preset itself.
export {
  type Branch,
  type Cadence,
  type FactBranch,
  type PortraitBranch,
  type Preset,
  type Ranking,
  type RecallUse,
  type ReplyForm,
  type StoryBranch,
  type SummaryBranch,
  type UtteranceBranch,
  BY_RULES,
  type PresetForm,
} from './presets/preset.ts'
export { findPreset, type PresetFactory } from './presets/find-preset.ts'
export { PRESET_OPTIONS, whyUnused, type PresetOption, tasksOfPreset } from './presets/check-options.ts'
export { plainPreset } from './presets/keepsake.ts'
export { extendKeyTable, keyTable, type KeyTable, type MergeClass, type PersonaKey } from '@keepsake/text'
export {
  HYBRID,
  RETRIEVAL_PARTS,
  withoutParts,
  type RetrievalPart,
  type RetrievalRecipe,
} from '@keepsake/search'
export { requireModel } from './models/ask-model.ts'

// Forgetting.
export {
  sessionsSinceTouched,
  type ForgettingMoment,
  type ForgettingPolicy,
  type Retention,
  type SignalModelIds,
  type Strength,
  type ForgottenMemory,
} from './forget/policies/forgetting-policy.ts'
export { firstInFirstOut, noForgetting, randomForgetting } from './forget/policies/known-policies.ts'
export { keepsakeForgetting } from './forget/policies/keepsake.ts'
export {
  selectForgotten,
  type Judged,
  type Selection,
  type SelectionInput,
  explainStrength,
} from './forget/policies/select-forgotten.ts'

// Signals of importance.
export { embeddedArousal } from './importance/arousal.ts'
export {
  readImportanceFeatures,
  scaleImportance,
  standInImportance,
  type ImportanceWeights,
} from './importance/stand-in-importance.ts'
export { embeddedSurprise } from './importance/surprise.ts'
export {
  calibrateThreshold,
  type CalibrationTurn,
  type CosineCalibration,
  calibrationTalk,
} from './retrieval/cosine-thresholds.ts'

// Extraction and merging.
export type {
  Extraction,
  ExtractOptions,
  Extractor,
  ForgetRequest,
  Request,
  Segment,
} from './extraction/extractor.ts'
export { updaterReader } from './extraction/updater-reader.ts'
export { personaRules } from './extraction/rules/persona-rules.ts'
export { readerAsking, segmentReader } from './extraction/segment-reader.ts'
export { checkCandidate, type Check } from './extraction/grounding/check-candidate.ts'
export { groundCandidate, type Grounding } from './extraction/grounding/ground-candidate.ts'
export { evidenceOf, keyName, keyNames, latestTurn, subjectOf } from './extraction/answer-parts.ts'
export { requestRules } from './extraction/rules/hear-requests.ts'
export { askGuided } from './models/ask-model.ts'
export { decideOperations, type DecidedOperations } from './merge/decide-operations.ts'
export type { Signals } from './memories/memory.ts'
export {
  candidateOf,
  type Candidate,
  type ProposedOperation,
  type RejectedOperation,
} from './memories/candidate.ts'
export type { PersonaEntry, PersonaValue, SubjectSheet } from './persona/persona-sheet.ts'
export { roundsOf, type Round } from './turns/rounds.ts'
export { whoSpeaks } from './turns/turn.ts'

// Summaries and portraits.
export type { SummariseOptions, Summariser, Summary } from './story/summariser.ts'
export { storySummariser, summariserAsking, supportedSummary } from './story/summarise-by-model.ts'
export { extractiveSummariser, quoteSentences } from './story/summarise-extractively.ts'
export { MOOM_THRESHOLDS, sourcesOfTurns } from './story/story-units.ts'
export {
  UNSAFE,
  type CompressionInput,
  type CompressOptions,
  type Compressor,
  type Unsafe,
} from './portrait/compressor.ts'
export {
  askOptions,
  compressorAsking,
  datedTexts,
  fittedPortrait,
  portraitCompressor,
  fitWords,
} from './portrait/compress-by-model.ts'

// Prompts and answers.
export {
  type SummarySource,
  renderBefore,
  renderDatedTexts,
  type DatedText,
} from './prompts/render-summary-sources.ts'
export { PROMPTS, TEXT_PROMPTS } from './prompts/all-prompts.ts'
export { promptVersion, type Prompt, type PromptLanguage, type RenderedPrompt } from './prompts/prompt.ts'
export {
  named,
  promptLanguage,
  quoted,
  quotedLines,
  renderContext,
  renderMemories,
  renderTime,
  renderTurns,
  type SaidTurn,
} from './prompts/render-data.ts'
export { portraitReplyPrompt, type PortraitReplyInput } from './prompts/portrait-reply.ts'
export {
  composeParts,
  composePortrait,
  countWords,
  lengthProblems,
  MOST_WORDS,
  PORTRAIT_RULES,
  portraitAnswer,
  wordLimit,
  wordProblems,
  type Length,
  type PortraitAnswer,
  labelled,
} from './prompts/portrait-answer.ts'
export {
  languageOf,
  SUMMARY_SHAPE,
  summaryAnswer,
  summaryMaterial,
  summaryProblems,
  summaryRules,
  toldProblems,
  type SummaryInput,
} from './prompts/story-summary.ts'
export { weighTextsPrompt } from './prompts/weigh-texts.ts'
export { orElse, orEmpty, orNull, evidenceProblems, indexProblems, isLine } from './prompts/check-answer.ts'
export { listKeys } from './prompts/segment.ts'
export {
  composeSections,
  sectionProblems,
  toldSentence,
  type ToldSection,
} from './prompts/summary-sections.ts'
export { writingPrompt } from './prompts/common-rules.ts'
export { composeContext } from './read/timeline.ts'
export { contextLine } from './read/context-lines.ts'

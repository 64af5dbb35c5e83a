export { openMemory, Keepsake, type KeepsakeStats } from './memory.ts'
export type { GivenModel, LanguageOptions, OpenOptions } from './open-options.ts'
export { ScopedMemory } from './scoped-memory.ts'
export { rehearse } from './rehearse.ts'
export { ScopeAdmin } from './scope-admin.ts'
export { CONSENTS, readConsent, writeConsent, type Consent, type ConsentPlace } from './consent/consent.ts'
export type { ScopeKey, ScopeRow } from './scopes/scope.ts'

export { ROLES, type Role, type Turn, type TurnInput } from './turns/turn.ts'
export type { PendingRequest } from './requests/confirm-request.ts'
export type { RememberResult, RememberOptions } from './remember/record-turns.ts'
export type { MaskedSecret } from '@keepsake/text'

export type {
  Recall,
  RecallContext,
  RecalledEvidence,
  RecalledMemory,
  RecallOptions,
} from './retrieval/recall-types.ts'
export { estimateTokens, type CountTokens } from '@keepsake/text'
export { composeContext } from './read/timeline.ts'
export { contextLine } from './read/context-lines.ts'
export { PROFILE_SLOTS, type Profile, type ProfileLine, type ProfileSlot } from './persona/profile.ts'

export * from './names.ts'
export type { Memory, Origin, PastVersion, Signals, Use } from './memories/memory.ts'
export type { Evidence } from './memories/evidence.ts'
export {
  OPERATION_KINDS,
  type MemoryChange,
  type Operation,
  type OperationKind,
  type OperationPayload,
  type MemoryRef,
} from './memories/operation.ts'
export { projectLog } from './memories/apply-operation.ts'
export type { Reply, ReplyOptions } from './read/reply.ts'
export type { ReplyTool, ReplyToolCall } from './read/reply-tools.ts'
export type { MemoryEdit } from './change/change-memories.ts'
export type { NoteOptions } from './change/keep-note.ts'
export type { FactEvidence, AddFactOptions } from './change/state-memory.ts'
export type { AcrossMemory, AcrossRecall, AcrossScope } from './read/recall-across.ts'
export type { DrainResult } from './work/drained.ts'
export type { Json, Metadata } from './metadata/metadata.ts'
export { readMetadataFilter } from './metadata/metadata-filter.ts'
export {
  matchesMetadata,
  type MetadataCondition,
  type MetadataFilter,
  type MetadataPath,
} from './metadata/metadata-filter.ts'
export { FIRST_MARK, type Change, type ChangeMark, type Changes } from './inspect/list-changes.ts'
export type { FollowedUser, FollowOptions } from './inspect/follow-changes.ts'
export type {
  CountFilter,
  LogFilter,
  MemoryFilter,
  Portrait,
  StoryLevel,
  TurnFilter,
} from './inspect/list-memories.ts'
export type { Explanation } from './inspect/explain-memory.ts'
export type { TurnPageOptions } from './inspect/list-turns.ts'
export type { ModelUse } from './work/model-use.ts'
export type { ScopeStats } from './inspect/measure-scope.ts'
export type { Page, PageOptions } from './inspect/page.ts'
export type { MemoryLife, PolicyLife, Retrieval, StrengthPoint } from './inspect/tell-life.ts'
export type { ForgettingOptions } from './forget/run-forgetting.ts'
export type { EraseTarget } from './erase/erase-memories.ts'
export { countUnappliedErasures } from './ledger/count-unheard.ts'
export type { UnappliedErasure } from './erase/missed-erasures.ts'
export type { ErasePreview } from './erase/preview-erasure.ts'
export type { MemoryStrength, StrengthOptions, Strengths } from './inspect/list-strengths.ts'

export { EVENT_NAMES, type EventMap, type EventName } from './events/event-map.ts'
export type { MemoryEvent } from './events/event-map.ts'
export type { EventScope } from './scopes/scope.ts'

export type { EmbeddingModel } from '@keepsake/text'
export type {
  FinishReason,
  JsonSchema,
  LanguageAnswer,
  LanguageChunk,
  LanguageMessage,
  LanguageModel,
  LanguageRequest,
  LanguageTool,
  LanguageToolCall,
  LanguageToolExchange,
  LanguageToolUse,
  TokenUsage,
} from './models/language-model.ts'
export type { AskModel, AskOptions } from './models/ask-model.ts'
export type { RerankingModel, RerankOptions } from './models/reranking-model.ts'
export type { ModelBudget } from './models/call-budget.ts'
export type { ModelCall, ModelCallOutcome } from './models/model-call.ts'
export type { TaskModels } from './models/model-task.ts'
export { promptRunner, type PromptRunner, type PromptRunnerOptions } from './models/prompt-runner.ts'
export type { ArousalModel, ImportanceModel, SurpriseContext, SurpriseModel } from './models/signal-models.ts'
export type { LeftOut } from './models/left-out.ts'
export type { Update, Updater, UpdateRequest } from './models/updater.ts'

export type {
  EraseReceipt,
  JobFilter,
  JobRow,
  MemoryCount,
  NewRecord,
  RecordQuery,
  Records,
  ScopeFilter,
  SessionRow,
  Store,
  StoredRecord,
  StoreStats,
} from './store/store.ts'
export {
  CHECKS,
  examineFile,
  type Check,
  type Examined,
  type ExamineOptions,
  type Finding,
} from './store/sqlite/examine-file.ts'
export {
  restoreBackup,
  type RestoredBackup,
  type RestoreBackupOptions,
} from './store/sqlite/restore-backup.ts'
export { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
export type {
  BackupNote,
  ConnectSqlite,
  OpenSqliteStoreOptions,
  SqliteStore,
} from './store/sqlite/sqlite-store.ts'

export type {
  Branch,
  Cadence,
  FactBranch,
  Preset,
  Ranking,
  RecallUse,
  ReplyForm,
  StoryBranch,
  PortraitBranch,
  SummaryBranch,
  UtteranceBranch,
} from './presets/preset.ts'
export type {
  ForgettingMoment,
  ForgettingPolicy,
  Retention,
  Strength,
} from './forget/policies/forgetting-policy.ts'
export type { ForgettingResult, ForgottenMemory } from './forget/policies/forgetting-result.ts'
export type { Candidate } from './memories/candidate.ts'
export type {
  Extraction,
  ExtractOptions,
  Extractor,
  ForgetRequest,
  Request,
  Segment,
} from './extraction/extractor.ts'
export type { FactRule, RequestRule, Rule } from '@keepsake/text'
export type { ProposedOperation, RejectedOperation } from './memories/proposed-operation.ts'

export { embedWith, type AiSdkEmbeddingModel } from './models/adapters/ai-sdk.ts'
export {
  languageModel,
  type AiSdkLanguageModel,
  type LanguageModelOptions,
  type StructuredOutput,
} from './models/adapters/ai-sdk-language.ts'
export { findPreset, type PresetFactory } from './presets/find-preset.ts'
export { extendKeyTable, keyTable, type KeyTable, type MergeClass, type PersonaKey } from '@keepsake/text'
export type { PersonaEntry, PersonaSheet, PersonaValue, SubjectSheet } from './persona/persona-sheet.ts'
export type { Summariser, SummariseOptions, Summary } from './story/summariser.ts'
export type { SummarySource } from './prompts/summary-source.ts'
export type { CompressionInput, CompressOptions, Compressor } from './portrait/compressor.ts'
export {
  HYBRID,
  RETRIEVAL_PARTS,
  withoutParts,
  type RetrievalPart,
  type RetrievalRecipe,
} from '@keepsake/search'

/**
 * The API for applications. Other purposes have subpaths: `keepsake/preset` for authors of presets, `keepsake/model` for custom models,
 * `keepsake/store` for stores and files, `keepsake/opentelemetry` for spans and metrics.
 */
export { openMemory, Keepsake, type KeepsakeStats } from './memory.ts'
export type { LanguageOptions, OpenOptions } from './open-options.ts'
export { ScopedMemory } from './scoped-memory.ts'
export { ScopeAdmin } from './scope-admin.ts'
export type { ScopeKey, ScopeRow } from './scopes/scope.ts'
export { PRESET_NAMES, type PresetName } from './presets/find-preset.ts'
export { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
export type { Rule } from '@keepsake/text'

export { ROLES, type Role, type Turn, type TurnInput } from './turns/turn.ts'
export type { RememberOptions, RememberResult } from './remember/record-turns.ts'
export type { Metadata } from '@keepsake/text/names'
export type { MetadataFilter } from './metadata/metadata-filter.ts'
export type { SessionRow } from './store/store.ts'

export type {
  Answerable,
  Recall,
  RecallContext,
  RecalledEvidence,
  RecalledMemory,
  RecallOptions,
} from './retrieval/recall-types.ts'
export type { AcrossRecall } from './read/recall-across.ts'
export type { Reply, ReplyOptions } from './read/reply.ts'
export type { ReplyTool } from './read/reply-tools.ts'
export { estimateTokens, type CountTokens } from '@keepsake/text'

export {
  GROUNDING_LABELS,
  MEMORY_FORMS,
  MEMORY_STATUSES,
  MEMORY_TYPES,
  type Memory,
  type MemoryForm,
  type MemoryStatus,
  type MemoryType,
} from './memories/memory.ts'
export type { Evidence } from './memories/evidence.ts'
export { PROFILE_SLOTS, type Profile } from './persona/profile.ts'
export type { PersonaSheet } from './persona/persona-sheet.ts'
export type { CountFilter, LogFilter, MemoryFilter } from './inspect/list-memories.ts'
export type { TurnFilter } from './inspect/list-turns.ts'
export type { Portrait, StoryLevel } from './inspect/read-portrait.ts'

export { OPERATION_KINDS, type Operation, type OperationKind } from './memories/operation.ts'
export type { MemoryEdit } from './change/change-memories.ts'
export type { NoteOptions } from './change/keep-note.ts'
export type { AddFactOptions, FactEvidence } from './change/state-memory.ts'
export type { BlockEdit, BlockOptions } from './change/write-block.ts'
export type { AboutEntity, AboutOptions, Entity } from './entities/list-entities.ts'
export type { EntityEdge } from './entities/read-relations.ts'
export type { DueItem, DueOptions } from './inspect/list-due.ts'
export type { TimeSpan } from './memories/time-span.ts'
export type { PendingRequest, UnheardRequest } from './requests/confirm-request.ts'
export type { ForgetAboutOptions, ForgottenTopic } from './requests/forget-about.ts'
export type { ForgettingOptions } from './forget/run-forgetting.ts'
export type { ForgettingResult } from './forget/policies/forgetting-policy.ts'
export type { EraseTarget, ErasePreview } from './erase/erase-memories.ts'
export type { EraseReceipt } from './store/store.ts'
export type { UnappliedErasure } from './erase/missed-erasures.ts'
export type { OwnKeys, StandardSchema, ValueOf } from './filing/own-keys.ts'
export type { CategoryCount, KeyState } from './inspect/read-state.ts'
export type { GuidelinesInput, ScopeGuidelines } from './guidelines/guidelines.ts'
export type { Consent } from './consent/consent.ts'

export type { Explanation } from './inspect/explain-memory.ts'
export type { ScopeStats } from './inspect/measure-scope.ts'
export type { Page } from './inspect/page.ts'
export type { MemoryLife } from './inspect/describe-life.ts'
export type { Strengths } from './inspect/list-strengths.ts'
export type { DrainResult } from './work/jobs.ts'
export type { JobRow } from './store/store.ts'

export { EVENT_NAMES, type EventMap, type EventName } from './events/event-map.ts'
export type { EventScope } from './scopes/scope.ts'
export {
  CHANGE_EVENTS,
  FIRST_MARK,
  type Change,
  type ChangeMark,
  type Changes,
} from './inspect/list-changes.ts'
export type { FollowOptions } from './inspect/follow-changes.ts'
export type { EmbeddingModel } from '@keepsake/text'
export type { LanguageModel } from './models/language-model.ts'
export type { RerankingModel } from './models/model-ports.ts'
export { type ModelCall, MODEL_TASKS, type ModelTask } from './models/ask-model.ts'
export { readAttachments, type Attachment, type AttachmentKind } from '@keepsake/text'
export { attachmentsIn, textWithAttachments, type AttachmentInput } from '@keepsake/text'
export { embedWith } from './models/adapters/ai-sdk.ts'
export { languageModel } from './models/adapters/ai-sdk-language.ts'

export { InvalidInputError, KeepsakeError, ModelError, type ErrorCode } from '@keepsake/text'
export {
  ClosedError,
  NotFoundError,
  NotPossibleError,
  StoreError,
  TurnConflictError,
} from './errors/errors.ts'

export { openMemory, Keepsake, type OpenOptions, type KeepsakeStats } from './memory.ts'
export { ScopedMemory } from './scopes/scoped-memory.ts'
export type { ScopeKey, ScopeRow } from './scopes/scope.ts'

export type { Role, Turn, TurnInput } from './turns/turn.ts'
export type { Remembered, RememberOptions } from './engine/record-turns.ts'
export type { MaskedSecret } from './engine/engine.ts'

export type { Recall, RecalledEvidence, RecalledMemory, RecallOptions } from './retrieval/recall-types.ts'
export { estimateTokens, type CountTokens } from './composition/count-tokens.ts'
export { composeContext, contextLine } from './composition/compose-context.ts'

export type {
  GroundingLabel,
  Memory,
  MemoryForm,
  MemoryStatus,
  MemoryType,
  Origin,
  PastVersion,
  Signals,
  Use,
} from './operations/memory.ts'
export type { Evidence } from './grounding/evidence.ts'
export type {
  MemoryChange,
  Operation,
  OperationKind,
  OperationPayload,
  Touched,
} from './operations/operation.ts'
export { projectLog } from './operations/apply-operation.ts'
export type { MemoryEdit } from './engine/change-memories.ts'
export type { MemoryFilter, StoryLevel } from './engine/list-memories.ts'
export type { Explanation } from './engine/explain-memory.ts'
export type { ForgettingOptions } from './engine/run-forgetting.ts'
export type { EraseTarget } from './engine/erase-memories.ts'

export type { EventMap, EventName, EventScope } from './events/event-map.ts'

export type { EmbeddingModel } from './models/embedding-model.ts'
export type { ArousalModel, ImportanceModel, SurpriseContext, SurpriseModel } from './models/signal-models.ts'

export { KeepsakeError, type ErrorCode, type ErrorDetails } from './errors/keepsake-error.ts'
export { ClosedError } from './errors/closed-error.ts'
export { InvalidInputError } from './errors/invalid-input-error.ts'
export { ModelError } from './errors/model-error.ts'
export { NotFoundError } from './errors/not-found-error.ts'
export { NotPossibleError } from './errors/not-possible-error.ts'
export { StoreError, type StoreErrorCode } from './errors/store-error.ts'
export { TurnConflictError } from './errors/turn-conflict-error.ts'

export type { EraseReceipt, JobRow, SessionRow, Store, StoreStats } from './stores/store.ts'

export type {
  Branch,
  Cadence,
  FactBranch,
  Preset,
  Ranking,
  RecallUse,
  StoryBranch,
  SummaryBranch,
  UtteranceBranch,
} from './presets/preset.ts'
export type {
  ForgettingMoment,
  ForgettingPolicy,
  Retention,
  Strength,
} from './forgetting/forgetting-policy.ts'
export type { ForgettingResult, ForgottenMemory } from './forgetting/forgetting-result.ts'
export type { Candidate, Extraction, Extractor, Request, Segment } from './extraction/candidate.ts'

export { embedWith } from './models/adapters/ai-sdk.ts'
export { transformersEmbedding } from './models/adapters/transformers.ts'
export { findPreset, PRESET_NAMES, type PresetName } from './presets/find-preset.ts'
export {
  extendKeyTable,
  keyTable,
  type KeyTable,
  type MergeClass,
  type PersonaKey,
} from './persona/key-table.ts'
export type { PersonaEntry, PersonaSheet, PersonaValue, SubjectSheet } from './persona/persona-sheet.ts'
export type { Summariser } from './story/summariser.ts'
export {
  HYBRID,
  RETRIEVAL_PARTS,
  withoutParts,
  type RetrievalPart,
  type RetrievalRecipe,
} from './retrieval/retrieval-recipe.ts'

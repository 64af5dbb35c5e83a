import type { EventEmitter } from 'node:events'
import type { EventMap } from '../events/event-map.ts'
import type { Filing } from '../filing/own-keys.ts'
import type { Guidelines } from '../guidelines/guidelines.ts'
import type { EventScope } from '../scopes/scope.ts'
import type { CountTokens, EmbeddedModel, EmbeddingModel, RuleBook, TextGate } from '@keepsake/text'
import type { AskModel, ModelTask } from '../models/ask-model.ts'
import type { RerankingModel, ArousalModel, ImportanceModel, SurpriseModel } from '../models/model-ports.ts'
import type { PolicyTable } from '../forget/policies/known-policies.ts'
import type { Preset } from '../presets/preset.ts'
import type { CosineThresholds } from '../retrieval/cosine-thresholds.ts'
import type { Store } from '../store/store.ts'
import type { ErasureLedger } from '../ledger/erasure-ledger.ts'
import type { ModelAccounts } from './model-use.ts'
import type { Users } from '../user-state/users.ts'
import type { UserClaims } from './user-claims.ts'
import type { Worker } from './worker.ts'
import type { UsageWriter } from './usage.ts'

/** The parts that every step uses. They are passed in, so that steps have no state and tests can replace any part. */
export interface Engine {
  readonly store: Store
  readonly preset: Preset
  /** Forgetting policies by name. */
  readonly policies: PolicyTable
  /** What to keep and what never to keep, in every scope. */
  readonly guidelines: Guidelines
  /** The application's categories and typed keys. */
  readonly filing: Filing
  /** The rules that read facts and requests: the application's and the built-in ones. */
  readonly rules: RuleBook
  readonly embedding: EmbeddingModel
  /** The built-in word vectors, which compare values and sentences. They exist whatever model embeds the texts. */
  readonly wordVectors: EmbeddedModel
  /** Access to the language models; `null` without one. */
  readonly language: LanguageAccess | null
  /** Aborted when the memory is closed, which ends all calls of models. */
  readonly life: AbortController
  /** The model that ranks memories for a question; `null` without one. */
  readonly reranking: RerankingModel | null
  readonly arousal: ArousalModel
  readonly surprise: SurpriseModel
  readonly importance: ImportanceModel
  /** The cosines from which a memory is relevant to a question, for the embedding model. */
  readonly thresholds: CosineThresholds
  readonly countTokens: CountTokens
  /** Maximum length of a turn, in UTF-16 units. */
  readonly maxTurnLength: number
  /** Whether a model describes pictures before they are recorded, unless a call says otherwise. */
  readonly describe: boolean
  /** Name of the caller, stored with changes through the API; `null` if the application gives none. */
  readonly actor: string | null
  /** Normalises text and masks secrets before it is stored. */
  readonly textGate: TextGate
  readonly events: EventEmitter<EventMap>
  readonly users: Users
  /** Counts which memories recalls use, and writes the counters later. */
  readonly usage: UsageWriter
  readonly modelAccounts: ModelAccounts
  /** The record of erasures, which is also kept outside of the store. */
  readonly ledger: ErasureLedger
  readonly claims: UserClaims
  readonly worker: Worker
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns a new id. Later ids are greater. */
  readonly newId: () => string
}

/** The language models of a memory, by task. */
export interface LanguageAccess {
  /** Returns the id of the model for a task; `null` without one. */
  modelOf(task: ModelTask): string | null
  /** Returns the model for a task, bound to a scope and its budget; `null` without one. */
  for(scope: EventScope, task: ModelTask): AskModel | null
}

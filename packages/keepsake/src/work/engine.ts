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
import type { PersonClaims } from './person-claims.ts'
import type { UsageWriter } from './usage.ts'
import type { Worker } from './worker.ts'

/** What every step works with: passed in, so that steps hold no state and tests can replace any of it. */
export interface Engine {
  readonly store: Store
  readonly preset: Preset
  /** Policies by which memories can be judged by name. */
  readonly policies: PolicyTable
  /** What is kept and never kept in every scope of this memory. */
  readonly guidelines: Guidelines
  /** The application's categories and typed keys. */
  readonly filing: Filing
  /** By which facts and requests are read: the caller's own rules, and the shipped ones. */
  readonly rules: RuleBook
  readonly embedding: EmbeddingModel
  /** The built-in word vectors, for likeness of values and sentences: always there, whatever embeds the texts. */
  readonly wordVectors: EmbeddedModel
  /** Gives each scope its way to ask the language model; `null` where there is none. */
  readonly language: LanguageAccess | null
  /** Aborted when the memory closes: ends what is being asked of a model, and nothing is asked after that. */
  readonly life: AbortController
  /** Reads question and memory together; `null` where there is none. */
  readonly reranking: RerankingModel | null
  readonly arousal: ArousalModel
  readonly surprise: SurpriseModel
  readonly importance: ImportanceModel
  /** From which cosine on a memory bears on a question, for the model that embeds. */
  readonly thresholds: CosineThresholds
  readonly countTokens: CountTokens
  /** The longest turn taken, in UTF-16 units. */
  readonly maxTurnLength: number
  /** Whether a model describes pictures before they are recorded, where a call does not say. */
  readonly describe: boolean
  /** What text passes before it is stored. */
  readonly textGate: TextGate
  readonly events: EventEmitter<EventMap>
  readonly users: Users
  /** Counts which memories recalls used, and writes it off the read path. */
  readonly usage: UsageWriter
  readonly modelAccounts: ModelAccounts
  /** Which erasures there were, kept outside the store too. */
  readonly ledger: ErasureLedger
  readonly claims: PersonClaims
  readonly worker: Worker
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A new id, rising with time. */
  readonly newId: () => string
}

export interface LanguageAccess {
  /** The id of the model that is asked for a task; `null` where none is. */
  modelOf(task: ModelTask): string | null
  /** A scope's way to the model that is asked for a task; `null` where none is. */
  for(scope: EventScope, task: ModelTask): AskModel | null
}

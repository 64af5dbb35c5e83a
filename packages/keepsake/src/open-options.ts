import type { CountTokens, EmbeddingModel, Rule } from '@keepsake/text'
import type { ForgettingPolicy, Retention } from './forget/policies/forgetting-policy.ts'
import type { AiSdkEmbeddingModel } from './models/adapters/ai-sdk.ts'
import type { AiSdkLanguageModel } from './models/adapters/ai-sdk-language.ts'
import type { LanguageModel } from './models/language-model.ts'
import type { ModelTask, TaskModels } from './models/model-task.ts'
import type { PromptRunnerOptions } from './models/prompt-runner.ts'
import type { RerankingModel } from './models/reranking-model.ts'
import type { ArousalModel, ImportanceModel, SurpriseModel } from './models/signal-models.ts'
import type { Updater } from './models/updater.ts'
import type { PresetFactory } from './presets/find-preset.ts'
import type { PresetName } from './presets/preset-names.ts'
import type { Preset } from './presets/preset.ts'
import type { ConnectSqlite } from './stores/sqlite/connect-sqlite.ts'
import type { Store } from './stores/store.ts'

/** How a language model is asked. */
export type LanguageOptions = Pick<
  PromptRunnerOptions,
  'timeoutMs' | 'retries' | 'concurrency' | 'budget' | 'windowTokens'
>

/** A language model, or one of the AI SDK's, which is wrapped as `languageModel()` does. */
export type GivenModel = LanguageModel | AiSdkLanguageModel

/** What `openMemory` is given. An option that is `undefined` is as good as absent; one that does not exist is refused. */
export interface OpenOptions {
  /** The SQLite file, made when missing; `:memory:` keeps nothing. */
  readonly path?: string | undefined
  /**
   * Opens the file in SQLite's stead: a drop-in for `better-sqlite3` that encrypts it, with its key (docs/security.md). Erasing then writes the whole
   * file afresh, and backups are made of the closed file.
   */
  readonly connect?: ConnectSqlite
  /**
   * The file in which erasures are entered, so that a backup put back later can be told of them: `PATH-erasures` when absent, and for a store
   * of your own none. It holds digests, no names and no words. Keep it, or a copy, where a loss of the memory's own disk does not reach it.
   */
  readonly erasureLedger?: string | undefined
  /** A store of your own instead of a file. */
  readonly store?: Store | undefined
  /**
   * A preset: one of the engine's by name, a function of `@keepsake/papers` (`moom`, `lufy`, …), or a record of your own. `keepsake`
   * when absent.
   */
  readonly preset?: PresetName | Preset | PresetFactory | undefined
  /** More forgetting policies by which memories can be judged by name, such as `PAPER_POLICIES` of `@keepsake/papers`. */
  readonly policies?: readonly ForgettingPolicy[] | undefined
  /** Replaces what the preset forgets, and when. */
  readonly retention?: Retention | undefined
  /** `full` (the default) survives a power cut; `normal` survives a crash of the process and is faster. */
  readonly synchronous?: 'full' | 'normal' | undefined
  /** How long to wait for another process's write, in milliseconds. 5,000 when absent. */
  readonly busyTimeoutMs?: number | undefined
  /**
   * The language model that extracts, summarises and replies: one of the AI SDK's as it is, or what `languageModel()` and
   * `openModel()` make. Without one, rules do what they can.
   */
  readonly model?: GivenModel | undefined
  /**
   * Language models that differ by task, such as a small tuned one for the persona and a large one for the plot (MOOM's table 1). A task
   * without one is asked of `model`; `models: { reply }` alone answers by a model what rules have read. Each call is told with its
   * task (event `model-called`); limits and budget are one for all.
   *
   * @example
   * const keepsake = await openMemory({ path: 'memory.db', preset: moom, model: large, models: { extraction: tuned } })
   */
  readonly models?: Readonly<Partial<Record<ModelTask, GivenModel>>> | undefined
  /**
   * Keeps MMM's list of memories in the model's stead: a model trained for it, or your own code. Preset `mmm` alone.
   *
   * @example
   * const tuned = await openModel('openai-compatible:http://127.0.0.1:8000/v1#mmm-7b')
   * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, model, updater: updaterAsking(tuned) })
   */
  readonly updater?: Updater | undefined
  /** How it is asked: timeouts, retries, limits, budget, and how much it takes at once (`windowTokens`). */
  readonly modelOptions?: LanguageOptions | undefined
  /**
   * Rounds after which the model reads the talk, instead of as many as the preset says: 1 learns at once and costs a call
   * a round.
   */
  readonly readEvery?: number | undefined
  /**
   * Patterns of your own for what people say about themselves, and for how they ask to have something forgotten. They are
   * tried before the shipped ones (`Rule` explains the notation), and their sentences are checked when the memory is
   * opened. Facts are read by rules where there is no language model, requests always.
   *
   * @example
   * const rules = [
   *   { facts: { 'diet: no {thing}': { 'I avoid {thing}': 'I avoid [red meat].' } }, no: 'I avoid it.' },
   *   { facts: { possessions: { '我骑{1..8}上班。': '我骑[电动车]上班。' } }, no: '我骑得很快。' },
   * ]
   * const keepsake = await openMemory({ path: 'memory.db', rules })
   */
  readonly rules?: readonly Rule[] | undefined
  /** The AI SDK's as it is, or what `embedWith()` and `transformersEmbedding()` make. */
  readonly embedding?: EmbeddingModel | AiSdkEmbeddingModel | undefined
  /** Reads question and memory together and puts the first of what is found in order anew. */
  readonly reranking?: RerankingModel | undefined
  readonly arousal?: ArousalModel | undefined
  readonly surprise?: SurpriseModel | undefined
  readonly importance?: ImportanceModel | undefined
  /** Counts tokens for the context's budget; an estimate when absent. */
  readonly countTokens?: CountTokens | undefined
  /**
   * The longest turn taken, in UTF-16 units: 4,000,000 when absent. A server for strangers takes less, since a turn is masked and read in one
   * go: 100,000 are some 50 ms.
   */
  readonly longestTurn?: number
  /** `false` stores secrets as they were said. */
  readonly maskSecrets?: boolean | undefined
  /** Bytes the caches may take in memory. An eighth of the machine's memory when absent, or of what the process may have of it. */
  readonly cacheBytes?: number | undefined
  /** How many processes of this machine have this memory open beside each other, as workers of a server do: their caches share that eighth. 1 when absent. */
  readonly processes?: number | undefined
  /** The clock, for tests and simulations: milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Makes ids that rise with time. UUIDv7 when absent. */
  readonly newId?: (() => string) | undefined
}

/** The same once read (`readOptions`): every model is one that the engine can ask. */
export interface EngineOptions extends Omit<OpenOptions, 'model' | 'models' | 'embedding'> {
  readonly model?: LanguageModel | undefined
  readonly models?: TaskModels | undefined
  readonly embedding?: EmbeddingModel | undefined
}

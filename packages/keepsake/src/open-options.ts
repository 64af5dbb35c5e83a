import type { CountTokens, EmbeddingModel, Rule } from '@keepsake/text'
import type { ForgettingPolicy, Retention } from './forget/policies/forgetting-policy.ts'
import type { OwnKeys } from './filing/own-keys.ts'
import type { GuidelinesInput } from './guidelines/guidelines.ts'
import type { AiSdkEmbeddingModel } from './models/adapters/ai-sdk.ts'
import type { AiSdkLanguageModel } from './models/adapters/ai-sdk-language.ts'
import type { LanguageModel } from './models/language-model.ts'
import type { ModelTask, TaskModels } from './models/ask-model.ts'
import type { PromptRunnerOptions } from './models/prompt-runner.ts'
import type { RerankingModel, ArousalModel, ImportanceModel, SurpriseModel } from './models/model-ports.ts'
import type { Updater } from './models/updater.ts'
import type { PresetFactory, PresetName } from './presets/find-preset.ts'
import type { Preset } from './presets/preset.ts'
import type { ConnectSqlite } from './store/sqlite/sqlite-store.ts'
import type { Store } from './store/store.ts'

/** Options for calling a language model. */
export type LanguageOptions = Pick<
  PromptRunnerOptions,
  'timeoutMs' | 'retries' | 'concurrency' | 'budget' | 'windowTokens'
>

/** A language model of Keepsake, or one of the AI SDK, which `languageModel()` wraps. */
export type GivenModel = LanguageModel | AiSdkLanguageModel

/** Options of `openMemory`. `undefined` counts as absent; an unknown option is refused. */
export interface OpenOptions<Keys extends OwnKeys = OwnKeys> {
  /** The SQLite file, created when missing; `:memory:` keeps nothing. */
  readonly path?: string | undefined
  /** Reads an existing file in a place that cannot be written. Changes are refused, nothing is extracted, and recalls count no usage. */
  readonly readOnly?: boolean | undefined
  /**
   * Opens the file with another driver: a drop-in for `better-sqlite3` that encrypts it with its key (docs/security.md). Erasing then
   * rewrites the whole file, and backups copy the closed file.
   */
  readonly connect?: ConnectSqlite
  /**
   * The erasure log, a file from which a restored backup learns which erasures it misses: `PATH-erasures` when absent, none for a custom
   * store. It holds digests only, no names or text. Keep it, or a copy, on another disk than the memory.
   */
  readonly erasureLog?: string | undefined
  /** A custom store instead of a file. */
  readonly store?: Store | undefined
  /**
   * The preset: the name of a built-in one, a function of `@keepsake/papers` (`moom`, `lufy`, …), or a record of your own. `keepsake` when
   * absent.
   */
  readonly preset?: PresetName | Preset | PresetFactory | undefined
  /** Additional forgetting policies that can be selected by name, such as `PAPER_POLICIES` of `@keepsake/papers`. */
  readonly policies?: readonly ForgettingPolicy[] | undefined
  /** Replaces the preset's retention: what is forgotten, and when. */
  readonly retention?: Retention | undefined
  /**
   * What to keep and what never to keep, in the application's words, for every user. A model reads them as it extracts and summarises, and
   * what it wrote is checked against `never`. `setGuidelines()` adds those of one user or agent. Messages stay as they are.
   *
   * @example
   * const guidelines = { keep: 'Exercises they did, and what they found hard.', never: ['health', 'names of colleagues'] }
   * const keepsake = await openMemory({ path: 'memory.db', model, guidelines })
   */
  readonly guidelines?: GuidelinesInput | undefined
  /**
   * Categories of facts, each with a sentence that says what belongs in it. A model files each fact under one of them at most; it is kept as
   * metadata `category`, which `categories` of `recall()` and `memories()` filters by. Without a model, only a key's category is known.
   */
  readonly categories?: Readonly<Record<string, string>> | undefined
  /**
   * Keys of the application's own, with the form of their values: a Standard Schema such as zod's, or JSON Schema. A model fills them,
   * `state()` reads them. A value that does not fit is refused, with the reason on the memory; nothing is converted.
   *
   * @example
   * const keys = {
   *   'language-level': { description: 'Their level in the language they learn.', schema: z.enum(['A1', 'A2', 'B1', 'B2']) },
   *   goals: { description: 'What they want to reach.', schema: z.array(z.string()) },
   *   'weekly-distance': { description: 'How far they run in a week.', schema: z.number(), unit: 'km' },
   * }
   * const keepsake = await openMemory({ path: 'memory.db', model, keys })
   * const { value } = await keepsake.scope({ user: 'ana' }).state('goals') // string[] | null
   */
  readonly keys?: Keys | undefined
  /** `full` (the default) survives a power cut; `normal` survives a crash of the process and is faster. */
  readonly synchronous?: 'full' | 'normal' | undefined
  /** Milliseconds to wait for another process's write. 5,000 when absent. */
  readonly busyTimeoutMs?: number | undefined
  /**
   * The language model that extracts, summarises and replies: a model of the AI SDK, or one that `languageModel()` or `openModel()` makes.
   * Without one, rules extract facts.
   */
  readonly model?: GivenModel | undefined
  /**
   * Language models by task, such as a small tuned one for the persona and a large one for the plot (MOOM's table 1). Other tasks use
   * `model`. With `models: { reply }` alone, rules extract and a model replies. Event `model-called` names each call's task. Limits and
   * budget are shared.
   *
   * @example
   * const keepsake = await openMemory({ path: 'memory.db', preset: moom, model: large, models: { extraction: tuned } })
   */
  readonly models?: Readonly<Partial<Record<ModelTask, GivenModel>>> | undefined
  /**
   * Updates MMM's list of memories instead of `model`: a model trained for it, or your own code. Preset `mmm` only.
   *
   * @example
   * const tuned = await openModel('openai-compatible:http://127.0.0.1:8000/v1#mmm-7b')
   * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, model, updater: updaterAsking(tuned) })
   */
  readonly updater?: Updater | undefined
  /** Settings for calling the model: timeouts, retries, limits, budget, and its context window (`windowTokens`). */
  readonly modelOptions?: LanguageOptions | undefined
  /**
   * Number of exchanges (a user turn and its reply) per extraction call, instead of the preset's. 1 learns at once and costs one call per
   * exchange.
   */
  readonly exchangesPerExtraction?: number | undefined
  /**
   * Custom patterns for statements that users make about themselves, and for their requests to forget. They are tried before the built-in
   * ones (`Rule` explains the notation), and their examples are checked when the memory opens. Facts are extracted by rules only without a
   * language model; requests always are.
   *
   * @example
   * const rules = [
   *   { facts: { 'diet: no {thing}': { 'I avoid {thing}': 'I avoid [red meat].' } }, no: 'I avoid it.' },
   *   { facts: { possessions: { '我骑{1..8}上班。': '我骑[电动车]上班。' } }, no: '我骑得很快。' },
   * ]
   * const keepsake = await openMemory({ path: 'memory.db', rules })
   */
  readonly rules?: readonly Rule[] | undefined
  /** An embedding model: one of the AI SDK, or one that `embedWith()` or `transformersEmbedding()` makes. */
  readonly embedding?: EmbeddingModel | AiSdkEmbeddingModel | undefined
  /** Reads the question and each memory together and reorders the top results. */
  readonly reranking?: RerankingModel | undefined
  /** Measures how emotional a text is (LUFY); word vectors when absent. */
  readonly arousal?: ArousalModel | undefined
  /** Measures how unexpected a text is (LUFY); word vectors when absent. */
  readonly surprise?: SurpriseModel | undefined
  /** Rates how important an exchange is (LUFY); rules when absent. */
  readonly importance?: ImportanceModel | undefined
  /** Counts tokens for the context's budget; an estimate when absent. */
  readonly countTokens?: CountTokens | undefined
  /**
   * Maximum length of a turn in UTF-16 units: 4,000,000 when absent. A public server should set less, because a turn is masked and read
   * without yielding: 100,000 units take about 50 ms.
   */
  readonly maxTurnLength?: number
  /** `true`: the model that replies describes each picture in a sentence or two before it is recorded. It must see pictures. */
  readonly describe?: boolean | undefined
  /** `false` stores secrets unmasked. */
  readonly maskSecrets?: boolean | undefined
  /** Memory for the caches, in bytes. When absent, an eighth of the machine's memory or of the process's limit. */
  readonly cacheBytes?: number | undefined
  /** Number of processes on this machine that open this memory, such as server workers; their caches share that eighth. 1 when absent. */
  readonly processes?: number | undefined
  /** Who changes memories by calls of this object, in words for the log: `the command line`. */
  readonly actor?: string | undefined
  /** The clock, for tests and simulations: milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Generates ids that increase with time. UUIDv7 when absent. */
  readonly newId?: (() => string) | undefined
}

/** The options after `readOptions`: every model has the engine's own interface. */
export interface EngineOptions extends Omit<OpenOptions, 'model' | 'models' | 'embedding'> {
  readonly model?: LanguageModel | undefined
  readonly models?: TaskModels | undefined
  readonly embedding?: EmbeddingModel | undefined
}

// Defines the options of openMemory().
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
  /** The SQLite file, created when missing. With `:memory:`, nothing is stored on disk. */
  readonly path?: string | undefined
  /** Opens an existing file for reading. Changes are refused, nothing is extracted, and recalls count no usage. */
  readonly readOnly?: boolean | undefined
  /**
   * Opens the file with another driver, such as a replacement of `better-sqlite3` that encrypts the file (docs/security.md). An erasure then
   * rewrites the whole file, and a backup must copy the closed file.
   */
  readonly connect?: ConnectSqlite
  /**
   * Path of the erasure log, which lists the erasures that a restored backup misses: `PATH-erasures` when absent; none for a custom store.
   * The file contains digests only, no names or texts. Keep the file, or a copy, on another disk than the memory.
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
  /** Replaces the preset's retention: when memories are forgotten, and how many. */
  readonly retention?: Retention | undefined
  /**
   * Topics to keep and topics never to keep, for every user. A model reads them when it extracts and summarises, and its answers are checked
   * against `never`. `setGuidelines()` adds guidelines for one user or agent. Messages are stored unchanged.
   *
   * @example
   * const guidelines = { keep: 'Exercises they did, and what they found hard.', never: ['health', 'names of colleagues'] }
   * const keepsake = await openMemory({ path: 'memory.db', model, guidelines })
   */
  readonly guidelines?: GuidelinesInput | undefined
  /**
   * Categories of facts, each with a sentence that says which facts belong to it. A model gives each fact at most one category. It is stored
   * as metadata `category`; the option `categories` of `recall()` and `memories()` filters by it. Without a model, facts get the category of
   * their key.
   */
  readonly categories?: Readonly<Record<string, string>> | undefined
  /**
   * Keys that the application defines, with the type of their values: a Standard Schema such as zod's, or JSON Schema. A model fills them,
   * and `state()` reads them. A value of another type is refused and never converted; the memory states the reason.
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
   * Updates the list of memories of the preset `mmm` in place of `model`: a model that is trained for it, or your own code.
   *
   * @example
   * const tuned = await openModel('openai-compatible:http://127.0.0.1:8000/v1#mmm-7b')
   * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, model, updater: updaterAsking(tuned) })
   */
  readonly updater?: Updater | undefined
  /** Settings for calling the model: timeouts, retries, limits, budget, and its context window (`windowTokens`). */
  readonly modelOptions?: LanguageOptions | undefined
  /**
   * Number of exchanges (a user turn and its reply) per extraction call, in place of the preset's. With 1, facts are known at once, at the
   * cost of one call per exchange.
   */
  readonly exchangesPerExtraction?: number | undefined
  /**
   * Custom patterns for statements of users about themselves, and for their requests to forget (`Rule` explains the notation). They are
   * tried before the built-in patterns. Their examples are checked when the memory opens. With a language model, rules recognise only
   * requests and no facts.
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

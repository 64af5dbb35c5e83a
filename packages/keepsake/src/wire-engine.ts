// Makes the engine: connects its store, models, caches and workers.
import { EventEmitter } from 'node:events'
import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import { v7 as uuid } from 'uuid'
import {
  LONGEST_TEXT,
  TextGate,
  embeddedWordVectors,
  type EmbeddingModel,
  estimateTokens,
  shippedRules,
  ModelError,
} from '@keepsake/text'
import type { EventMap } from './events/event-map.ts'
import { readFiling } from './filing/own-keys.ts'
import { readGuidelines } from './guidelines/guidelines.ts'
import { embeddedArousal } from './importance/arousal.ts'
import { RATED_BY_LANGUAGE, type SignalModelIds } from './forget/policies/forgetting-policy.ts'
import { standInImportance } from './importance/stand-in-importance.ts'
import { embeddedSurprise } from './importance/surprise.ts'
import { guardEmbedding } from './models/embed-cached.ts'
import type { LanguageModel } from './models/language-model.ts'
import type { ModelTask, AskModel } from './models/ask-model.ts'
import { promptRunner, type PromptRunnerOptions } from './models/prompt-runner.ts'
import { providerWaits } from './models/provider-waits.ts'
import type { EngineOptions } from './open-options.ts'
import { policyTable } from './forget/policies/known-policies.ts'
import type { Preset } from './presets/preset.ts'
import { hasReadingModel } from './presets/check-options.ts'
import type { Store } from './store/store.ts'
import { CosineThresholds } from './retrieval/cosine-thresholds.ts'
import { consolidateClaimed } from './consolidate/consolidate-scope.ts'
import type { Engine, LanguageAccess } from './work/engine.ts'
import { ModelAccounts } from './work/model-use.ts'
import { UsageWriter } from './work/usage.ts'
import { UserClaims } from './work/user-claims.ts'
import { Worker } from './work/worker.ts'
import { ErasureLedger } from './ledger/erasure-ledger.ts'
import { Users } from './user-state/users.ts'
import { reanalyse, embedMissing } from './work/index-text.ts'
import { reportFailure } from './work/jobs.ts'

/** Number of users whose work is done at a time. While some wait for a model, others continue. */
const USERS_AT_A_TIME = 4

/** Branches that count turns. The first one that a preset has decides which turns are consolidated. */
const TURN_BRANCHES = ['utterances', 'facts', 'story', 'portrait'] as const

function keepingBranchOf(preset: Preset): string {
  return TURN_BRANCHES.find((kind) => preset.branches.some((branch) => branch.kind === kind)) ?? 'none'
}

interface LanguageParts extends Required<Pick<PromptRunnerOptions, 'abortSignal' | 'waits'>> {
  readonly events: EventEmitter<EventMap>
  readonly textGate: TextGate
}

/** Makes the access to language models. All scopes share a limit of concurrent calls, and each scope has its own budget. */
function languageOf(
  options: EngineOptions,
  { events, textGate, ...runnerOptions }: LanguageParts,
): LanguageAccess | null {
  const { model, models = {}, modelOptions, now } = options
  const modelFor = (task: ModelTask): LanguageModel | undefined => models[task] ?? model
  const defaultModel = model ?? Object.values(models).find((taskModel) => taskModel !== undefined)
  if (defaultModel === undefined) return null
  const runner = promptRunner({
    ...modelOptions,
    ...runnerOptions,
    model: defaultModel,
    onCall: (call) => events.emit('model-called', call),
    ...(now === undefined ? {} : { now }),
  })
  return {
    modelOf: (task) => modelFor(task)?.id ?? null,
    for: (scope, task) => {
      const taskModel = modelFor(task)
      if (taskModel === undefined) return null
      const { tenant, user, agent, app } = scope
      const id = JSON.stringify([tenant, user, agent, app])
      return admitAnswers(runner.for(id, scope, { task, model: taskModel }), textGate)
    },
  }
}

function signalModelsOf({ arousal, surprise, importance }: EngineOptions) {
  return {
    arousal: arousal ?? embeddedArousal(),
    surprise: surprise ?? embeddedSurprise(),
    importance: importance ?? standInImportance(),
  }
}

/** Returns the ids of the models that measure signals, to which forgetting policies are adapted. */
function signalModelIds(
  preset: Preset,
  { arousal, surprise, importance }: ReturnType<typeof signalModelsOf>,
  hasLanguage: boolean,
): SignalModelIds {
  const isRated = preset.importance === 'model' && hasLanguage
  return {
    arousal: arousal.id,
    surprise: surprise.id,
    importance: isRated ? RATED_BY_LANGUAGE : importance.id,
  }
}

/** Returns the preset with the weight of cosines that suits the embedding model, if the preset's ranking uses cosines. */
function weighMeaning(preset: Preset, { semanticWeight }: EmbeddingModel): Preset {
  const { ranking } = preset
  if (semanticWeight === undefined || ranking.kind !== 'hybrid' || ranking.recipe.weights.semantic === 0)
    return preset
  const weights = { ...ranking.recipe.weights, semantic: semanticWeight }
  return { ...preset, ranking: { ...ranking, recipe: { ...ranking.recipe, weights } } }
}

/** Returns the path of the erasure log: the given one, or a path next to the file; `null` without a file. */
function ledgerPathOf({ path, store, erasureLog }: EngineOptions): string | null {
  if (erasureLog !== undefined) return erasureLog
  const hasFile = store === undefined && path !== undefined && path !== ':memory:'
  return hasFile ? `${path}-erasures` : null
}

interface WorkerParts extends Pick<Engine, 'claims' | 'usage' | 'modelAccounts'> {
  /** Returns the engine, which is made after its worker. */
  readonly engine: () => Engine
  readonly report: (error: unknown) => void
}

function makeWorker(
  options: EngineOptions,
  { engine, claims, usage, modelAccounts, report }: WorkerParts,
): Worker {
  const modelConcurrency = hasReadingModel(options) ? options.modelOptions?.concurrency : undefined
  return new Worker({
    claims,
    consolidate: (claim) => consolidateClaimed(engine(), claim),
    embed: (owner, documents, isStopped) => embedMissing(engine(), owner, documents, isStopped),
    writeUsage: async () => {
      await usage.write()
      await modelAccounts.write()
    },
    report,
    concurrency: modelConcurrency ?? USERS_AT_A_TIME,
  })
}

/** Share of the memory that caches may use by default. */
const CACHE_SHARE = 1 / 8
const MIN_CACHE_BYTES = 128 * 1024 * 1024

/** The machine's memory, in bytes. */
interface MachineMemory {
  readonly total: number
  /** Memory limit of the process or its container; 0 without one. */
  readonly constrained: number
}

/** Computes the bytes of a process's caches: a share of the memory or its limit, divided by `processes`. */
export function cacheBudget(
  processes = 1,
  { total, constrained }: MachineMemory = { total: totalmem(), constrained: constrainedMemory() },
): number {
  // Without a limit, some systems report 0 and others a number above the machine's memory.
  const memory = constrained > 0 ? Math.min(total, constrained) : total
  return Math.floor(Math.max(MIN_CACHE_BYTES, memory * CACHE_SHARE) / Math.max(1, processes))
}

function makeUsers(
  { cacheBytes, processes }: EngineOptions,
  preset: Preset,
  { store, embedding, worker }: Pick<Engine, 'store' | 'embedding' | 'worker'>,
): Users {
  return new Users({
    store,
    recalls: preset.recalls,
    keepingBranch: keepingBranchOf(preset),
    keepsVectors: preset.ranking.kind === 'cosine',
    embedder: embedding.id,
    maxBytes: cacheBytes ?? cacheBudget(processes),
    analyseAgain: (state, documents) => reanalyse(state, preset.keyTable, documents),
    embedLater: (user, documents) => worker.embedLater(user, documents),
  })
}

/** Makes the engine from the options, a preset and an open store. Starts nothing. */
export function wireEngine(
  options: EngineOptions,
  preset: Preset,
  store: Store,
  rules = shippedRules(),
): Engine {
  const wordVectors = embeddedWordVectors()
  const life = new AbortController()
  const embedding =
    options.embedding === undefined ? wordVectors : guardEmbedding(options.embedding, life.signal)
  const events = new EventEmitter<EventMap>()
  // Each running `drain()` adds a listener, so Node's warning about many listeners is turned off.
  events.setMaxListeners(0)
  const textGate = new TextGate({ maskSecrets: options.maskSecrets !== false })
  const report = (error: unknown): void => {
    // A file that is open for reading refuses usage and background work, which is no failure to report.
    if (options.readOnly !== true) reportFailure({ events }, error)
  }
  const claims = new UserClaims(store, report)
  const usage = new UsageWriter(() => engine, report)
  const modelAccounts = new ModelAccounts(store, report)
  const worker = makeWorker(options, { engine: () => engine, claims, usage, modelAccounts, report })
  const signals = signalModelsOf(options)
  const waits = providerWaits(store, { now: options.now ?? Date.now, report })
  const language = languageOf(options, { events, textGate, abortSignal: life.signal, waits })
  const models = signalModelIds(preset, signals, language !== null)
  const policies = policyTable([...(options.policies ?? []), preset.policy], models)
  const policy = policies.get(preset.policy.name) ?? preset.policy
  const parts = {
    store,
    policies,
    guidelines: readGuidelines(options.guidelines ?? {}),
    filing: readFiling(options.categories, options.keys),
    preset: weighMeaning({ ...preset, policy }, embedding),
    rules,
    embedding,
    wordVectors,
    language,
    life,
    reranking: options.reranking ?? null,
    ...signals,
    thresholds: new CosineThresholds(store, embedding),
    countTokens: options.countTokens ?? estimateTokens,
    maxTurnLength: options.maxTurnLength ?? LONGEST_TEXT,
    describe: options.describe === true,
    actor: options.actor ?? null,
    textGate,
    events,
    usage,
    modelAccounts,
    ledger: new ErasureLedger(store, ledgerPathOf(options), report),
    claims,
    worker,
    now: options.now ?? Date.now,
    newId: options.newId ?? (() => uuid()),
  }
  const users = makeUsers(options, preset, { store, embedding, worker })
  const engine: Engine = { ...parts, users }
  return engine
}

/** Returns a model whose answers, also in errors, pass the text gate. Streamed text passes it when it is recorded. */
export function admitAnswers(model: AskModel, gate: TextGate): AskModel {
  return {
    model: model.model,
    takesTools: model.takesTools === true,
    takesFiles: model.takesFiles === true,
    windowTokens: model.windowTokens,
    stream: (prompt, input, options) => model.stream(prompt, input, options),
    async ask(prompt, input, options) {
      try {
        return await gate.admitAll(await model.ask(prompt, input, options))
      } catch (error) {
        if (!(error instanceof ModelError) || error.answer === null) throw error
        const { cause, isRetryable, retryAfterMs, details } = error
        const answer = await gate.admit(error.answer)
        const options = { code: 'model-answer', cause, isRetryable, retryAfterMs, details, answer } as const
        throw new ModelError(await gate.admit(error.message), options)
      }
    },
  }
}

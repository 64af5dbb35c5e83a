import { InvalidInputError, describeValue, requireKnownOptions, type EmbeddingModel } from '@keepsake/text'
import { embedWith, type AiSdkEmbeddingModel } from './models/adapters/ai-sdk.ts'
import { languageModel, type AiSdkLanguageModel } from './models/adapters/ai-sdk-language.ts'
import type { LanguageModel } from './models/language-model.ts'
import { MODEL_TASKS, type ModelTask } from './models/model-task.ts'
import type { EngineOptions, GivenModel, OpenOptions } from './open-options.ts'

/**
 * Checks that what an application gives as its language model can be asked.
 *
 * @throws InvalidInputError says what was given instead, and how to make a model of it
 */
function checkLanguageModel(model: unknown): void {
  if (model === undefined || isLanguageModel(model)) return
  throw new InvalidInputError(`${whyNone(model)}, as in ${EXAMPLE}.`)
}

const EXAMPLE = "openMemory({ path: 'memory.db', model: openai('gpt-5-mini') })"

function whyNone(model: unknown): string {
  if (makesNoText(model))
    return `\`model\` must be a language model, but ${nameOf(model)} of the AI SDK makes no text. Give one that does`
  if (has(model, 'doGenerate'))
    return '`model` looks like a model of the AI SDK, but has no "provider" and "modelId": give one as its packages make it'
  const what = `\`model\` must be a language model, an object with "id", "generate" and "stream", but it is ${describeValue(model)}`
  return `${what}. ${typeof model === 'string' ? 'Give the model itself instead of its name' : 'Make one'}`
}

/** A model of the AI SDK that makes vectors, pictures, speech. */
function makesNoText(model: unknown): boolean {
  const isOfAiSdk = has(model, 'provider', 'string') && has(model, 'modelId', 'string')
  return isOfAiSdk && !has(model, 'doStream')
}

function nameOf(model: unknown): string {
  const { provider, modelId } = model as Readonly<Record<'provider' | 'modelId', string>>
  return `${provider}/${modelId}`
}

function isLanguageModel(model: unknown): boolean {
  return has(model, 'generate', 'function') && has(model, 'stream', 'function') && has(model, 'id', 'string')
}

function has(value: unknown, name: string, type = 'function'): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === type
}

/** Every option there is, so that one that is misspelt does not go unnoticed. */
const OPTIONS: Readonly<Record<keyof OpenOptions, true>> = {
  path: true,
  store: true,
  preset: true,
  policies: true,
  retention: true,
  synchronous: true,
  busyTimeoutMs: true,
  model: true,
  models: true,
  updater: true,
  modelOptions: true,
  exchangesPerExtraction: true,
  rules: true,
  embedding: true,
  reranking: true,
  arousal: true,
  surprise: true,
  importance: true,
  countTokens: true,
  maskSecrets: true,
  cacheBytes: true,
  processes: true,
  now: true,
  newId: true,
  maxTurnLength: true,
  connect: true,
  erasureLog: true,
}

/** Options by the names they had before, which are accepted as the new ones. */
const FORMER_NAMES: Readonly<Record<string, keyof OpenOptions>> = { readEvery: 'exchangesPerExtraction' }

/**
 * Validates the options of `openMemory` and adapts the models to the engine's interfaces.
 *
 * @throws InvalidInputError for an unknown option, with a suggestion, and for an object that is not a model
 */
export function readOptions(given: OpenOptions): EngineOptions {
  if (typeof given !== 'object' || given === null)
    throw new InvalidInputError(
      `openMemory() takes an object of options, such as { path: 'memory.db' }, but got ${describeValue(given)}.`,
    )
  const entries = Object.entries(given).map(([name, value]) => [FORMER_NAMES[name] ?? name, value])
  const options: OpenOptions = Object.fromEntries(entries)
  requireKnownOptions(options, Object.keys(OPTIONS), 'openMemory()')
  const { model, models, embedding } = options
  return {
    ...options,
    model: model === undefined ? undefined : readModel(model),
    models: models && readModels(models),
    embedding: embedding && readEmbedding(embedding),
  }
}

function readModel(model: GivenModel): LanguageModel {
  if (isAiSdkModel(model)) return languageModel(model)
  checkLanguageModel(model)
  return model
}

function readModels(models: NonNullable<OpenOptions['models']>): Partial<Record<ModelTask, LanguageModel>> {
  requireKnownOptions(models, MODEL_TASKS, 'models', 'field')
  const entries = Object.entries(models).filter(([, model]) => model !== undefined)
  return Object.fromEntries(entries.map(([task, model]) => [task, readModel(model)]))
}

function readEmbedding(model: EmbeddingModel | AiSdkEmbeddingModel): EmbeddingModel {
  return 'doEmbed' in model ? embedWith(model) : model
}

function isAiSdkModel(model: GivenModel): model is AiSdkLanguageModel {
  return (
    typeof model === 'object' &&
    model !== null &&
    'doGenerate' in model &&
    'doStream' in model &&
    'provider' in model &&
    'modelId' in model
  )
}

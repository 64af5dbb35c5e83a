// Checks the options of openMemory() and completes them with defaults.
import { InvalidInputError, describeValue, requireKnownOptions, type EmbeddingModel } from '@keepsake/text'
import { embedWith, type AiSdkEmbeddingModel } from './models/adapters/ai-sdk.ts'
import { languageModel, type AiSdkLanguageModel } from './models/adapters/ai-sdk-language.ts'
import type { LanguageModel } from './models/language-model.ts'
import { NO_DESCRIBING_MODEL } from './remember/describe-attachments.ts'
import { MODEL_TASKS, type ModelTask } from './models/ask-model.ts'
import type { EngineOptions, GivenModel, OpenOptions } from './open-options.ts'

/** Checks that a value is a language model. @throws InvalidInputError that names the value and shows an example of a model */
function requireLanguageModel(model: unknown): void {
  if (model === undefined || isLanguageModel(model)) return
  throw new InvalidInputError(`${describeInvalidModel(model)}, as in ${EXAMPLE}.`)
}

const EXAMPLE = "openMemory({ path: 'memory.db', model: openai('gpt-5-mini') })"

function describeInvalidModel(model: unknown): string {
  if (makesNoText(model))
    return `\`model\` must be a language model, but ${nameOf(model)} of the AI SDK makes no text. Give one that does`
  if (has(model, 'doGenerate'))
    return '`model` looks like a model of the AI SDK, but has no "provider" and "modelId": give one as its packages make it'
  const problem = `\`model\` must be a language model, an object with "id", "generate" and "stream", but it is ${describeValue(model)}`
  const advice = typeof model === 'string' ? 'Give the model itself instead of its name' : 'Make one'
  return `${problem}. ${advice}`
}

/** Whether a value is a model of the AI SDK for vectors, pictures or speech. */
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

/** All options with their types. A misspelt name or a value of another type is refused. */
const OPTIONS: Readonly<Record<keyof OpenOptions, string>> = {
  path: 'a string',
  store: 'an object with "listScopes()"',
  preset: 'a string, an object or a function',
  policies: 'a list',
  retention: 'an object',
  guidelines: 'an object',
  categories: 'an object',
  keys: 'an object',
  synchronous: '"full" or "normal"',
  busyTimeoutMs: 'a whole number from 0',
  model: 'a language model',
  models: 'an object',
  updater: 'an object with "update()"',
  modelOptions: 'an object',
  exchangesPerExtraction: 'a whole number from 1',
  rules: 'a list',
  embedding: 'an embedding model',
  reranking: 'an object with "rerank()"',
  arousal: 'an object with "arousal()"',
  surprise: 'an object with "surprise()"',
  importance: 'an object with "importance()"',
  countTokens: 'a function',
  describe: 'a boolean',
  maskSecrets: 'a boolean',
  actor: 'a string',
  cacheBytes: 'a whole number from 1',
  processes: 'a whole number from 1',
  now: 'a function',
  newId: 'a function',
  maxTurnLength: 'a whole number from 1',
  connect: 'a function',
  readOnly: 'a boolean',
  erasureLog: 'a string',
}

const LANGUAGE_OPTIONS = ['timeoutMs', 'retries', 'concurrency', 'budget', 'windowTokens']

/** Whether a value has the type that `OPTIONS` describes. Models have their own check. */
function hasType(value: unknown, type: string): boolean {
  if (value === undefined || type.endsWith('model')) return true
  const [, method] = /"(\w+)\(\)"/.exec(type) ?? []
  if (method !== undefined) return has(value, method)
  const isChoice = type.startsWith('"')
  if (isChoice) return typeof value === 'string' && type.includes(`"${value}"`)
  const [, minimum] = /from (\d+)$/.exec(type) ?? []
  if (minimum !== undefined) return Number.isSafeInteger(value) && Number(value) >= Number(minimum)
  if (type === 'a list') return Array.isArray(value)
  return value !== null && type.includes(` ${typeof value}`)
}

/** Current names of options by their former names, which are still accepted. */
const FORMER_NAMES: Readonly<Record<string, keyof OpenOptions>> = { readEvery: 'exchangesPerExtraction' }

/** Validates `openMemory`'s options and adapts its models. @throws InvalidInputError with a suggestion for unknown ones */
export function readOptions(given: OpenOptions): EngineOptions {
  if (typeof given !== 'object' || given === null)
    throw new InvalidInputError(
      `openMemory() takes an object of options, such as { path: 'memory.db' }, but got ${describeValue(given)}.`,
    )
  const entries = Object.entries(given).map(([name, value]) => [FORMER_NAMES[name] ?? name, value])
  const options: OpenOptions = Object.fromEntries(entries)
  requireKnownOptions(options, Object.keys(OPTIONS), 'openMemory()')
  for (const [name, type] of Object.entries(OPTIONS)) {
    const value: unknown = Reflect.get(options, name)
    if (hasType(value, type)) continue
    throw new InvalidInputError(`\`${name}\` must be ${type}, but it is ${describeValue(value)}.`)
  }
  if (options.modelOptions !== undefined)
    requireKnownOptions(options.modelOptions, LANGUAGE_OPTIONS, 'modelOptions', 'field')
  const { models, embedding } = options
  const model = options.model === undefined ? undefined : readModel(options.model)
  const taskModels = models && readModels(models)
  const replyModel = taskModels?.reply ?? model
  if (options.describe === true && replyModel?.takesFiles !== true)
    throw new InvalidInputError(NO_DESCRIBING_MODEL)
  return {
    ...options,
    model,
    models: taskModels,
    embedding: embedding === undefined ? undefined : readEmbedding(embedding),
  }
}

function readModel(model: GivenModel): LanguageModel {
  if (isAiSdkModel(model)) return languageModel(model)
  requireLanguageModel(model)
  return model
}

function readModels(models: NonNullable<OpenOptions['models']>): Partial<Record<ModelTask, LanguageModel>> {
  requireKnownOptions(models, MODEL_TASKS, 'models', 'field')
  const entries = Object.entries(models).filter(([, model]) => model !== undefined)
  return Object.fromEntries(entries.map(([task, model]) => [task, readModel(model)]))
}

function readEmbedding(model: EmbeddingModel | AiSdkEmbeddingModel): EmbeddingModel {
  if (has(model, 'doEmbed')) return embedWith(model as AiSdkEmbeddingModel)
  if (has(model, 'embed')) return model as EmbeddingModel
  throw new InvalidInputError(
    `\`embedding\` must be an embedding model, an object with "id" and "embed", but it is ${describeValue(model)}. Give the model itself, as in openMemory({ path: 'memory.db', embedding: openai.embedding('text-embedding-3-small') }).`,
  )
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

import { InvalidInputError, ModelError } from '@keepsake/text'
import { hasOptional } from '../read-answer.ts'
import type {
  FinishReason,
  JsonSchema,
  LanguageAnswer,
  LanguageChunk,
  LanguageFile,
  LanguageModel,
  LanguageRequest,
  TokenUsage,
} from '../language-model.ts'
import { modelErrorFrom } from './ai-sdk-error.ts'
import { type AiSdkToolMessage, AiSdkTurn, exchangedMessages, toolsFor } from './ai-sdk-tools.ts'

const HAN = /\p{Script=Han}/u

/** Adds the answer's shape to the system text, in its language, for models without schemas. */
function withSchemaInstruction(system: string, schema: JsonSchema): string {
  const instruction = HAN.test(system)
    ? '只回答一个完整的 JSON 值，前后不要有任何文字，也不要放进代码块。它必须符合这个 JSON Schema：'
    : 'Answer with one whole JSON value and nothing else: no text before or after it, no code fence. It must fit this JSON Schema:'
  return `${system}\n\n${instruction}\n${JSON.stringify(schema)}`
}

/**
 * What this adapter uses of an AI SDK language model: any of specification v3 (AI SDK 6) or v4 (AI SDK 7)
 * fits. Written out so that applications without the AI SDK can still check their types.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: AiSdkCall): PromiseLike<AiSdkAnswer>
  doStream(options: AiSdkCall): PromiseLike<{ stream: ReadableStream<AiSdkStreamPart> }>
}

export interface AiSdkCall {
  prompt: AiSdkMessage[]
  responseFormat?: { type: 'text' } | { type: 'json'; schema?: Record<string, unknown>; name?: string }
  maxOutputTokens?: number
  temperature?: number
  abortSignal?: AbortSignal
  providerOptions?: AiSdkProviderOptions
  tools?: { type: 'function'; name: string; description?: string; inputSchema: Record<string, unknown> }[]
  toolChoice?: { type: 'auto' } | { type: 'none' }
}
type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: ({ type: 'text'; text: string } | AiSdkFile)[] }
  | AiSdkToolMessage
interface AiSdkFile {
  type: 'file'
  mediaType: string
  /** Bare in specification v3 and tagged in v4: `never` is what fits both. */
  data: never
}
/** Settings of one provider's own, by its name, e.g. `{ openai: { reasoningEffort: 'low' } }`. */
export type AiSdkProviderOptions = Record<string, Record<string, JsonValue | undefined>>
type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined }

interface AiSdkAnswer {
  content: readonly { readonly type: string; readonly text?: unknown }[]
  finishReason: AiSdkFinish
  usage: AiSdkUsage
  warnings: readonly { readonly type: string; readonly feature?: unknown }[]
  response?: { body?: unknown }
}
interface AiSdkFinish {
  readonly unified: string
}
interface AiSdkUsage {
  readonly inputTokens: { readonly total: number | undefined }
  readonly outputTokens: { readonly total: number | undefined }
}
interface AiSdkStreamPart {
  readonly type: string
  readonly delta?: unknown
  readonly error?: unknown
  readonly id?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly providerExecuted?: unknown
  readonly providerMetadata?: unknown
  readonly finishReason?: AiSdkFinish
  readonly usage?: AiSdkUsage
}

/**
 * How the answer's shape is requested: `schema` (enforced by the provider), `json` (any JSON, with the shape in the
 * prompt) or `text` (by the prompt alone).
 */
export type StructuredOutput = 'schema' | 'json' | 'text'

export interface LanguageModelOptions {
  /** Default `schema`. A model that refuses schemas is asked by the prompt from then on, so this saves only one call. */
  structuredOutput?: StructuredOutput
  /** Default: the provider's own. */
  temperature?: number
  /** The model's window in tokens; see `LanguageModel.windowTokens`. */
  windowTokens?: number
  /** `false` for a model that sees no pictures: it is sent none. */
  takesFiles?: boolean
  /** Passed on as they are. */
  providerOptions?: AiSdkProviderOptions
  /** The clock against which a date in `retry-after` is read. Default `Date.now`. */
  now?: () => number
}

/** A refusal of the request for a schema, in the words of the providers. */
const NO_SCHEMA =
  /response.?format|json.?schema|structured.?output|response.?schema|output.?(format|config)|grammar/i
const REFUSING_STATUSES = new Set([400, 404, 415, 422, 501])

/**
 * Uses an AI SDK language model object as Keepsake's language model. One call is one attempt: it does not retry.
 *
 * @example
 * const model = languageModel(openai('gpt-5-mini'))
 * @throws InvalidInputError when the object is of another specification than v3 (AI SDK 6) or v4 (AI SDK 7).
 */
export function languageModel(model: AiSdkLanguageModel, options: LanguageModelOptions = {}): LanguageModel {
  if (model.specificationVersion !== 'v3' && model.specificationVersion !== 'v4') {
    throw new InvalidInputError(
      `A language model of the AI SDK's specification "${String(model.specificationVersion)}" does not fit: give one of v3 (AI SDK 6) or v4 (AI SDK 7).`,
    )
  }
  return new AiSdkLanguage(model, options)
}

class AiSdkLanguage implements LanguageModel {
  readonly id: string
  readonly takesTools = true
  readonly takesFiles: boolean
  readonly windowTokens?: number
  readonly #model: AiSdkLanguageModel
  readonly #options: LanguageModelOptions
  #structured: StructuredOutput

  constructor(model: AiSdkLanguageModel, options: LanguageModelOptions) {
    // "openai.responses" names the provider's interface too, which says nothing about the answer.
    this.id = `${model.provider.split('.')[0]}/${model.modelId}`
    if (options.windowTokens !== undefined) this.windowTokens = options.windowTokens
    this.takesFiles = options.takesFiles !== false
    this.#model = model
    this.#options = options
    this.#structured = options.structuredOutput ?? 'schema'
  }

  async generate(request: LanguageRequest): Promise<LanguageAnswer> {
    try {
      const send = (call: AiSdkCall) => this.#model.doGenerate(call)
      let answer = await this.#call(request, send)
      if (this.#structured === 'schema' && request.schema !== null && ignoredSchema(answer)) {
        this.#structured = 'json'
        answer = await this.#call(request, send)
      }
      return readAnswer(answer, this.id)
    } catch (cause) {
      throw this.#failure(cause, request)
    }
  }

  async *stream(request: LanguageRequest): AsyncGenerator<LanguageChunk> {
    try {
      const { stream } = await this.#call(request, (call) => this.#model.doStream(call))
      yield* readStream(stream, this.id)
    } catch (cause) {
      throw this.#failure(cause, request)
    }
  }

  /** Asks for the schema, and once more by the prompt alone when the provider says it takes none. */
  async #call<Answer>(
    request: LanguageRequest,
    send: (call: AiSdkCall) => PromiseLike<Answer>,
  ): Promise<Answer> {
    request.abortSignal?.throwIfAborted()
    try {
      return await send(this.#callFor(request))
    } catch (cause) {
      request.abortSignal?.throwIfAborted()
      if (request.schema === null || this.#structured === 'text' || !refusesSchema(cause)) throw cause
      this.#structured = 'text'
      return await send(this.#callFor(request))
    }
  }

  #callFor(request: LanguageRequest): AiSdkCall {
    const isTagged = this.#model.specificationVersion === 'v4'
    return callFor(request, this.#structured, { ...this.#options, isTagged })
  }

  #failure(cause: unknown, request: LanguageRequest): ModelError {
    request.abortSignal?.throwIfAborted()
    const { now = Date.now } = this.#options
    return modelErrorFrom(cause, this.id, 'could not answer', now())
  }
}

function callFor(
  request: LanguageRequest,
  structured: StructuredOutput,
  options: LanguageModelOptions & { readonly isTagged: boolean },
): AiSdkCall {
  const { schema, schemaName, maxOutputTokens, abortSignal } = request
  const { temperature } = options
  const providerOptions = hasOptional(schema)
    ? withoutStrictness(options.providerOptions)
    : options.providerOptions
  const beside = schema === null || structured === 'schema'
  const system = beside ? request.system : withSchemaInstruction(request.system, schema)
  return {
    prompt: [
      { role: 'system', content: system },
      ...request.messages.map(({ role, text, files = [] }): AiSdkMessage => {
        const words = { type: 'text', text } as const
        if (role === 'assistant') return { role, content: [words] }
        return { role, content: [...files.map((file) => fileFor(file, options.isTagged)), words] }
      }),
      ...exchangedMessages(request.toolUse),
    ],
    ...toolsFor(request.toolUse),
    ...(schema === null || structured === 'text'
      ? {}
      : {
          responseFormat: {
            type: 'json',
            ...(structured === 'schema' ? { schema: { ...schema } } : {}),
            ...(structured === 'schema' && schemaName !== undefined ? { name: schemaName } : {}),
          },
        }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(abortSignal === undefined ? {} : { abortSignal }),
  }
}

function fileFor({ mediaType, data }: LanguageFile, isTagged: boolean): AiSdkFile {
  const tagged = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data }
  return { type: 'file', mediaType, data: (isTagged ? tagged : data) as never }
}

/** Providers with strict schemas by default, which reject optional fields. */
const STRICT_PROVIDERS = ['openai', 'azure', 'openaiCompatible'] as const

/** A caller's own setting stands. */
function withoutStrictness(given: AiSdkProviderOptions = {}): AiSdkProviderOptions {
  const loose = STRICT_PROVIDERS.map((name) => [name, { strictJsonSchema: false, ...given[name] }] as const)
  return { ...given, ...Object.fromEntries(loose) }
}

function refusesSchema(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null || !('statusCode' in cause)) return false
  const { statusCode } = cause
  if (typeof statusCode !== 'number' || !REFUSING_STATUSES.has(statusCode)) return false
  const said = ['message', 'responseBody'].map((key) => String(Reflect.get(cause, key) ?? ''))
  return NO_SCHEMA.test(said.join('\n'))
}

/** Providers that cannot pass a schema on warn and drop it. */
function ignoredSchema({ warnings }: AiSdkAnswer): boolean {
  return warnings.some(({ type, feature }) => type === 'unsupported' && feature === 'responseFormat')
}

function readAnswer(answer: AiSdkAnswer, id: string): LanguageAnswer {
  const refused = refusalIn(answer.response?.body)
  const text = answer.content.flatMap((part) =>
    part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  )
  return {
    text: text.join('') || (refused ?? ''),
    finish: refused === null ? readFinish(answer.finishReason, id) : 'refused',
    usage: readUsage(answer.usage),
  }
}

/** OpenAI's `message.refusal`, which @ai-sdk/openai-compatible passes over and reports as a whole answer. */
function refusalIn(body: unknown): string | null {
  const choices = fieldOf(body, 'choices')
  const refusal = fieldOf(fieldOf(Array.isArray(choices) ? choices[0] : null, 'message'), 'refusal')
  return typeof refusal === 'string' && refusal !== '' ? refusal : null
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

async function* readStream(
  stream: ReadableStream<AiSdkStreamPart>,
  id: string,
): AsyncGenerator<LanguageChunk> {
  const turn = new AiSdkTurn()
  for await (const part of stream) {
    turn.take(part)
    if (part.type === 'error') throw modelErrorFrom(part.error, id, 'broke off')
    if (part.type === 'text-delta' && typeof part.delta === 'string' && part.delta !== '')
      yield { kind: 'text', text: part.delta }
    if (part.type === 'finish' && part.finishReason !== undefined) {
      const { finishReason, usage } = part
      yield { kind: 'end', finish: readFinish(finishReason, id), usage: readUsage(usage), ...turn.asked }
      return
    }
  }
  throw new ModelError(`${id} broke off: its stream ended before the answer did.`, {
    isRetryable: true,
    details: { model: id },
  })
}

function readFinish({ unified }: AiSdkFinish, id: string): FinishReason {
  switch (unified) {
    case 'stop':
    case 'length':
      return unified
    case 'content-filter':
      return 'refused'
    case 'error':
      throw new ModelError(`${id} broke off with an error of its own.`, {
        isRetryable: true,
        details: { model: id },
      })
    default:
      return 'other'
  }
}

function readUsage(usage: AiSdkUsage | undefined): TokenUsage {
  return { input: usage?.inputTokens.total ?? null, output: usage?.outputTokens.total ?? null }
}

// Adapts language models of the AI SDK to Keepsake's port.
import { InvalidInputError, ModelError } from '@keepsake/text'
import { hasOptional } from '../answer-schema.ts'
import { fieldOf } from '../read-answer.ts'
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
import { type AiSdkToolMessage, AiSdkTurn, toolFields, toolMessages } from './ai-sdk-tools.ts'

const HAN = /\p{Script=Han}/u

/** Adds the schema of the answer to the system text, for models that accept no schema. Uses the language of the text. */
function withSchemaInstruction(system: string, schema: JsonSchema): string {
  const instruction = HAN.test(system)
    ? '只回答一个完整的 JSON 值，前后不要有任何文字，也不要放进代码块。它必须符合这个 JSON Schema：'
    : 'Answer with one whole JSON value and nothing else: no text before or after it, no code fence. It must fit this JSON Schema:'
  return `${system}\n\n${instruction}\n${JSON.stringify(schema)}`
}

/** The part of an AI SDK language model (v3 or v4) in use, defined here so that applications need no AI SDK. */
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
  /** v3 and v4 have different types for it. `never` is assignable to both. */
  data: never
}
/** Settings by the name of their provider, such as `{ openai: { reasoningEffort: 'low' } }`. */
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
 * How an answer's schema is requested. `schema`: the provider enforces it. `json`: the provider enforces JSON, and the prompt
 * contains the schema. `text`: only the prompt contains it.
 */
export type StructuredOutput = 'schema' | 'json' | 'text'

export interface LanguageModelOptions {
  /** Default `schema`. If a model refuses schemas, later prompts contain them. Another value saves the refused call. */
  structuredOutput?: StructuredOutput
  /** The provider's default when absent. */
  temperature?: number
  /** The model's window in tokens; see `LanguageModel.windowTokens`. */
  windowTokens?: number
  /** `false` for a model that cannot read pictures. It gets no files. */
  takesFiles?: boolean
  /** Sent to the provider unchanged. */
  providerOptions?: AiSdkProviderOptions
  /** The clock for dates in `retry-after`. Default `Date.now`. */
  now?: () => number
}

/** Matches the schema option in errors of providers that do not support it: “response_format is not supported”. */
const SCHEMA_OPTION =
  /response.?format|json.?schema|structured.?output|response.?schema|output.?(format|config)|grammar/i
/** Statuses with which providers refuse an option that they do not support. */
const REFUSING_STATUSES = new Set([400, 404, 415, 422, 501])

/** Adapts an AI SDK language model, without retries. @throws InvalidInputError for another specification than v3 or v4 */
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
  /** The current form of schema requests. It changes when the model does not support the requested form. */
  #structuredOutput: StructuredOutput

  constructor(model: AiSdkLanguageModel, options: LanguageModelOptions) {
    // "openai.responses" also names the provider's API, which is the same model.
    this.id = `${model.provider.split('.')[0]}/${model.modelId}`
    if (options.windowTokens !== undefined) this.windowTokens = options.windowTokens
    this.takesFiles = options.takesFiles !== false
    this.#model = model
    this.#options = options
    this.#structuredOutput = options.structuredOutput ?? 'schema'
  }

  async generate(request: LanguageRequest): Promise<LanguageAnswer> {
    try {
      const send = (call: AiSdkCall) => this.#model.doGenerate(call)
      let answer = await this.#call(request, send)
      if (this.#structuredOutput === 'schema' && request.schema !== null && hasIgnoredSchema(answer)) {
        this.#structuredOutput = 'json'
        answer = await this.#call(request, send)
      }
      return convertAnswer(answer, this.id)
    } catch (cause) {
      throw this.#failure(cause, request)
    }
  }

  async *stream(request: LanguageRequest): AsyncGenerator<LanguageChunk> {
    try {
      const { stream } = await this.#call(request, (call) => this.#model.doStream(call))
      yield* convertStream(stream, this.id)
    } catch (cause) {
      throw this.#failure(cause, request)
    }
  }

  /** Sends a request. If the provider refuses the schema, sends the request again with the schema in the prompt. */
  async #call<Answer>(
    request: LanguageRequest,
    send: (call: AiSdkCall) => PromiseLike<Answer>,
  ): Promise<Answer> {
    request.abortSignal?.throwIfAborted()
    try {
      return await send(this.#callFor(request))
    } catch (cause) {
      request.abortSignal?.throwIfAborted()
      if (request.schema === null || this.#structuredOutput === 'text' || !refusesSchema(cause)) throw cause
      this.#structuredOutput = 'text'
      return await send(this.#callFor(request))
    }
  }

  #callFor(request: LanguageRequest): AiSdkCall {
    const hasTaggedFiles = this.#model.specificationVersion === 'v4'
    return callFor(request, this.#structuredOutput, { ...this.#options, hasTaggedFiles })
  }

  #failure(cause: unknown, request: LanguageRequest): ModelError {
    request.abortSignal?.throwIfAborted()
    const { now = Date.now } = this.#options
    return modelErrorFrom(cause, this.id, 'could not answer', now())
  }
}

/** Converts a request to a call of the AI SDK. */
function callFor(
  request: LanguageRequest,
  structuredOutput: StructuredOutput,
  options: LanguageModelOptions & { readonly hasTaggedFiles: boolean },
): AiSdkCall {
  const { schema, maxOutputTokens, abortSignal } = request
  const { temperature } = options
  const providerOptions = hasOptional(schema)
    ? withoutStrictSchemas(options.providerOptions)
    : options.providerOptions
  const isSchemaInPrompt = schema !== null && structuredOutput !== 'schema'
  const system = isSchemaInPrompt ? withSchemaInstruction(request.system, schema) : request.system
  const messages = request.messages.map(({ role, text, files = [] }): AiSdkMessage => {
    const textPart = { type: 'text', text } as const
    if (role === 'assistant') return { role, content: [textPart] }
    return { role, content: [...files.map((file) => fileFor(file, options.hasTaggedFiles)), textPart] }
  })
  return {
    prompt: [{ role: 'system', content: system }, ...messages, ...toolMessages(request.toolUse)],
    ...toolFields(request.toolUse),
    ...responseFormatField(request, structuredOutput),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(abortSignal === undefined ? {} : { abortSignal }),
  }
}

function responseFormatField(
  { schema, schemaName }: LanguageRequest,
  structuredOutput: StructuredOutput,
): Pick<AiSdkCall, 'responseFormat'> {
  if (schema === null || structuredOutput === 'text') return {}
  if (structuredOutput === 'json') return { responseFormat: { type: 'json' } }
  const name = schemaName === undefined ? {} : { name: schemaName }
  return { responseFormat: { type: 'json', schema: { ...schema }, ...name } }
}

function fileFor({ mediaType, data }: LanguageFile, isTagged: boolean): AiSdkFile {
  const tagged = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data }
  return { type: 'file', mediaType, data: (isTagged ? tagged : data) as never }
}

/** Providers with strict schemas by default, which reject optional fields. */
const STRICT_PROVIDERS = ['openai', 'azure', 'openaiCompatible'] as const

/** Switches strict schemas off, unless the application has set this option. */
function withoutStrictSchemas(options: AiSdkProviderOptions = {}): AiSdkProviderOptions {
  const notStrict = STRICT_PROVIDERS.map(
    (name) => [name, { strictJsonSchema: false, ...options[name] }] as const,
  )
  return { ...options, ...Object.fromEntries(notStrict) }
}

/** Checks whether an error says that the provider does not support the schema option. */
function refusesSchema(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null || !('statusCode' in cause)) return false
  const { statusCode } = cause
  if (typeof statusCode !== 'number' || !REFUSING_STATUSES.has(statusCode)) return false
  const texts = ['message', 'responseBody'].map((key) => String(Reflect.get(cause, key) ?? ''))
  return SCHEMA_OPTION.test(texts.join('\n'))
}

/** Checks whether the provider ignored the schema. Its AI SDK package reports this as a warning. */
function hasIgnoredSchema({ warnings }: AiSdkAnswer): boolean {
  return warnings.some(({ type, feature }) => type === 'unsupported' && feature === 'responseFormat')
}

function convertAnswer(answer: AiSdkAnswer, id: string): LanguageAnswer {
  const refusal = refusalIn(answer.response?.body)
  const text = answer.content.flatMap((part) =>
    part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  )
  return {
    text: text.join('') || (refusal ?? ''),
    finish: refusal === null ? readFinish(answer.finishReason, id) : 'refused',
    usage: readUsage(answer.usage),
  }
}

/** Returns OpenAI's `message.refusal`, which @ai-sdk/openai-compatible ignores: it reports a complete answer. */
function refusalIn(body: unknown): string | null {
  const choices = fieldOf(body, 'choices')
  const refusal = fieldOf(fieldOf(Array.isArray(choices) ? choices[0] : null, 'message'), 'refusal')
  return typeof refusal === 'string' && refusal !== '' ? refusal : null
}

async function* convertStream(
  stream: ReadableStream<AiSdkStreamPart>,
  id: string,
): AsyncGenerator<LanguageChunk> {
  const turn = new AiSdkTurn()
  for await (const part of stream) {
    turn.add(part)
    if (part.type === 'error') throw modelErrorFrom(part.error, id, 'broke off')
    if (part.type === 'text-delta' && typeof part.delta === 'string' && part.delta !== '')
      yield { kind: 'text', text: part.delta }
    if (part.type === 'finish' && part.finishReason !== undefined) {
      const { finishReason, usage } = part
      yield { kind: 'end', finish: readFinish(finishReason, id), usage: readUsage(usage), ...turn.callFields }
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

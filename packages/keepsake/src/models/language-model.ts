// Defines the port of language models: requests, answers, files and tools.

export type JsonSchema = Readonly<Record<string, unknown>>

/** A picture or file of a message. */
export interface LanguageFile {
  readonly mediaType: string
  /** The content, or the URL from which the provider loads it. */
  readonly data: Uint8Array | URL
}

export interface LanguageMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** For models with `takesFiles`. */
  readonly files?: readonly LanguageFile[] | undefined
}

/** A function of the application that a model may call. `parameters` is the schema of its input. */
export interface LanguageTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** A call of a tool that a model requests. */
export interface LanguageToolCall {
  readonly id: string
  readonly name: string
  /** The JSON that the model wrote, not validated. */
  readonly input: unknown
}

/** A model's text with its tool calls, and the results of these. */
export interface LanguageToolExchange {
  readonly text: string
  readonly calls: readonly LanguageToolCall[]
  /** One result for each call, in their order. */
  readonly results: readonly { readonly text: string; readonly isError: boolean }[]
  /** Data of the adapter from the end of the stream, which is passed back to it unchanged. */
  readonly kept?: unknown
}

/** The tools of a request, and the calls that the model has made so far. */
export interface LanguageToolUse {
  readonly tools: readonly LanguageTool[]
  /** They follow the messages, oldest first. */
  readonly exchanges: readonly LanguageToolExchange[]
  /** Whether the model must answer in words, because no more calls are allowed. */
  readonly isOver: boolean
}

export interface LanguageRequest {
  /** The instructions. They never contain text of a conversation. */
  readonly system: string
  readonly messages: readonly LanguageMessage[]
  /** The schema of the answer; `null` for plain text. */
  readonly schema: JsonSchema | null
  /** A name of the schema, which some providers require. It consists of letters, digits and `_`. */
  readonly schemaName?: string | undefined
  readonly maxOutputTokens?: number | undefined
  readonly abortSignal?: AbortSignal | undefined
  /** For models with `takesTools`. */
  readonly toolUse?: LanguageToolUse | undefined
  /** The prompt and its version, such as `segment/1`. For recordings and logs; the model does not get it. */
  readonly prompt?: string | undefined
}

/** Tokens as the provider counted them; `null` if it does not report them. */
export interface TokenUsage {
  readonly input: number | null
  readonly output: number | null
}

/** Why the model stopped. Only with `stop` is the answer complete. */
export type FinishReason = 'stop' | 'length' | 'refused' | 'other'

export interface LanguageAnswer {
  readonly text: string
  readonly finish: FinishReason
  readonly usage: TokenUsage
}

/** A chunk of a streamed answer. The last chunk has the kind `end`. */
export type LanguageChunk =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'end'
      readonly finish: FinishReason
      readonly usage: TokenUsage
      /** Tool calls whose results the model needs before it can continue. */
      readonly calls?: readonly LanguageToolCall[]
      /** Data of the adapter that the next request passes back, see {@link LanguageToolExchange}. */
      readonly kept?: unknown
    }

/**
 * The port of language models. One call is one attempt; the prompt runner (models/prompt-runner.ts) handles timeouts,
 * retries, limits, budgets, parsing and repair.
 *
 * @example
 * const model: LanguageModel = languageModel(openai('gpt-5-mini'))
 */
export interface LanguageModel {
  /** Provider and model, such as `openai/gpt-5-mini`. Stored with each memory that the model helped to make. */
  readonly id: string
  /** Whether its streams support `toolUse`. `false` when absent. */
  readonly takesTools?: boolean
  /** Whether it can read the `files` of messages. `false` when absent; then no files are sent. */
  readonly takesFiles?: boolean
  /** Maximum tokens of a request with its answer, 16,000 when absent. If it is too high, some servers truncate silently. */
  readonly windowTokens?: number | undefined
  /** @throws ModelError with `isRetryable`, and with `retryAfterMs` if the provider says how long to wait */
  generate(request: LanguageRequest): Promise<LanguageAnswer>
  /** Streams an answer in chunks. Throws ModelError if the stream stops before the answer is complete. */
  stream(request: LanguageRequest): AsyncIterable<LanguageChunk>
}

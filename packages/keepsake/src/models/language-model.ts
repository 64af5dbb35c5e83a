export type JsonSchema = Readonly<Record<string, unknown>>

/** A picture or file that goes with a message. */
export interface LanguageFile {
  readonly mediaType: string
  /** The content, or the web address that the provider reads it from. */
  readonly data: Uint8Array | URL
}

export interface LanguageMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** For models with `takesFiles`. */
  readonly files?: readonly LanguageFile[]
}

/** A function of the application that a model may call: its name, what it is for, and the shape of what it takes. */
export interface LanguageTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** A call of a tool that a model asks for. */
export interface LanguageToolCall {
  readonly id: string
  readonly name: string
  /** The model's JSON, unchecked. */
  readonly input: unknown
}

/** Tool calls with the model's text and the results. */
export interface LanguageToolExchange {
  readonly text: string
  readonly calls: readonly LanguageToolCall[]
  /** By the calls, in their order. */
  readonly results: readonly { readonly text: string; readonly isError: boolean }[]
  /** Opaque data that the adapter needs back. */
  readonly kept?: unknown
}

/** Tools that go with a request, and what came of them so far. */
export interface LanguageToolUse {
  readonly tools: readonly LanguageTool[]
  /** After the messages, oldest first. */
  readonly exchanges: readonly LanguageToolExchange[]
  /** No more calls: the model must answer in words. */
  readonly isOver: boolean
}

export interface LanguageRequest {
  /** What the model is and must do: written by us, never holds text of a conversation. */
  readonly system: string
  readonly messages: readonly LanguageMessage[]
  /** The shape the answer must have; `null` for plain text. */
  readonly schema: JsonSchema | null
  /** A name for the shape, of letters, digits and `_`; some providers ask for one. */
  readonly schemaName?: string
  readonly maxOutputTokens?: number
  readonly abortSignal?: AbortSignal
  /** For models with `takesTools`. */
  readonly toolUse?: LanguageToolUse
  /** Which prompt asks, with its version: `segment/1`. For recordings and logs; it is not sent to the model. */
  readonly prompt?: string
}

/** Tokens as the provider counted them; `null` where it does not say. */
export interface TokenUsage {
  readonly input: number | null
  readonly output: number | null
}

/** Why the model stopped. Only `stop` is a whole answer. */
export type FinishReason = 'stop' | 'length' | 'refused' | 'other'

export interface LanguageAnswer {
  readonly text: string
  readonly finish: FinishReason
  readonly usage: TokenUsage
}

/** A chunk of a streamed answer; the last one has the finish reason. */
export type LanguageChunk =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'end'
      readonly finish: FinishReason
      readonly usage: TokenUsage
      /** Calls that the model waits for instead of going on. */
      readonly calls?: readonly LanguageToolCall[]
      /** Comes back with what they gave, see {@link LanguageToolExchange}. */
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
  /** Provider and model, e.g. `openai/gpt-5-mini`. Kept with each memory it helped to make. */
  readonly id: string
  /** Whether its streams heed `toolUse`. false when absent. */
  readonly takesTools?: boolean
  /** Whether it sees the `files` of messages. false when absent: then none are sent. */
  readonly takesFiles?: boolean
  /**
   * Tokens of a request with its answer; longer input is read in parts. 16,000 when absent: too low costs calls, too
   * high makes servers truncate silently.
   */
  readonly windowTokens?: number
  /** @throws ModelError with `isRetryable`, and `retryAfterMs` where the provider said how long to wait. */
  generate(request: LanguageRequest): Promise<LanguageAnswer>
  /** The same in pieces. A stream that breaks off throws ModelError; it never just ends. */
  stream(request: LanguageRequest): AsyncIterable<LanguageChunk>
}

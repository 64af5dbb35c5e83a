/** The fields of a call that this package reads, of specification v4 (AI SDK 7) and v3 (AI SDK 6). */
export interface Call {
  prompt: Message[]
  abortSignal?: AbortSignal | undefined
  providerOptions?: Record<string, unknown> | undefined
  responseFormat?: { readonly type: string } | undefined
}

/** A message of a prompt. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | readonly Part[]
}

/** A part of a message or answer. */
export interface Part {
  readonly type: string
  readonly text?: unknown
  readonly providerExecuted?: unknown
}

/** A complete answer. */
export interface Answer {
  readonly content: readonly Part[]
  readonly finishReason: { readonly unified: string }
  readonly structuredOutputText?: unknown
}

/** A streamed answer. */
export interface StreamedAnswer {
  readonly stream: ReadableStream<StreamPart>
}

/** A part of a stream. */
export interface StreamPart {
  readonly type: string
  readonly delta?: unknown
  readonly finishReason?: { readonly unified: string }
  readonly providerExecuted?: unknown
}

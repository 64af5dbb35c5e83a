// Converts tools, tool calls and their results between Keepsake's port and the AI SDK.
import type { LanguageToolCall, LanguageToolUse } from '../language-model.ts'

type ProviderOptions = Record<string, Record<string, never>>
type Part =
  | { type: 'text' | 'reasoning'; text: string; providerOptions?: ProviderOptions }
  | {
      type: 'tool-call'
      toolCallId: string
      toolName: string
      input: unknown
      providerOptions?: ProviderOptions
    }

/** Messages of an AI SDK request that contain tool calls or their results. */
export type AiSdkToolMessage =
  | { role: 'assistant'; content: Part[] }
  | {
      role: 'tool'
      content: {
        type: 'tool-result'
        toolCallId: string
        toolName: string
        output: { type: 'text' | 'error-text'; value: string }
      }[]
    }

/** Returns the fields of a request that offer the tools. */
export function toolFields(toolUse: LanguageToolUse | undefined) {
  if (toolUse === undefined) return {}
  return {
    tools: toolUse.tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema: { ...parameters },
    })),
    toolChoice: { type: toolUse.isOver ? ('none' as const) : ('auto' as const) },
  }
}

/** Makes two messages of each exchange: the assistant's calls, and the results of the tools. */
export function toolMessages(toolUse: LanguageToolUse | undefined): AiSdkToolMessage[] {
  return (toolUse?.exchanges ?? []).flatMap(({ calls, results, kept }) => {
    // `AiSdkTurn` made these parts at the end of the stream.
    const parts = kept as readonly Part[]
    const toolResults = calls.map(({ id, name }, index) => ({
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: {
        type: results[index]?.isError === true ? ('error-text' as const) : ('text' as const),
        value: results[index]?.text ?? '',
      },
    }))
    return [
      { role: 'assistant' as const, content: [...parts] },
      { role: 'tool' as const, content: toolResults },
    ]
  })
}

interface StreamPart {
  readonly type: string
  readonly id?: unknown
  readonly delta?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly providerExecuted?: unknown
  readonly providerMetadata?: unknown
}

/** Collects the assistant's turn from a stream: text, reasoning and tool calls. The next request sends this turn back. */
export class AiSdkTurn {
  readonly #parts: Part[] = []
  readonly #textParts = new Map<string, Part & { text: string }>()
  readonly #calls: LanguageToolCall[] = []

  add(part: StreamPart): void {
    const [, kind, stage] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === 'text' || kind === 'reasoning') this.#addText(kind, stage === 'delta', part)
    if (part.type === 'tool-call' && part.providerExecuted !== true) this.#addCall(part)
  }

  /** The fields of the last chunk: the tool calls with the turn to send back. Empty without tool calls. */
  get callFields(): { readonly calls?: readonly LanguageToolCall[]; readonly kept?: unknown } {
    return this.#calls.length === 0 ? {} : { calls: this.#calls, kept: this.#parts }
  }

  #addText(type: 'text' | 'reasoning', isDelta: boolean, { id, delta, providerMetadata }: StreamPart): void {
    const name = `${type}/${String(id)}`
    const known = this.#textParts.get(name)
    const textPart = known ?? { type, text: '' }
    if (known === undefined) {
      this.#textParts.set(name, textPart)
      this.#parts.push(textPart)
    }
    if (isDelta && typeof delta === 'string') textPart.text += delta
    Object.assign(textPart, optionsFrom(providerMetadata))
  }

  #addCall({ toolCallId, toolName, input, providerMetadata }: StreamPart): void {
    const call = { id: String(toolCallId), name: String(toolName), input: readInput(input) }
    this.#calls.push(call)
    const fields = { toolCallId: call.id, toolName: call.name, input: call.input }
    this.#parts.push({ type: 'tool-call', ...fields, ...optionsFrom(providerMetadata) })
  }
}

/** Makes request options of a provider's metadata. Some providers need the metadata of reasoning sent back. */
function optionsFrom(metadata: unknown): { providerOptions?: ProviderOptions } {
  if (typeof metadata !== 'object' || metadata === null) return {}
  return { providerOptions: metadata as ProviderOptions }
}

/** Parses the input of a call. Returns text that is no JSON as it is, so that the tool reports the error. */
function readInput(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input === '' ? '{}' : input) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return input
    throw error
  }
}

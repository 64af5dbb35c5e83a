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

/** Messages of an AI SDK model's request that hold calls and what they gave. */
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

/** What in a request says which tools there are. */
export function toolsFor(use: LanguageToolUse | undefined) {
  if (use === undefined) return {}
  return {
    tools: use.tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema: { ...parameters },
    })),
    toolChoice: { type: use.isOver ? ('none' as const) : ('auto' as const) },
  }
}

/** Calls and what they gave, as messages after the others. */
export function exchangedMessages(use: LanguageToolUse | undefined): AiSdkToolMessage[] {
  return (use?.exchanges ?? []).flatMap(({ calls, results, kept }) => [
    { role: 'assistant' as const, content: [...(kept as readonly Part[])] },
    {
      role: 'tool' as const,
      content: calls.map(({ id, name }, index) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: {
          type: results[index]?.isError === true ? ('error-text' as const) : ('text' as const),
          value: results[index]?.text ?? '',
        },
      })),
    },
  ])
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

/** Collects the turn of a stream that goes back with the results: text, reasoning (which some providers need back) and calls. */
export class AiSdkTurn {
  readonly #parts: Part[] = []
  readonly #open = new Map<string, Part & { text: string }>()
  readonly #calls: LanguageToolCall[] = []

  take(part: StreamPart): void {
    const [, kind, stage] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === 'text' || kind === 'reasoning') this.#takeWords(kind, stage === 'delta', part)
    if (part.type === 'tool-call' && part.providerExecuted !== true) this.#takeCall(part)
  }

  /** The calls that the model waits for; nothing where it waits for none. */
  get asked(): { readonly calls?: readonly LanguageToolCall[]; readonly kept?: unknown } {
    return this.#calls.length === 0 ? {} : { calls: this.#calls, kept: this.#parts }
  }

  #takeWords(
    type: 'text' | 'reasoning',
    isDelta: boolean,
    { id, delta, providerMetadata }: StreamPart,
  ): void {
    const name = `${type}/${String(id)}`
    const known = this.#open.get(name)
    const words = known ?? { type, text: '' }
    if (known === undefined) {
      this.#open.set(name, words)
      this.#parts.push(words)
    }
    if (isDelta && typeof delta === 'string') words.text += delta
    Object.assign(words, optionsFrom(providerMetadata))
  }

  #takeCall({ toolCallId, toolName, input, providerMetadata }: StreamPart): void {
    const call = { id: String(toolCallId), name: String(toolName), input: readInput(input) }
    this.#calls.push(call)
    const sent = { toolCallId: call.id, toolName: call.name, input: call.input }
    this.#parts.push({ type: 'tool-call', ...sent, ...optionsFrom(providerMetadata) })
  }
}

function optionsFrom(metadata: unknown): { providerOptions?: ProviderOptions } {
  return typeof metadata === 'object' && metadata !== null
    ? { providerOptions: metadata as ProviderOptions }
    : {}
}

/** Passes unreadable input on, so that the tool reports the error. */
function readInput(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input === '' ? '{}' : input) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return input
    throw error
  }
}

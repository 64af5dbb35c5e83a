import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

/** An answer of a scripted model. */
export function says(text: string, unified: 'stop' | 'length' | 'content-filter' = 'stop') {
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified, raw: unified },
    usage,
    warnings: [],
  } satisfies LanguageModelV4GenerateResult
}

/** A scripted model calls a tool, having said something first. */
export function calls(toolName: string, input: unknown, text = '', toolCallId = 'call-1') {
  return {
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) },
    ],
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage,
    warnings: [],
  } satisfies LanguageModelV4GenerateResult
}

/** The same as a stream, the text in pieces of a word. */
export function streams(answer: ReturnType<typeof says> | ReturnType<typeof calls>) {
  return { stream: simulateReadableStream({ chunks: partsOf(answer) }) }
}

/** The parts that {@link streams} gives. */
export function partsOf({
  content,
  finishReason,
}: Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason'>): LanguageModelV4StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part, index): LanguageModelV4StreamPart[] => {
      if (part.type !== 'text') return part.type === 'tool-call' ? [part] : []
      const id = String(index)
      const pieces = part.text.split(/(?<= )/)
      return [
        { type: 'text-start', id },
        ...pieces.map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta })),
        { type: 'text-end', id },
      ]
    }),
    { type: 'finish', finishReason, usage },
  ]
}

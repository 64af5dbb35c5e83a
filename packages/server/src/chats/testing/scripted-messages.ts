import type { ServerResponse } from 'node:http'
import { eventLine, type Output, type ScriptedEvent } from './scripted-responses.ts'
import { sendJson, sendPieces } from './scripted-upstream.ts'

/** A message as Anthropic writes it. */
export function messageOf(output: readonly Output[], stop?: string) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: output.map(blockOf),
    stop_reason: stop ?? (output.some((block) => 'call' in block) ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 10 },
  }
}

/** Answers whole. */
export function sendMessage(to: ServerResponse, output: readonly Output[], stop?: string): void {
  sendJson(to, 200, messageOf(output, stop))
}

export function streamMessage(to: ServerResponse, output: readonly Output[], stop?: string): Promise<void> {
  return sendPieces(to, messageEvents(output, stop))
}

/** The events of a stream as Anthropic writes them, a piece each. */
export function messageEvents(output: readonly Output[], stop?: string): string[] {
  const message = messageOf(output, stop)
  const begun = { ...message, content: [], stop_reason: null, usage: { input_tokens: 100, output_tokens: 1 } }
  const delta = { stop_reason: message.stop_reason, stop_sequence: null }
  const events: ScriptedEvent[] = [
    { type: 'message_start', message: begun },
    { type: 'ping' },
    ...output.flatMap((block, index) => blockEvents(block, index)),
    { type: 'message_delta', delta, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
  return events.map(eventLine)
}

function blockOf(output: Output, index: number) {
  if ('text' in output) return { type: 'text', text: output.text }
  return {
    type: 'tool_use',
    id: `toolu_${index}`,
    name: output.call,
    input: JSON.parse(output.arguments) as object,
  }
}

function blockEvents(output: Output, index: number): ScriptedEvent[] {
  const block = blockOf(output, index)
  const begun = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
  const deltas =
    'text' in output
      ? output.text.split(/(?<=\s)/).map((text) => ({ type: 'text_delta', text }))
      : [{ type: 'input_json_delta', partial_json: output.arguments }]
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

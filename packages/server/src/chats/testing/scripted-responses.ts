import type { ServerResponse } from 'node:http'
import { sendJson, sendPieces } from './scripted-upstream.ts'

/** What an upstream may answer to `/responses`. */
export type Output = { readonly text: string } | { readonly call: string; readonly arguments: string }

export interface ScriptedEvent {
  readonly type: string
  readonly [field: string]: unknown
}

export interface ScriptedResponse {
  readonly id?: string
  readonly status?: 'completed' | 'incomplete' | 'failed'
  readonly reason?: string
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 110,
}

/** A response as OpenAI writes it. */
export function responseOf(
  output: readonly Output[],
  { id = 'resp_1', status = 'completed', reason }: ScriptedResponse = {},
) {
  return {
    id,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'It failed.' } : null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    metadata: {},
    model: 'scripted',
    output: output.map(itemOf),
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: USAGE,
  }
}

export function sendResponse(
  to: ServerResponse,
  output: readonly Output[],
  how: ScriptedResponse = {},
): void {
  sendJson(to, 200, responseOf(output, how))
}

export function streamResponse(
  to: ServerResponse,
  output: readonly Output[],
  how: ScriptedResponse = {},
): Promise<void> {
  return sendPieces(to, responseEvents(output, how))
}

/** The events of a stream as OpenAI writes them, a piece each. */
export function responseEvents(output: readonly Output[], how: ScriptedResponse = {}): string[] {
  const { status = 'completed' } = how
  const begun = { ...responseOf([], how), status: 'in_progress', usage: null }
  const events: ScriptedEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: `response.${status}`, response: responseOf(output, how) },
  ]
  return events.map((event, sequence) => eventLine({ ...event, sequence_number: sequence }))
}

export function eventLine(event: ScriptedEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function itemOf(output: Output, index: number) {
  if ('call' in output) {
    const ids = { id: `fc_${index}`, call_id: `call_${index}` }
    return {
      type: 'function_call',
      ...ids,
      name: output.call,
      arguments: output.arguments,
      status: 'completed',
    }
  }
  const content = [{ type: 'output_text', text: output.text, annotations: [], logprobs: [] }]
  return { type: 'message', id: `msg_${index}`, role: 'assistant', status: 'completed', content }
}

function itemEvents(output: Output, index: number): ScriptedEvent[] {
  const item = itemOf(output, index)
  const at = { output_index: index, item_id: item.id }
  const added = { type: 'response.output_item.added', output_index: index }
  const done = { type: 'response.output_item.done', output_index: index, item }
  if ('call' in output) {
    return [
      { ...added, item: { ...item, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', ...at, delta: output.arguments },
      { type: 'response.function_call_arguments.done', ...at, arguments: output.arguments },
      done,
    ]
  }
  const part = { type: 'output_text', text: output.text, annotations: [], logprobs: [] }
  const place = { ...at, content_index: 0 }
  return [
    { ...added, item: { ...item, content: [], status: 'in_progress' } },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...output.text
      .split(/(?<=\s)/)
      .map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text: output.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    done,
  ]
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The APIs of language models that the server proxies. */
export const CHAT_APIS = ['chat', 'responses', 'messages'] as const
export type ChatApi = (typeof CHAT_APIS)[number]

export type UpstreamStep = 'answer' | 'rest' | 'end'

/** A language model's server on loopback for every proxied API. A test can pause it at each step. */
export interface GatedUpstream {
  readonly url: string
  /** Returns the number of requests so far. */
  readonly asked: () => number
  /** The text of every answer from now on, or a function that makes it from the request's body. */
  says: string | ((asked: string) => string)
  /** The upstream awaits this before the answer, before the second half of a stream, and before its end. `asked` is the request's body. */
  before: (step: UpstreamStep, stream: boolean, asked: string) => Promise<void>
  close(): Promise<void>
}

const noWait = (): Promise<void> => Promise.resolve()

export async function gatedUpstream(): Promise<GatedUpstream> {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    // The answer cannot be sent if the test has killed the server.
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: GatedUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    says: 'On the roof.',
    before: noWait,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { stream = false } = JSON.parse(body) as { readonly stream?: boolean }
    const api = CHAT_APIS.find((one) => request.url?.includes(one)) ?? 'chat'
    const said = typeof upstream.says === 'string' ? upstream.says : upstream.says(body)
    await upstream.before('answer', stream, body)
    if (!stream) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWERS[api](said)))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = EVENTS[api](said)
    for (const [index, event] of events.entries()) {
      if (index === Math.floor(events.length / 2)) await upstream.before('rest', stream, body)
      if (index === events.length - 1) await upstream.before('end', stream, body)
      response.write(event)
      // Sends each event separately.
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }
  return upstream
}

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }

/** Makes an answer of each API that is not streamed. */
const ANSWERS: Readonly<Record<ChatApi, (said: string) => object>> = {
  chat: (content) => ({
    id: 'chatcmpl-1',
    created: 1,
    model: 'm',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }),
  responses: (text) => ({ ...RESPONSE, status: 'completed', output: [outputOf(text)], usage: USAGE }),
  messages: (text) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: USAGE,
  }),
}

function outputOf(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
}

const namedEvent = (event: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const splitIntoWords = (said: string): string[] => said.split(/(?<=\s)/)

/** Makes the events of each API's stream. The last event marks the end. */
const EVENTS: Readonly<Record<ChatApi, (said: string) => string[]>> = {
  chat: (said) => [
    ...splitIntoWords(said).map((content) => chunk({ content })),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ],
  responses: (said) => [
    namedEvent({ type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } }),
    namedEvent({
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...outputOf(''), content: [] },
    }),
    ...splitIntoWords(said).map((delta) =>
      namedEvent({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta }),
    ),
    namedEvent({ type: 'response.output_item.done', output_index: 0, item: outputOf(said) }),
    namedEvent({ type: 'response.completed', response: ANSWERS.responses(said) }),
  ],
  messages: (said) => [
    namedEvent({
      type: 'message_start',
      message: { ...ANSWERS.messages(said), content: [], stop_reason: null },
    }),
    namedEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...splitIntoWords(said).map((word) =>
      namedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } }),
    ),
    namedEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: USAGE }),
    namedEvent({ type: 'message_stop' }),
  ],
}

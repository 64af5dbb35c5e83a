// A language model's provider on loopback, with which the proxies can be tried and timed without an API key. It serves OpenAI's chat
// completions and responses, streamed or not. It answers a question with all messages that it received, so that a test sees the recalled
// memories among them. It answers Keepsake's own prompts, which ask for facts as JSON, with an empty result.
//   node scripts/package/scripted-provider.mjs [PORT]     prints its address, until Ctrl-C
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/**
 * @param {number} [port] any free one when absent
 * @returns {Promise<{ url: string, close: () => void }>} `url` with the version
 */
export async function scriptedProvider(port = 0) {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${address.port}/v1`, close }
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const body = await text(request)
  const isResponses = request.url?.includes('/responses') === true
  if (body === '' || (!isResponses && request.url?.includes('/chat/completions') !== true)) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `There is no ${request.method} ${request.url}.` } }))
    return
  }
  const chat = JSON.parse(body)
  const call = toolCallOf(chat)
  if (call !== null) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...responseOf(''), output: [call] }))
    return
  }
  const answer = answerTo(chat)
  if (chat.stream !== true) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isResponses ? responseOf(answer) : completionOf(answer)))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const event of isResponses ? responseEvents(answer) : completionChunks(answer))
    response.write(`${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  response.end(isResponses ? '' : 'data: [DONE]\n\n')
}

/** Calls `recall` with the question, if a Responses request without streaming offers it. @param {any} chat @returns {object | null} */
function toolCallOf({ tools = [], input, stream }) {
  if (stream === true || !Array.isArray(input)) return null
  const last = input.at(-1)
  if (last.type === 'function_call_output') return null
  if (!tools.some((/** @type {any} */ { name }) => name === 'recall')) return null
  const question = JSON.stringify(last.content)
  return {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'recall',
    arguments: JSON.stringify({ question }),
  }
}

/** @param {any} chat */
function answerTo(chat) {
  const lastItem = Array.isArray(chat.input) ? chat.input.at(-1) : null
  if (lastItem?.type === 'function_call_output') return `I looked it up: ${JSON.stringify(lastItem.output)}`
  const items = chat.messages ?? (typeof chat.input === 'string' ? [{ content: chat.input }] : chat.input)
  const texts = items.map((/** @type {any} */ { content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
  const format = chat.response_format?.type ?? chat.text?.format?.type ?? 'text'
  if (format !== 'text' || /\bJSON\b/.test([chat.instructions ?? '', ...texts].join(' ')))
    return '{"summary":"","memories":[],"forget":[]}'
  const last = texts.at(-1) ?? ''
  // Keepsake's reply prompt contains memories and conversation in one message. In other chats the last message is the user's.
  const [replyPrompt] = /<memories>[\s\S]*<\/turns>/.exec(last) ?? []
  const messages = replyPrompt ?? [chat.instructions ?? '', ...texts.slice(0, -1)].join(' ')
  const isQuestion = /[?？]["\]}\\]*$/.test((replyPrompt ?? last).replace(/(\\n|\s)*<\/turns>$/, ''))
  return isQuestion ? `I know: ${messages.replaceAll(/(\\n|\s)+/g, ' ')}` : 'Noted.'
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const COMPLETION = { id: 'chatcmpl-1', created: 1, model: 'scripted' }

/** @param {string} content */
function completionOf(content) {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return { ...COMPLETION, object: 'chat.completion', choices, usage: USAGE }
}

/** @param {string} content */
function completionChunks(content) {
  /** @param {object} delta @param {string | null} finish */
  const chunk = (delta, finish) => ({
    ...COMPLETION,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish === null ? {} : { usage: USAGE }),
  })
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...content.split(/(?<= )/).map((word) => chunk({ content: word }, null)),
    chunk({}, 'stop'),
  ]
}

/** @param {string} text */
const messageOf = (text) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

/** @param {string} text */
function responseOf(text) {
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  }
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'scripted',
    output: [messageOf(text)],
    usage,
    incomplete_details: null,
    error: null,
  }
}

/** @param {string} text */
function responseEvents(text) {
  const complete = responseOf(text)
  const started = { ...complete, status: 'in_progress', output: [], usage: null }
  const part = { type: 'output_text', text: '', annotations: [] }
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const events = [
    { type: 'response.created', response: started },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...messageOf(''), status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part },
    ...text
      .split(/(?<= )/)
      .map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: { ...part, text } },
    { type: 'response.output_item.done', output_index: 0, item: messageOf(text) },
    { type: 'response.completed', response: complete },
  ]
  return events.map((event, index) => ({ ...event, sequence_number: index }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await scriptedProvider(Number(process.argv[2] ?? 0))
  console.log(`A scripted provider of language models: ${url}`)
}

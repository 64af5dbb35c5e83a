// A provider of language models on loopback, so that doors before one can be tried and timed without a key: it speaks OpenAI's chat
// completions and responses, streamed and whole, and where a question is asked it answers with all messages that it received, so that what
// memory put before the model is seen. What memory itself asks of a model (facts as JSON) it answers with nothing.
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
  const asked = JSON.parse(body)
  const call = callOf(asked)
  if (call !== null) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...responseOf(''), output: [call] }))
    return
  }
  const answer = answerTo(asked)
  if (asked.stream !== true) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isResponses ? responseOf(answer) : completionOf(answer)))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const event of isResponses ? responseEvents(answer) : completionChunks(answer))
    response.write(`${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  response.end(isResponses ? '' : 'data: [DONE]\n\n')
}

/**
 * Where a tool to recall by is offered, by the API of responses and not streamed, it is called with the question.
 *
 * @param {any} asked @returns {object | null} the call; `null` where none is made
 */
function callOf({ tools = [], input, stream }) {
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

/** @param {any} asked */
function answerTo(asked) {
  const given = Array.isArray(asked.input) ? asked.input.at(-1) : null
  if (given?.type === 'function_call_output') return `I looked it up: ${JSON.stringify(given.output)}`
  const talk = asked.messages ?? (typeof asked.input === 'string' ? [{ content: asked.input }] : asked.input)
  const texts = talk.map((/** @type {any} */ { content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
  const format = asked.response_format?.type ?? asked.text?.format?.type ?? 'text'
  if (format !== 'text' || /\bJSON\b/.test([asked.instructions ?? '', ...texts].join(' ')))
    return '{"summary":"","memories":[],"forget":[]}'
  const last = texts.at(-1) ?? ''
  // Keepsake's own replies hand the whole talk over in one message; else the last message is what the user said.
  const [own] = /<memories>[\s\S]*<\/turns>/.exec(last) ?? []
  const messages = own ?? [asked.instructions ?? '', ...texts.slice(0, -1)].join(' ')
  const isQuestion = /[?？]["\]}\\]*$/.test((own ?? last).replace(/(\\n|\s)*<\/turns>$/, ''))
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
  const whole = responseOf(text)
  const begun = { ...whole, status: 'in_progress', output: [], usage: null }
  const part = { type: 'output_text', text: '', annotations: [] }
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const events = [
    { type: 'response.created', response: begun },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...messageOf(''), status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part },
    ...text
      .split(/(?<= )/)
      .map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: { ...part, text } },
    { type: 'response.output_item.done', output_index: 0, item: messageOf(text) },
    { type: 'response.completed', response: whole },
  ]
  return events.map((event, index) => ({ ...event, sequence_number: index }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await scriptedProvider(Number(process.argv[2] ?? 0))
  console.log(`A scripted provider of language models: ${url}`)
}

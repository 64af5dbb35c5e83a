// A provider of language models on loopback, so that doors before one can be timed without a key: it speaks OpenAI's chat completions and
// responses, and where a question is asked it answers with all that it was told, so that what memory put before the model is seen.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/** @returns {Promise<{ url: string, close: () => void }>} `url` with the version */
export async function scriptedProvider() {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
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
  const text = answerTo(await json(request))
  const isResponses = request.url?.includes('/responses') === true
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(isResponses ? responseOf(text) : completionOf(text)))
}

/** @param {any} asked */
function answerTo(asked) {
  const talk = asked.messages ?? (typeof asked.input === 'string' ? [{ content: asked.input }] : asked.input)
  const said = talk.map((/** @type {any} */ { content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
  const isQuestion = /\?["\]}]*$/.test(said.at(-1) ?? '')
  return isQuestion ? `I was told: ${[asked.instructions ?? '', ...said.slice(0, -1)].join(' ')}` : 'Noted.'
}

/** @param {string} content */
function completionOf(content) {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'scripted', choices, usage }
}

/** @param {string} text */
function responseOf(text) {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const output = [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }]
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
    output,
    usage,
    incomplete_details: null,
    error: null,
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly stream?: boolean
  readonly response_format?: { readonly type: string }
}

/** A provider of language models, as OpenAI's chat completions, that answers with all that it was told. */
export class ScriptedProvider {
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  /** What it refuses to answer, once. */
  refusesOnce: RegExp | null = null
  /** How many answers it gave. */
  answers = 0

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = (await json(request)) as Asked
    if (this.refusesOnce?.test(JSON.stringify(asked.messages)) === true) {
      this.refusesOnce = null
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'refused', type: 'invalid_request_error' } }))
      return
    }
    this.answers++
    const content = contentOf(asked)
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const head = { id: 'c', created: 1, model: 'scripted', object: 'chat.completion' }
    if (asked.stream !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...head, choices, usage }))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    const chunk = (delta: object, finish: string | null): void =>
      void response.write(
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      )
    for (const word of content.split(/(?<= )/)) chunk({ content: word }, null)
    chunk({}, 'stop')
    response.end('data: [DONE]\n\n')
  }
}

function contentOf({ messages, response_format: format }: Asked): string {
  if (format !== undefined && format.type !== 'text') return '{"summary":"","memories":[],"forget":[]}'
  const told = messages.map(({ content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
  return `I was told: ${told.join(' ').replaceAll(/\s+/g, ' ')}`
}

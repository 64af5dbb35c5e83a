import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Answers one request to the endpoint; does nothing to leave it hanging. */
export type Reply = (response: ServerResponse) => void | Promise<void>

/** One request as the endpoint sees it. */
export interface Asked {
  /** The prompt's name (`segment`, `ground`, `renew_portrait` …), or `text` where no shape is asked for. */
  readonly prompt: string
  /** All words shown to the model but the system's. */
  readonly words: string
}

export type Script = (asked: Asked) => Reply | Promise<Reply>

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: { readonly json_schema?: { readonly name: string } }
}

export interface Endpoint {
  readonly url: string
  /** Every request so far, in order. */
  readonly asked: readonly Asked[]
}

/** A server that speaks OpenAI's chat completions as a script says, until the test is over. */
export async function startEndpoint(script: Script): Promise<Endpoint> {
  const asked: Asked[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages, response_format: shape } = JSON.parse(await text(request)) as ChatRequest
    const words = messages.flatMap(({ role, content }) => (role === 'system' ? [] : [content])).join('\n')
    const one = { prompt: shape?.json_schema?.name ?? 'text', words }
    asked.push(one)
    const reply = await script(one)
    await reply(response)
  }
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

/** A URL at which nothing listens any more. */
export async function deadUrl(): Promise<string> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/v1/chat/completions`
}

export const hangs: Reply = () => undefined

export const breaksOff: Reply = (response) => void response.destroy()

/** A status with a body as it is, or as JSON. */
export function sends(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

export function fails(status: number, message: string, headers: Record<string, string> = {}): Reply {
  return sends(status, { error: { message } }, headers)
}

/** A whole answer; an object is given as JSON. */
export function says(content: string | object | null, finish = 'stop', message: object = {}): Reply {
  const words = typeof content === 'object' && content !== null ? JSON.stringify(content) : content
  return sends(200, {
    choices: [
      { index: 0, finish_reason: finish, message: { role: 'assistant', content: words, ...message } },
    ],
    usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
  })
}

/** Streams these pieces and then, once they were read, ends well, has its line cut, or ends without saying so. */
export function streams(
  pieces: readonly string[],
  end: 'well' | 'cut' | 'unfinished' | 'silent',
  wereRead: Promise<unknown> = sleep(5),
): Reply {
  return async (response) => {
    const send = (choice: object): boolean =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of pieces) send({ delta: { content } })
    if (end === 'silent') return
    await wereRead
    if (end === 'cut') return void response.destroy()
    if (end === 'well') send({ delta: {}, finish_reason: 'stop' })
    response.end('data: [DONE]\n\n')
  }
}

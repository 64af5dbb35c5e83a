import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the endpoint received. */
export interface EndpointRequest {
  readonly system: string
  readonly user: string
  /** Whether the request is for a chat reply: only replies are streamed. */
  readonly isReply: boolean
  /** The `Authorization` header. */
  readonly authorization: string | null
}

/** A scripted reaction: a text, a stream that breaks off after a text, an error status, or no response. */
export type ScriptedAnswer =
  | { readonly text: string; readonly pauseMs?: number }
  | { readonly cutAfter: string }
  | { readonly status: number; readonly message: string; readonly pauseMs?: number }
  | { readonly hang: true }

export interface ScriptedEndpoint {
  /** The value for `--model`. */
  readonly spec: string
  readonly asked: readonly EndpointRequest[]
  /** Chooses the answer to each request. Tests replace it. */
  script: (asked: EndpointRequest) => ScriptedAnswer
  readonly close: () => Promise<void>
}

/** The answer to an extraction prompt if there is nothing to remember. */
export const NOTHING_LEARNED = { summary: '', memories: [], forget: [] }

/** Makes a fact about the user in the format of an extraction answer. @param turn the number of the evidence turn */
export function learnedFact(text: string, turn: number, quote: string): object {
  return {
    changes: null,
    text,
    type: 'persona',
    subject: 'user',
    word: 'user',
    key: null,
    value: null,
    when: null,
    until: null,
    importance: 5,
    evidence: [`${turn}: ${quote}`],
  }
}

const CUT_AFTER_MS = 50
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
}

/** An HTTP server that speaks as OpenAI's chat completions do, and answers by a script. */
export async function scriptedEndpoint(script: ScriptedEndpoint['script']): Promise<ScriptedEndpoint> {
  const asked: EndpointRequest[] = []
  const server = createServer((request, response) => {
    // A chat first checks with a GET request whether the server is reachable.
    if (request.method === 'GET') return void response.writeHead(404).end()
    void readBody(request).then((body) => {
      const isReply = body.stream === true
      const messageText = (role: string): string =>
        body.messages.flatMap((message) => (message.role === role ? [message.content] : [])).join('\n')
      const one: EndpointRequest = {
        system: messageText('system'),
        user: messageText('user'),
        isReply,
        authorization: request.headers.authorization ?? null,
      }
      asked.push(one)
      return respond(response, endpoint.script(one), isReply)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint: ScriptedEndpoint = {
    spec: `openai-compatible:http://127.0.0.1:${port}/v1#scripted`,
    asked,
    script,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body
}

async function respond(response: ServerResponse, answer: ScriptedAnswer, isStream: boolean): Promise<void> {
  if ('hang' in answer) return
  if ('status' in answer) {
    await new Promise((resolve) => setTimeout(resolve, answer.pauseMs ?? 0))
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: answer.message, type: 'scripted' } }))
    return
  }
  const text = 'text' in answer ? answer.text : answer.cutAfter
  if (!isStream) {
    if ('pauseMs' in answer) await new Promise((resolve) => setTimeout(resolve, answer.pauseMs))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(completion(text)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (data: object): void => void response.write(`data: ${JSON.stringify(data)}\n\n`)
  for (const word of text.split(/(?<=\s)/)) {
    send(chunk({ role: 'assistant', content: word }, null))
    if ('pauseMs' in answer) await new Promise((resolve) => setTimeout(resolve, answer.pauseMs))
  }
  if (!('text' in answer)) {
    // The pause sends the written text first. The client would retry a stream that breaks off before its first byte.
    await new Promise((resolve) => setTimeout(resolve, CUT_AFTER_MS))
    response.destroy()
    return
  }
  send({ ...chunk({}, 'stop'), usage: USAGE })
  response.end('data: [DONE]\n\n')
}

const HEAD = { id: 'scripted', created: 0, model: 'scripted' }

const completion = (content: string): object => ({
  ...HEAD,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: USAGE,
})

const chunk = (delta: object, finish: string | null): object => ({
  ...HEAD,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

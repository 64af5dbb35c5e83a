import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What reached the upstream. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As it came, byte for byte. */
  readonly body: string
  readonly bytes: Buffer
  /** The body parsed, where it is JSON. */
  readonly json: Readonly<Record<string, unknown>>
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

export interface ScriptedUpstream {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Decides on every further answer. */
  script: (asked: Asked, response: ServerResponse) => void | Promise<void>
  readonly close: () => Promise<void>
}

/** An HTTP server on loopback that speaks as OpenAI's does, and answers by a script, until the test ends. */
export async function scriptedUpstream(): Promise<ScriptedUpstream> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((bytes) => {
      const body = bytes.toString('utf8')
      const { method = '', url: path = '', headers } = request
      const isJson = headers['content-type'] === 'application/json' && body !== ''
      const json = (isJson ? JSON.parse(body) : {}) as Partial<Asked> & Asked['json']
      const one: Asked = { method, path, headers, body, bytes, json, messages: json.messages ?? [] }
      asked.push(one)
      return upstream.script(one, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: ScriptedUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    script: (_asked, response) => sendWhole(response, 'I see.'),
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  onTestFinished(upstream.close)
  return upstream
}

export function sendWhole(response: ServerResponse, content: string): void {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
  sendJson(response, 200, { ...HEAD, object: 'chat.completion', choices: [choice], usage: USAGE })
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Answers with pieces as they stand; with `cut` the connection breaks off after them. */
export async function sendPieces(
  response: ServerResponse,
  pieces: readonly (string | Uint8Array)[],
  { cut = false } = {},
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const piece of pieces) {
    response.write(piece)
    // Each goes out by itself.
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  if (cut) response.destroy()
  else response.end()
}

/** A streamed completion's events, as OpenAI writes them: a word each, then the end, the usage, and the mark of the end. */
export function streamOf(content: string): string[] {
  const words = content.split(/(?<=\s)/)
  return [
    event({ role: 'assistant', content: '' }),
    ...words.map((word) => event({ content: word })),
    event({}, 'stop'),
    `data: ${JSON.stringify({ ...CHUNK, choices: [], usage: USAGE })}\n\n`,
    'data: [DONE]\n\n',
  ]
}

export function event(delta: object, finish: string | null = null, index = 0): string {
  const choices = [{ index, delta, logprobs: null, finish_reason: finish }]
  return `data: ${JSON.stringify({ ...CHUNK, choices })}\n\n`
}

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'scripted', system_fingerprint: null }
const CHUNK = { ...HEAD, object: 'chat.completion.chunk' }
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

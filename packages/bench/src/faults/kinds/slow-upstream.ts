import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowUpstream {
  /** With the version. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** A language model's server that answers each chat word for word, a few milliseconds apart, naming what it was asked last. */
export async function slowUpstream(wordMs: number): Promise<SlowUpstream> {
  const server = createServer((request, response) => {
    answer(request, response, wordMs).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface ChatBody {
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
}

/** What is answered to a question. */
export function answerTo(question: string): string {
  return `You said: ${question} I will keep that in mind for you.`
}

async function answer(request: IncomingMessage, response: ServerResponse, wordMs: number): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const { messages = [] } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as ChatBody
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const word of answerTo(asked).split(/(?<= )/)) {
    response.write(eventOf({ content: word }, null))
    await sleep(wordMs)
  }
  response.write(eventOf({}, 'stop'))
  response.end('data: [DONE]\n\n')
}

function eventOf(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices })}\n\n`
}

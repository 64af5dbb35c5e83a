import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowUpstream {
  /** With the version. */
  readonly url: string
  readonly close: () => Promise<void>
}

export interface SlowOptions {
  readonly wordMs: number
  /** Waited for when a chat was asked, and when half of its answer is out. */
  readonly before?: (step: 'answer' | 'rest', question: string) => Promise<void>
  /** What is answered to a question. {@link answerTo} when absent. */
  readonly answerTo?: (question: string) => string
}

/** A language model's server that answers each chat word for word, a few milliseconds apart, naming what it was asked last. */
export async function slowUpstream(options: SlowOptions): Promise<SlowUpstream> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy())
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
  readonly stream?: boolean
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
}

/** What is answered to a question. */
export function answerTo(question: string): string {
  return `You said: ${question} I will keep that in mind for you.`
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { wordMs, before, answerTo: words = answerTo }: SlowOptions,
): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const { messages = [], stream } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as ChatBody
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const said = words(asked)
  await before?.('answer', asked)
  if (stream !== true) {
    const message = { role: 'assistant', content: said }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const all = said.split(/(?<= )/)
  for (const [index, word] of all.entries()) {
    if (index === Math.floor(all.length / 2)) await before?.('rest', asked)
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

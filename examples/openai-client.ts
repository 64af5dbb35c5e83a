// A client of OpenAI's API gets memory by its base URL and the field `user`. The upstream here is scripted, so that the example runs without
// a key. Yours is { url: 'https://api.openai.com/v1', key: process.env.OPENAI_API_KEY }, or a server of your own.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import OpenAI from 'openai'

// The scripted upstream answers with a memory from the system message, which the server has added.
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages } = (await json(request)) as { messages: { content: string }[] }
  const [recalled] = /^- .*bees.*$/m.exec(messages[0]?.content ?? '') ?? []
  response.setHeader('content-type', 'text/event-stream')
  for (const content of ['I know: ', recalled ?? 'nothing']) {
    const choices = [{ index: 0, delta: { content }, finish_reason: null }]
    response.write(`data: ${JSON.stringify({ choices })}\n\n`)
  }
  response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
}
const upstream = createServer((request, response) => void answer(request, response))
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const { port } = upstream.address() as AddressInfo

const keepsake = await openMemory({ path: 'memory.db' })
const server = await openServer({
  keepsake,
  port: 0,
  unlocked: true,
  upstream: { url: `http://127.0.0.1:${port}/v1`, key: null },
})

// From here on only the base URL has to do with Keepsake.
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })

async function chat(user: string, content: string): Promise<void> {
  const messages = [{ role: 'user' as const, content }]
  const stream = await client.chat.completions.create({ model: 'any', user, messages, stream: true })
  process.stdout.write(`${user}: ${content}\n→ `)
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')
  process.stdout.write('\n')
}

await chat('ana', 'I keep four hives of bees on my roof.')
await chat('ana', 'Where are my bees?')
await chat('ben', 'Where are my bees?')

await server.close()
await keepsake.close()
upstream.close()

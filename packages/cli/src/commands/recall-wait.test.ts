import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { gatedUpstream, type GatedUpstream } from '../testing/gated-upstream.ts'
import { serveHere, type Served } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** A model of vectors that answers when a test lets it, and not before. */
let gate = Promise.resolve()
const vectors = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { input } = (await json(request)) as { readonly input: string | string[] }
  await gate
  const data = [input].flat().map((_, index) => ({ object: 'embedding', index, embedding: [0.6, 0.8] }))
  const usage = { prompt_tokens: 1, total_tokens: 1 }
  const body = JSON.stringify({ object: 'list', model: 'm', data, usage })
  response.setHeader('content-type', 'application/json').end(body)
}

let upstream: GatedUpstream
let server: Served | null = null
beforeEach(async () => {
  gate = Promise.resolve()
  upstream = await gatedUpstream()
  vectors.listen(0, '127.0.0.1')
  await once(vectors, 'listening')
})
afterEach(async () => {
  await server?.end('SIGINT')
  server = null
  await upstream.close()
  vectors.closeAllConnections()
  vectors.close()
})

const closeGate = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  gate = promise.then(() => undefined)
  return () => resolve(undefined)
}

/** A server whose person has told something, and whose model of vectors answers no more. @returns what lets it answer */
async function standStill(...argv: string[]): Promise<() => void> {
  const db = join(temporaryFolder(), 'memory.db')
  const embedding = `openai-compatible:http://127.0.0.1:${(vectors.address() as AddressInfo).port}/v1#m`
  const models = ['--embedding', embedding, '--upstream', upstream.url]
  server = await serveHere(['--db', db, '--unlocked', ...models, ...argv])
  await (await chat('I keep four hives of bees on my roof.')).text()
  return closeGate()
}

const chat = (content: string): Promise<Response> =>
  fetch(`${server?.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', user: 'ana', messages: [{ role: 'user', content }] }),
  })

it('goes on without memory when that takes longer than was said, and says so', async () => {
  const release = await standStill('--recall-wait', '50')
  const { headers } = await chat('Where are my bees?')
  expect(headers.get('x-keepsake-memory')).toBe('unavailable')
  release()
})

it('waits as long as memory takes where it was said so', async () => {
  const release = await standStill('--recall-wait', '0')
  const before = upstream.asked()
  const answer = chat('Where are my bees?')
  // Longer than a chat waits where nothing is said.
  await sleep(2_000)
  expect(upstream.asked()).toBe(before)
  release()
  const { headers } = await answer
  expect([headers.get('x-keepsake-memory'), upstream.asked()]).toEqual(['on', before + 1])
})

import { openMemory, type ScopedMemory } from 'keepsake'
import { afterEach, expect, it, vi } from 'vitest'
import { readAhead } from '../serving/watch-stream.ts'
import { sendMessage } from './testing/scripted-messages.ts'
import { scriptedUpstream, sendPieces, sendWhole, streamOf } from './testing/scripted-upstream.ts'
import { KEY, serveChat } from './testing/serve-chat.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const LONG = 'h'.repeat(2_000)
const MESSAGES = [{ role: 'user', content: 'I keep two donkeys.' }]

async function ask(answer: string, { path = 'chat/completions', stream = false, isStoreDown = false } = {}) {
  const upstream = await scriptedUpstream()
  upstream.script = (_, response) => {
    if (stream) return sendPieces(response, streamOf(answer))
    return path === 'messages' ? sendMessage(response, [{ text: answer }]) : sendWhole(response, answer)
  }
  const there = { url: upstream.url, key: null }
  const keepsake = await openMemory({ path: ':memory:', maxTurnLength: 1_000 })
  const served = await serveChat({ upstream: there, anthropic: there, keepsake })
  if (isStoreDown) {
    const scope = Object.getPrototypeOf(served.keepsake.scope({ user: 'ana' })) as ScopedMemory
    vi.spyOn(scope, 'remember').mockRejectedValue(new Error('broken'))
  }
  const response = await served.app.request(`/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', max_tokens: 9, stream, messages: MESSAGES }),
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'x-keepsake-user': 'ana',
    },
  })
  const body = await response.text()
  return {
    state: response.headers.get('x-keepsake-memory'),
    isWhole: body.includes(answer.slice(-40)),
    turns: (await served.turns({ user: 'ana' })).length,
  }
}

it.each(['chat/completions', 'messages'])(
  'an answer of %s that is too long to be stored is reported',
  async (path) => {
    expect(await ask(LONG, { path })).toEqual({ state: 'too-long', isWhole: true, turns: 1 })
    expect(await ask('Hay.', { path })).toEqual({ state: 'on', isWhole: true, turns: 2 })
  },
)

it('the header of a streamed answer is sent before it, and only knows the message', async () => {
  expect(await ask(LONG, { stream: true })).toMatchObject({ state: 'on', turns: 1 })
})

it('a store that fails is reported', { timeout: 20_000 }, async () => {
  expect(await ask('Hay.', { isStoreDown: true })).toMatchObject({
    state: 'not-stored',
    isWhole: true,
    turns: 0,
  })
})

const encode = (text: string) => new TextEncoder().encode(text)

it.each([
  ['in time', 0, true],
  ['late', 60, false],
])('a body that comes %s is passed on as it is', async (_, pauseMs, isWhole) => {
  const pieces = ['a', 'b', 'c'].values()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(encode(value))
    },
  })
  const ahead = await readAhead(body, 100)
  expect(ahead.isWhole).toBe(isWhole)
  expect(await new Response(ahead.body).text()).toBe('abc')
})

it('a body that breaks off breaks off for its reader too, after the same bytes', async () => {
  let count = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      count += 1
      if (count > 2) controller.error(new Error('broken'))
      else controller.enqueue(encode('x'))
    },
  })
  const ahead = await readAhead(body, 1_000)
  expect(ahead.isWhole).toBe(false)
  const reader = ahead.body.getReader()
  expect((await reader.read()).done).toBe(false)
  expect((await reader.read()).done).toBe(false)
  await expect(reader.read()).rejects.toThrow('broken')
})

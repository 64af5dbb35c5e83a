import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openMemory, StoreError, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  event,
  scriptedUpstream,
  sendPieces,
  sendWhole,
  streamOf,
  type ScriptedUpstream,
} from '../chats/testing/scripted-upstream.ts'
import { said, serveChat, type ServeChatOptions, type ServedChat } from '../chats/testing/serve-chat.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const ana = { user: 'ana' }
const BEES = 'I keep four hives of bees on my roof.'
const ASK = 'Where are my bees?'
const CHAT = JSON.stringify({ model: 'm', user: 'ana', messages: [{ role: 'user', content: ASK }] })
const last = () => upstream.asked.at(-1)!

async function start(options: Partial<ServeChatOptions> = {}): Promise<ServedChat> {
  served = await serveChat({ upstream: { url: upstream.url, key: null }, ...options })
  await served.keepsake.scope(ana).remember({ role: 'user', text: BEES })
  return served
}

/** Every scope's methods. */
const memories = () => Object.getPrototypeOf(served.keepsake.scope(ana)) as ScopedMemory

describe('memory that fails', () => {
  it('fails no chat: recall throws, remembering throws', async () => {
    await start()
    vi.spyOn(memories(), 'recall').mockRejectedValue(new Error(BEES))
    vi.spyOn(memories(), 'remember').mockRejectedValue(new Error(BEES))
    const response = await served.post(CHAT)
    expect(response.headers.get('x-keepsake-memory')).toBe('unavailable')
    expect(((await response.json()) as { choices: unknown[] }).choices).toHaveLength(1)
    expect(last().body).toBe(CHAT)
    await served.pending.drain()
    expect(served.log.map(({ event, error }) => [event, error])).toEqual([
      ['recall-failed', 'Error'],
      ['remember-failed', 'Error'],
    ])
    expect(JSON.stringify(served.log)).not.toContain('hives')
  })

  it('keeps no chat waiting, and is remembered in all the same', async () => {
    const { turns, log } = await start({ recallTimeoutMs: 50 })
    vi.spyOn(memories(), 'recall').mockReturnValue(new Promise(() => {}))
    const response = await served.post(CHAT)
    expect(response.headers.get('x-keepsake-memory')).toBe('unavailable')
    await response.arrayBuffer()
    expect(await turns(ana)).toHaveLength(3)
    expect(log.map(({ event, error }) => [event, error])).toEqual([['recall-failed', 'TimeoutError']])
  })

  it('is tried again where the store asks for it', async () => {
    const { turns, log } = await start()
    const busy = new StoreError('store-busy', 'The store is busy.')
    vi.spyOn(memories(), 'remember').mockRejectedValueOnce(busy)
    await (await served.post(CHAT)).arrayBuffer()
    expect(await turns(ana)).toHaveLength(3)
    expect(log).toEqual([])
  })
})

describe('an upstream that fails', () => {
  it('leaves the question unstored, as the header says, until it is asked again', async () => {
    const { post, turns } = await start()
    for (const status of [429, 500]) {
      upstream.script = (_, response) => void response.writeHead(status).end('{"error": {}}')
      const response = await post(CHAT)
      expect([response.status, response.headers.get('x-keepsake-memory')]).toEqual([status, 'not-stored'])
    }
    upstream.script = (_, response) => void response.destroy()
    const unreachable = await post(CHAT)
    expect([unreachable.status, unreachable.headers.get('x-keepsake-memory')]).toEqual([502, 'not-stored'])
    expect(await turns(ana)).toEqual([`user: ${BEES}`])
    upstream.script = (_, response) => sendWhole(response, 'On the roof.')
    const response = await post(CHAT)
    await response.arrayBuffer()
    expect(response.headers.get('x-keepsake-memory')).toBe('on')
    expect(await turns(ana)).toHaveLength(3)
  })
})

describe('memory that is slow', () => {
  it('is waited for by the same person’s next chat, which knows what was just said', async () => {
    const { post, keepsake } = await start()
    const remember = vi.spyOn(memories(), 'remember')
    remember.mockImplementationOnce(async (turns, options) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return keepsake.scope(ana).remember(turns, options)
    })
    await (await post(CHAT.replace(ASK, 'My oldest hive is called Juno.'))).arrayBuffer()
    await (await post(CHAT)).arrayBuffer()
    expect(last().body).toContain('Juno')
  })
})

describe('an answer on its way', () => {
  const ask = async () => {
    const response = await served.post(CHAT.replace('{', '{"stream":true,'))
    const reader = response.body!.getReader()
    const decoder = new TextDecoder()
    return async () => decoder.decode((await reader.read()).value)
  }
  const kept = () => said(served.keepsake, ana)

  it('begins when the question is remembered, and ends when the answer is', async () => {
    await start()
    upstream.script = (_, response) => sendPieces(response, streamOf('On the roof.'))
    const read = await ask()
    await read()
    expect(await kept()).toEqual([`user: ${BEES}`, `user: ${ASK}`])
    for (let piece = ''; !piece.includes('[DONE]');) piece = await read()
    expect(await kept()).toEqual([`user: ${BEES}`, `user: ${ASK}`, 'assistant: On the roof.'])
  })

  it('is remembered in one session, though that was ended meanwhile', async () => {
    const { keepsake, turns } = await start()
    upstream.script = (_, response) => sendPieces(response, streamOf('On the roof.'))
    const read = await ask()
    await read()
    await keepsake.scope(ana).endSession()
    for (let piece = ''; !piece.includes('[DONE]');) piece = await read()
    expect(await turns(ana)).toEqual([`user: ${BEES}`, `user: ${ASK}`, 'assistant: On the roof.'])
  })

  it('is held by a memory that hangs only for so long', async () => {
    await start({ rememberTimeoutMs: 20 })
    const { promise: hanging, reject } = Promise.withResolvers<never>()
    const hangs = vi.spyOn(memories(), 'remember').mockReturnValue(hanging)
    upstream.script = (_, response) => sendPieces(response, streamOf('On the roof.'))
    const read = await ask()
    for (let piece = ''; !piece.includes('[DONE]');) piece = await read()
    expect(hangs).toHaveBeenCalled()
    expect(served.pending.size).toBeGreaterThan(0)
    reject(new Error('It hung long enough.'))
  })
})

describe('the same request twice at once', () => {
  it('is remembered once', async () => {
    const { post, turns } = await start()
    let answers = 0
    upstream.script = (_, response) => sendWhole(response, `Answer ${(answers += 1)}.`)
    const responses = await Promise.all([post(CHAT), post(CHAT), post(CHAT)])
    await Promise.all(responses.map((response) => response.arrayBuffer()))
    expect(answers).toBe(3)
    expect(await turns(ana)).toEqual([
      `user: ${BEES}`,
      `user: ${ASK}`,
      expect.stringMatching(/^assistant: Answer/),
    ])
  })
})

describe('an upstream that compresses unasked', () => {
  it('is understood by the client, and remembered', async () => {
    const { post, turns } = await start()
    const body = JSON.stringify({ choices: [{ index: 0, message: { content: 'On the roof.' } }] })
    upstream.script = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(body))
    }
    const response = await post(CHAT)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toBe(body)
    expect((await turns(ana)).at(-1)).toBe('assistant: On the roof.')
  })
})

describe('a server that shuts down', () => {
  it('lets an answer end, and closes when it is remembered', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'memory.db')
    const { promise: closing, resolve } = Promise.withResolvers<void>()
    upstream.script = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ content: 'On ' }))
      await closing
      response.end(streamOf('the roof.').join(''))
    }
    const { url, close, client } = await start({ keepsake: await openMemory({ path }) })
    const stream = await client().chat.completions.create({
      model: 'm',
      user: 'ana',
      messages: [{ role: 'user', content: ASK }],
      stream: true,
    })
    const words: string[] = []
    let closed: Promise<void> | undefined
    for await (const chunk of stream) {
      words.push(chunk.choices[0]?.delta.content ?? '')
      closed ??= close()
      resolve()
    }
    expect(words.join('')).toBe('On the roof.')
    await closed
    await expect(fetch(url)).rejects.toThrow()
    const again = await openMemory({ path })
    expect(await said(again, ana)).toEqual([`user: ${BEES}`, `user: ${ASK}`, 'assistant: On the roof.'])
    await again.close()
  })
})

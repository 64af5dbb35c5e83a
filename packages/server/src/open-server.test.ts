import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { openMemory, type Keepsake, type LanguageModel } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openKeys } from './access/key-store.ts'
import { createApp } from './app.ts'
import type { LogEntry, ServerEnv } from './server-context.ts'
import { scriptedUpstream } from './chats/testing/scripted-upstream.ts'
import { openServer, type OpenServer, type ServerOptions } from './open-server.ts'
import { RequestStore } from './serving/request-store.ts'
import { startServer, type RunningServer } from './serving/start-server.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

let folder = ''
let keepsake: Keepsake
const open: (OpenServer | RunningServer)[] = []
beforeEach(async () => {
  folder = temporaryFolder()
  keepsake = await openMemory({ path: join(folder, 'memory.db') })
})
afterEach(async () => {
  for (const server of open.splice(0)) await ('close' in server ? server.close() : server.stop())
  await keepsake.close()
})

async function serve(options: Partial<ServerOptions> = {}): Promise<OpenServer> {
  const server = await openServer({ keepsake, port: 0, ...options })
  open.push(server)
  return server
}

/** A connection to a server, and everything it said until it hung up. */
async function dial(port: number): Promise<{ socket: Socket; said: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  const said = new Promise<string>((resolve, reject) => {
    socket.once('close', () => resolve(text))
    // Whoever is cut off while it writes learns of it so.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error)
    })
  })
  await once(socket, 'connect')
  return { socket, said }
}

describe('openServer', () => {
  it('serves with a key that another process makes while it runs, and until it revokes it', async () => {
    const server = await serve()
    expect(server.openKeys).toBe(0)
    const { keys, close } = await openKeys(join(folder, 'memory.db'))
    const { key, entry } = await keys.create({ name: 'x', actions: ['admin'] })
    const metrics = () => fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${key}` } })
    const answer = await metrics()
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('keepsake_people 0')
    await keys.revoke(entry.id)
    expect((await metrics()).status).toBe(401)
    await close()
  })

  it('serves without keys on loopback alone', async () => {
    const server = await serve({ unlocked: true })
    expect(server.openKeys).toBeNull()
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.com'])
      await expect(serve({ unlocked: true, host })).rejects.toThrow(/--unlocked.*loopback/)
  })

  it('says that a port is taken, and lets go of its files', async () => {
    const { port } = await serve()
    await expect(serve({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('keeps no byte of a person who is erased, whichever doors they came through', async () => {
    const upstream = await scriptedUpstream()
    onTestFinished(upstream.close)
    const server = await serve({ unlocked: true, upstream: { url: upstream.url, key: null } })
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const turns = (text: string) => ({ turns: [{ role: 'user', text, metadata: { label: text } }] })
    const answers = [
      await post('/v1/scopes/zora/turns', turns('My zebra is called Zed.'), { 'Idempotency-Key': 'zebra-1' }),
      await post('/v1/scopes/ben/turns', turns('My goat is called Gus.'), { 'Idempotency-Key': 'goat-1' }),
      await post('/v1/chat/completions', {
        model: 'm',
        user: 'zora',
        messages: [{ role: 'user', content: 'I ride my zebra.' }],
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200])
    await Promise.all(answers.map((answer) => answer.text()))
    await keepsake.drain()
    const files = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join()
    expect(files()).toContain('zebra')
    const erased = await fetch(`${server.url}/v1/scopes/zora?everything=true`, { method: 'DELETE' })
    expect(erased.status).toBe(200)
    for (const trace of ['zebra', 'zora']) expect(files()).not.toContain(trace)
    expect(files()).toContain('goat')
    const left = await keepsake.records.listRecords({ collection: 'requests' })
    expect(left.map(({ owner }) => owner)).toEqual([expect.any(Number)])
  })

  it('logs requests when asked', async () => {
    const events: unknown[] = []
    const server = await serve({ unlocked: true, accessLog: true, log: (entry) => events.push(entry) })
    await fetch(`${server.url}/healthz`)
    expect(events).toMatchObject([{ event: 'request', route: '/healthz' }])
  })

  it('logs what fails in the background, without words', async () => {
    const failing: LanguageModel = {
      id: 'test/failing',
      generate: () => Promise.reject(new Error('It said: the orchid letter')),
      stream: () => {
        throw new Error('It said: the orchid letter')
      },
    }
    const memory = await openMemory({ path: ':memory:', model: failing, exchangesPerExtraction: 1 })
    const events: LogEntry[] = []
    const log = (entry: LogEntry): void => void events.push(entry)
    const server = await serve({ keepsake: memory, unlocked: true, log })
    await memory.scope({ user: 'ana' }).remember([
      { role: 'user', text: 'I keep the orchid letter in the piano.' },
      { role: 'assistant', text: 'A fine place.' },
    ])
    await expect.poll(() => events.map(({ event }) => event)).toContain('job-failed')
    expect(JSON.stringify(events)).not.toMatch(/orchid|piano/)
    await server.close()
    await memory.close()
  })
})

describe('slow and broken clients', () => {
  it('cuts off headers that come a byte at a time', async () => {
    const { port } = await serve({ headersMs: 300 })
    const { socket, said } = await dial(port)
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    const drip = setInterval(() => socket.write('X'), 50)
    const text = await said
    clearInterval(drip)
    expect(text).toContain('HTTP/1.1 408')
  })

  it('cuts off a body that comes a byte at a time', async () => {
    const { port } = await serve({ unlocked: true, limits: { bodyMs: 300 } })
    const { socket, said } = await dial(port)
    const head = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n'
    socket.write(`POST /v1/responses HTTP/1.1\r\n${head}\r\n{`)
    const drip = setInterval(() => socket.write(' '), 50)
    const text = await said
    clearInterval(drip)
    expect(text).toContain('HTTP/1.1 408')
  })

  it('does not wait for the body of who has no key', async () => {
    const { port } = await serve()
    const { socket, said } = await dial(port)
    socket.write('POST /v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n\r\n{')
    expect(await said).toContain('HTTP/1.1 401')
  })

  it('answers what is no HTTP, and what is too much of it', async () => {
    const { port } = await serve()
    const nonsense = await dial(port)
    nonsense.socket.write('HELLO\r\n\r\n')
    expect(await nonsense.said).toMatch(/^HTTP\/1\.1 400/)
    const long = await dial(port)
    long.socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(await long.said).toMatch(/^HTTP\/1\.1 431/)
    const odd = await dial(port)
    odd.socket.write('GET /a\\b HTTP/1.1\r\nHost: ^^\r\nConnection: close\r\n\r\n')
    expect(await odd.said).toMatch(/^HTTP\/1\.1 400/)
    for (const method of ['TRACE', 'PROPFIND', 'OPTIONS', 'DELETE']) {
      const { socket, said } = await dial(port)
      socket.write(`${method} /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
      expect([method, await said]).toEqual([method, expect.stringMatching(/^HTTP\/1\.1 40[0145]/)])
    }
    const tunnel = await dial(port)
    tunnel.socket.write('CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    expect(await tunnel.said).toBe('')
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })
})

describe('answers that stream', () => {
  /** What a route of the test's own streams through the whole app. */
  async function stream(pieces: () => AsyncGenerator<string>) {
    const logged: LogEntry[] = []
    const stopping = new AbortController()
    const store = new RequestStore(keepsake.records)
    const app = createApp(
      {
        keepsake,
        model: null,
        upstream: null,
        metrics: { requestEnded: () => undefined, render: () => Promise.reject(new Error('none')) },
        idempotency: store,
        log: (entry) => logged.push(entry),
        now: Date.now,
        newId: () => 'id',
        stopping: stopping.signal,
      },
      { keys: null },
    )
    app.get('/stream', (c) => {
      const encoder = new TextEncoder()
      const lines = pieces()
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await lines.next()
          if (done === true) controller.close()
          else controller.enqueue(encoder.encode(value))
        },
        cancel: async () => void (await lines.return(undefined)),
      })
      return c.body(body, 200, { 'Content-Type': 'application/x-ndjson' })
    })
    const server = await startServer({ app, port: 0, stopping })
    open.push(server)
    return { logged, url: `${server.url}/stream` }
  }

  it('pass whole', async () => {
    const { url, logged } = await stream(async function* () {
      for (let index = 0; index < 1_000; index++) yield `${index}\n`
    })
    expect((await (await fetch(url)).text()).split('\n')).toHaveLength(1_001)
    expect(logged).toEqual([])
  })

  it('end the connection when they break off, which is logged without words', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { url, logged } = await stream(async function* () {
      for (let index = 0; index < 10; index++) yield `${index}\n`
      await sleep(50)
      throw new Error('the orchid letter')
    })
    const answer = await fetch(url)
    await expect(answer.text()).rejects.toThrow()
    expect(logged).toMatchObject([
      { event: 'answer-broke-off', level: 'error', request: 'id', error: 'Error' },
    ])
    expect(JSON.stringify(logged)).not.toContain('orchid')
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })

  it('are let go of when their reader hangs up', async () => {
    let isOver = false
    const { url, logged } = await stream(async function* () {
      try {
        for (;;) {
          yield 'x\n'
          await sleep(5)
        }
      } finally {
        isOver = true
      }
    })
    const hangUp = new AbortController()
    const answer = await fetch(url, { signal: hangUp.signal })
    await answer.body?.getReader().read()
    hangUp.abort()
    await expect.poll(() => isOver).toBe(true)
    expect(logged).toEqual([])
  })
})

describe('stopping', () => {
  /** Longer than a test may take: one that waits for the grace fails. */
  const WHOLE_TEST_MS = 600_000

  interface Slow {
    readonly server: RunningServer
    /** Lets the slow route answer. */
    readonly answer: () => void
  }

  /** A server with a route that answers at once, and one that waits until it is told to. */
  async function slow(graceMs: number): Promise<Slow> {
    const stopping = new AbortController()
    const { promise: told, resolve: answer } = Promise.withResolvers<void>()
    const app = new Hono<ServerEnv>()
    app.get('/quick', (c) => c.text('done'))
    app.get('/slow', async (c) => {
      await told
      return c.text('done')
    })
    app.get('/events', () => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
          stopping.signal.addEventListener('abort', () => controller.close(), { once: true })
        },
      })
      return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } })
    })
    const server = await startServer({ app, port: 0, stopping, graceMs })
    open.push(server)
    return { server, answer }
  }

  it('lets a request under way end, takes no other, and ends event streams', async () => {
    const { server, answer } = await slow(WHOLE_TEST_MS)
    const events = await fetch(`${server.url}/events`)
    const answered = fetch(`${server.url}/slow`)
    await expect.poll(() => server.inFlight()).toBe(2)
    const stopped = server.stop()
    await expect(fetch(`${server.url}/quick`)).rejects.toThrow()
    expect(await events.text()).toBe('data: 1\n\n')
    answer()
    expect(await (await answered).text()).toBe('done')
    expect(await stopped).toBe(0)
    expect(await server.stop()).toBe(0)
  })

  it('is not held by connections that are kept alive', async () => {
    const { server } = await slow(WHOLE_TEST_MS)
    const { socket } = await dial(server.port)
    socket.write('GET /quick HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await once(socket, 'data')
    expect(await server.stop()).toBe(0)
  })

  it('cuts off what takes longer than the grace, and says how many', async () => {
    const { server, answer } = await slow(100)
    const answered = fetch(`${server.url}/slow`).then(
      () => 'answered',
      () => 'cut off',
    )
    await expect.poll(() => server.inFlight()).toBe(1)
    expect(await server.stop()).toBe(1)
    expect(await answered).toBe('cut off')
    answer()
  })
})

it.each([undefined, {}, { keepsake: {} }])(
  'a server without an open memory is refused in words: %j',
  async (options) => {
    await expect(openServer(options as never)).rejects.toThrow(/needs an open memory: pass/)
  },
)

import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeyStore } from '../access/key-store.ts'
import type { ServerEnv } from '../server-context.ts'
import { openServer, type OpenServer, type ServerOptions } from './open-server.ts'
import { sideFiles } from './side-files.ts'
import { startServer, type RunningServer } from './start-server.ts'

let folder = ''
let keepsake: Keepsake
const open: (OpenServer | RunningServer)[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-server-'))
  keepsake = await openMemory({ path: join(folder, 'memory.db') })
})
afterEach(async () => {
  for (const server of open.splice(0)) await ('close' in server ? server.close() : server.stop())
  await keepsake.close()
})

async function serve(options: Partial<ServerOptions> = {}): Promise<OpenServer> {
  const files = sideFiles(join(folder, 'memory.db'))
  const server = await openServer({ keepsake, ...files, port: 0, ...options })
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
    socket.once('error', reject)
  })
  await once(socket, 'connect')
  return { socket, said }
}

describe('openServer', () => {
  it('serves with a key that another process makes while it runs, and until it revokes it', async () => {
    const server = await serve()
    expect(server.openKeys).toBe(0)
    const keys = openKeyStore({ path: join(folder, 'memory.db.keys') })
    const { key, entry } = keys.create({ name: 'x', actions: ['admin'] })
    const metrics = () => fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${key}` } })
    const answer = await metrics()
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('keepsake_requests_in_flight 1')
    keys.revoke(entry.id)
    expect((await metrics()).status).toBe(401)
    keys.close()
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

  it('logs what fails in the background', async () => {
    const events: unknown[] = []
    const server = await serve({ unlocked: true, accessLog: true, log: (entry) => events.push(entry) })
    await fetch(`${server.url}/healthz`)
    expect(events).toMatchObject([{ event: 'request', route: '/healthz' }])
  })
})

describe('slow and broken clients', () => {
  it('cuts off headers that come a byte at a time', async () => {
    const { port } = await serve({ headersMs: 300 })
    const { socket, said } = await dial(port)
    const started = performance.now()
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    const drip = setInterval(() => socket.write('X'), 50)
    const text = await said
    clearInterval(drip)
    expect(text).toContain('HTTP/1.1 408')
    expect(text).toContain('"code":"too-slow"')
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  it('cuts off a body that comes a byte at a time', async () => {
    const { port } = await serve({ unlocked: true, limits: { bodyMs: 300 } })
    const { socket, said } = await dial(port)
    const started = performance.now()
    const head = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n'
    socket.write(`POST /v1/models HTTP/1.1\r\n${head}\r\n{`)
    const drip = setInterval(() => socket.write(' '), 50)
    const text = await said
    clearInterval(drip)
    expect(text).toContain('HTTP/1.1 408')
    expect(performance.now() - started).toBeLessThan(3_000)
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
    expect(await nonsense.said).toMatch(/^HTTP\/1\.1 400[\s\S]*malformed-request/)
    const long = await dial(port)
    long.socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(await long.said).toMatch(/^HTTP\/1\.1 431[\s\S]*headers-too-large/)
    const odd = await dial(port)
    odd.socket.write('GET /a\\b HTTP/1.1\r\nHost: ^^\r\nConnection: close\r\n\r\n')
    expect(await odd.said).toMatch(/^HTTP\/1\.1 400/)
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })
})

describe('stopping', () => {
  /** A server of routes that take their time. */
  async function slow(graceMs: number): Promise<{ server: RunningServer; stopping: AbortController }> {
    const stopping = new AbortController()
    const app = new Hono<ServerEnv>()
    app.get('/slow/:ms', async (c) => {
      await sleep(Number(c.req.param('ms')))
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
    return { server, stopping }
  }

  it('lets a request under way end, takes no other, and ends event streams', async () => {
    const { server } = await slow(5_000)
    const events = await fetch(`${server.url}/events`)
    const answer = fetch(`${server.url}/slow/300`)
    await sleep(100)
    expect(server.inFlight()).toBe(2)
    const stopped = server.stop()
    await expect(fetch(`${server.url}/slow/1`)).rejects.toThrow()
    expect(await events.text()).toBe('data: 1\n\n')
    expect(await (await answer).text()).toBe('done')
    const started = performance.now()
    expect(await stopped).toBe(0)
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(await server.stop()).toBe(0)
  })

  it('is not held by connections that are kept alive', async () => {
    const { server } = await slow(5_000)
    const { socket } = await dial(server.port)
    socket.write('GET /slow/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await once(socket, 'data')
    const started = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('cuts off what takes longer than the grace, and says how many', async () => {
    const { server } = await slow(100)
    const answer = fetch(`${server.url}/slow/5000`).then(
      () => 'answered',
      () => 'cut off',
    )
    await sleep(100)
    const started = performance.now()
    expect(await server.stop()).toBe(1)
    expect(performance.now() - started).toBeLessThan(2_500)
    expect(await answer).toBe('cut off')
  })
})

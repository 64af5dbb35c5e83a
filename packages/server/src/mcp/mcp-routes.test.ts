import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { openMemory, type Keepsake, type RerankingModel } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Action } from '../access/access.ts'
import { openKeyStore, type KeyStore } from '../access/key-store.ts'
import { createApp } from '../app.ts'
import type { LogEntry, ServerDeps } from '../server-context.ts'
import { createMetrics } from '../serving/create-metrics.ts'
import { openRequestStore, type RequestStore } from '../serving/request-store.ts'
import { startServer, type RunningServer } from '../serving/start-server.ts'
import { call, newClient, type RecallAnswer } from './testing/connect-client.ts'

let keepsake: Keepsake
let keys: KeyStore
let idempotency: RequestStore
let logged: LogEntry[]
let stopping: AbortController
let server: RunningServer
let clients: Client[]

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  keys = openKeyStore({ path: ':memory:' })
  idempotency = openRequestStore({ path: ':memory:' })
  logged = []
  clients = []
  await start({})
})

afterEach(async () => {
  for (const client of clients) await client.close()
  await server.stop()
  keys.close()
  idempotency.close()
  await keepsake.close()
})

async function start(options: { unlocked?: boolean; cors?: string[] }): Promise<void> {
  stopping = new AbortController()
  const deps: ServerDeps = {
    keepsake,
    model: null,
    upstream: null,
    metrics: createMetrics({ keepsake, inFlight: () => 0 }),
    idempotency,
    log: (entry) => logged.push(entry),
    now: Date.now,
    newId: () => 'made-id',
    stopping: stopping.signal,
  }
  const app = createApp(deps, {
    keys: options.unlocked === true ? null : keys,
    ...(options.cors === undefined ? {} : { cors: options.cors }),
  })
  server = await startServer({ app, port: 0, stopping, graceMs: 2_000 })
}

const keyFor = (users: string[] | null, ...actions: Action[]): string =>
  keys.create({ name: 'test', users, actions: actions.length === 0 ? ['read', 'write'] : actions }).key

const headersFor = (key: string | null, more: Record<string, string> = {}): Record<string, string> => ({
  ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
  ...more,
})

/** The official client over HTTP. */
async function connect(key: string | null, more: Record<string, string> = {}): Promise<Client> {
  const client = newClient()
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: headersFor(key, more) },
  })
  await client.connect(transport)
  clients.push(client)
  return client
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
}
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

/** A request without a client's help. */
function bare(key: string | null, body: unknown, more: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: headersFor(key, {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...more,
    }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function openSession(key: string | null, more: Record<string, string> = {}): Promise<string> {
  const response = await bare(key, INITIALIZE, more)
  expect(response.status).toBe(200)
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

async function refusal(response: Promise<Response>): Promise<[status: number, code: string]> {
  const { status, headers, json } = await response.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    json: (await got.json()) as { code: string },
  }))
  expect(headers.get('content-type')).toBe('application/problem+json')
  return [status, json.code]
}

describe('the official client over HTTP', () => {
  it('remembers, recalls, corrects, forgets, undoes, reads and is taught', async () => {
    const client = await connect(keyFor(['maya']))
    expect(client.getServerVersion()).toMatchObject({ name: 'keepsake' })
    await client.listTools()
    await call(client, 'remember', { text: 'I live in Bristol. 我对青霉素过敏。' })
    await keepsake.drain()
    const found = await call<RecallAnswer>(client, 'recall', { question: '她对什么过敏？' })
    expect(found.structured.known).toBe(true)
    expect(found.text).toContain('青霉素')
    const id = found.structured.memories[0]?.id
    const forgotten = await call<{ operation: string }>(client, 'forget_memory', { id })
    expect(forgotten.isError).toBe(false)
    const undone = await call(client, 'undo', { operation: forgotten.structured.operation })
    expect(undone.isError).toBe(false)
    const { contents } = await client.readResource({ uri: 'keepsake://persona' })
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown' })
    const { messages } = await client.getPrompt({ name: 'use-memory', arguments: { language: 'zh' } })
    expect(messages.length).toBe(1)
    const wrong = await call(client, 'recall', {})
    expect(wrong.isError).toBe(true)
  })

  it('is told of changes to what it subscribed to', async () => {
    const client = await connect(keyFor(['maya']))
    const seen: string[] = []
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void seen.push(params.uri),
    )
    await client.subscribeResource({ uri: 'keepsake://persona' })
    // The stream for news is opened after the client has connected.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await keepsake.scope({ user: 'maya' }).remember({ role: 'user', text: 'I live in Bristol.' })
    await expect.poll(() => seen, { timeout: 5_000 }).toContain('keepsake://persona')
  })

  it('serves the user that the key opens, or the one that the headers name, and keeps two apart', async () => {
    const maya = await connect(keyFor(['maya']))
    const everybody = keyFor(null)
    const tom = await connect(everybody, { 'X-Keepsake-User': 'tom' })
    const chinese = await connect(everybody, { 'X-Keepsake-User': encodeURIComponent('小明') })
    await call(maya, 'remember', { text: 'I live in Bristol.' })
    await call(tom, 'remember', { text: 'I live in Oslo.' })
    await call(chinese, 'remember', { text: '我住在杭州。' })
    const users = (await keepsake.scopes()).map(({ user }) => user)
    expect(users.toSorted()).toEqual(['maya', 'tom', '小明'].toSorted())
    const answers = await Promise.all(
      [maya, tom].map((client) => call<RecallAnswer>(client, 'recall', { question: 'Where do I live?' })),
    )
    expect(answers.map(({ structured }) => structured.memories.map(({ text }) => text))).toEqual([
      ['I live in Bristol.'],
      ['I live in Oslo.'],
    ])
  })

  it('narrows to tenant, agent and app by headers', async () => {
    const client = await connect(keyFor(null), {
      'X-Keepsake-User': 'maya',
      'X-Keepsake-Tenant': 'acme',
      'X-Keepsake-Agent': 'juno',
      'X-Keepsake-App': 'web',
    })
    await call(client, 'remember', { text: 'I live in Bristol.' })
    expect(await keepsake.scopes()).toMatchObject([
      { tenant: 'acme', user: 'maya', agent: 'juno', app: 'web' },
    ])
  })

  it('with a key that only reads cannot write', async () => {
    await keepsake.scope({ user: 'maya' }).remember({ role: 'user', text: 'I live in Bristol.' })
    const client = await connect(keyFor(['maya'], 'read'))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['recall', 'list_memories'])
    const { isError, text } = await call(client, 'remember', { text: 'I live in Rome.' })
    expect(isError).toBe(true)
    expect(text).toContain('may not use remember')
    expect((await keepsake.stats()).turns).toBe(1)
  })

  it('calls many tools at once, from several sessions', async () => {
    const key = keyFor(null)
    const users = ['ana', 'ben', 'cleo', 'dan']
    const connected = await Promise.all(users.map((user) => connect(key, { 'X-Keepsake-User': user })))
    const answers = await Promise.all(
      connected.flatMap((client, index) =>
        Array.from({ length: 15 }, (_, lamp) =>
          call(client, 'remember', { text: `${users[index]} bought lamp ${lamp}.` }),
        ),
      ),
    )
    expect(answers.filter(({ isError }) => isError)).toEqual([])
    for (const [index, client] of connected.entries()) {
      const { structured } = await call<RecallAnswer>(client, 'recall', { question: 'Who bought a lamp?' })
      expect(structured.memories.every(({ text }) => text.includes(users[index] ?? ''))).toBe(true)
    }
    expect((await keepsake.stats()).turns).toBe(60)
  })

  it('that goes away in the middle of calls leaves the server whole, and what was acknowledged', async () => {
    const key = keyFor(['maya'])
    const client = await connect(key)
    let acknowledged = 0
    const calls = Array.from({ length: 20 }, (_, lamp) =>
      call(client, 'remember', { text: `I bought lamp ${lamp}.` }).then(
        () => (acknowledged += 1),
        () => null,
      ),
    )
    await Promise.race(calls)
    await client.close()
    await Promise.all(calls)
    const again = await connect(key)
    const { isError } = await call(again, 'recall', { question: 'What did I buy?' })
    expect(isError).toBe(false)
    const { turns } = await keepsake.stats()
    expect(turns).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThan(0)
  })

  it('does not hold up a server that stops, and gets its answer first', async () => {
    await server.stop()
    await keepsake.close()
    const slow: RerankingModel = {
      id: 'slow',
      async rerank(_question, texts) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return texts.map((_text, index) => -index)
      },
    }
    keepsake = await openMemory({ path: ':memory:', reranking: slow })
    await start({})
    const client = await connect(keyFor(['maya']))
    await call(client, 'remember', {
      turns: [
        { role: 'user', text: 'I live in Bristol.' },
        { role: 'user', text: 'I work in Bath.' },
      ],
    })
    await expect.poll(() => server.inFlight()).toBe(1) // the stream for news
    const asked = call<RecallAnswer>(client, 'recall', { question: 'Where do I live?' })
    await expect.poll(() => server.inFlight(), { interval: 5 }).toBe(2)
    const started = performance.now()
    const [cutOff, answer] = await Promise.all([server.stop(), asked])
    expect(cutOff).toBe(0)
    expect(answer.structured.memories.length).toBe(2)
    expect(performance.now() - started).toBeLessThan(1_500)
  })
})

describe('sessions', () => {
  it('belong to the key that opened them', async () => {
    const [mine, theirs] = [keyFor(['maya']), keyFor(['maya'])]
    const session = await openSession(mine)
    expect(session).toMatch(/^[\w-]{36}$/)
    const header = { 'Mcp-Session-Id': session }
    expect((await bare(mine, LIST, header)).status).toBe(200)
    expect(await refusal(bare(theirs, LIST, header))).toEqual([404, 'no-such-session'])
    expect(await refusal(bare(mine, LIST, { 'Mcp-Session-Id': 'made-up' }))).toEqual([404, 'no-such-session'])
    expect(await refusal(bare(mine, LIST))).toEqual([400, 'no-session'])
    const deleted = await fetch(`${server.url}/mcp`, {
      method: 'DELETE',
      headers: headersFor(theirs, header),
    })
    expect(deleted.status).toBe(404)
    expect((await bare(mine, LIST, header)).status).toBe(200)
  })

  it('end when they are deleted, and with their key', async () => {
    const { key, entry } = keys.create({ name: 'x', users: ['maya'] })
    const session = { 'Mcp-Session-Id': await openSession(key) }
    const other = { 'Mcp-Session-Id': await openSession(key) }
    await fetch(`${server.url}/mcp`, { method: 'DELETE', headers: headersFor(key, session) })
    expect(await refusal(bare(key, LIST, session))).toEqual([404, 'no-such-session'])
    expect((await bare(key, LIST, other)).status).toBe(200)
    keys.revoke(entry.id)
    expect(await refusal(bare(key, LIST, other))).toEqual([401, 'unauthorized'])
  })

  it('are about one scope: headers that name another are refused', async () => {
    const key = keyFor(null)
    const session = { 'Mcp-Session-Id': await openSession(key, { 'X-Keepsake-User': 'maya' }) }
    expect((await bare(key, LIST, session)).status).toBe(200)
    expect((await bare(key, LIST, { ...session, 'X-Keepsake-User': 'maya' })).status).toBe(200)
    const other = { ...session, 'X-Keepsake-User': 'tom' }
    expect(await refusal(bare(key, LIST, other))).toEqual([409, 'other-scope'])
    const elsewhere = { ...session, 'X-Keepsake-User': 'maya', 'X-Keepsake-Tenant': 'acme' }
    expect(await refusal(bare(key, LIST, elsewhere))).toEqual([409, 'other-scope'])
    const narrower = { ...session, 'X-Keepsake-User': 'maya', 'X-Keepsake-Agent': 'juno' }
    expect(await refusal(bare(key, LIST, narrower))).toEqual([409, 'other-scope'])
  })
})

describe('what is refused', () => {
  it('no key, a scope that the key does not open, nobody named', async () => {
    expect(await refusal(bare(null, INITIALIZE))).toEqual([401, 'unauthorized'])
    const mayas = keyFor(['maya'])
    expect(await refusal(bare(mayas, INITIALIZE, { 'X-Keepsake-User': 'tom' }))).toEqual([403, 'forbidden'])
    const eraser = keyFor(['maya'], 'erase')
    expect(await refusal(bare(eraser, INITIALIZE))).toEqual([403, 'forbidden'])
    expect(await refusal(bare(keyFor(null), INITIALIZE))).toEqual([400, 'no-user'])
    expect(await refusal(bare(keyFor(['a', 'b']), INITIALIZE))).toEqual([400, 'no-user'])
    expect(await refusal(bare(keyFor(null), INITIALIZE, { 'X-Keepsake-User': '%E0%A4' }))).toEqual([
      400,
      'bad-request',
    ])
    const { key } = keys.create({ name: 'x', tenants: ['acme'], users: ['maya'], actions: ['read', 'write'] })
    const tenants = await connect(key)
    await call(tenants, 'remember', { text: 'I live in Bristol.' })
    expect(await keepsake.scopes()).toMatchObject([{ tenant: 'acme', user: 'maya' }])
    expect(await refusal(bare(key, INITIALIZE, { 'X-Keepsake-Tenant': 'other' }))).toEqual([403, 'forbidden'])
  })

  it('what is no message of MCP', async () => {
    const key = keyFor(['maya'])
    const session = { 'Mcp-Session-Id': await openSession(key) }
    expect(await refusal(bare(key, '{"jsonrpc":', session))).toEqual([400, 'malformed-json'])
    expect(await refusal(bare(key, [LIST, LIST], session))).toEqual([400, 'malformed'])
    expect(await refusal(bare(key, { ...INITIALIZE, params: {} }))).toEqual([400, 'malformed'])
    for (const message of [{ hello: 'there' }, 'null', '"x"', 7, {}]) {
      const response = await bare(key, message, session)
      expect([message, response.status]).toEqual([message, 400])
    }
    expect((await bare(key, LIST, { ...session, Accept: 'text/html' })).status).toBe(406)
    expect((await bare(key, LIST, { ...session, 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await bare(key, LIST, { ...session, 'Mcp-Protocol-Version': '1999-01-01' })).status).toBe(400)
    expect((await bare(key, INITIALIZE, { Accept: 'text/html' })).status).toBe(406)
    const put = await fetch(`${server.url}/mcp`, { method: 'PUT', headers: headersFor(key), body: '{}' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    expect((await bare(key, LIST, session)).status).toBe(200)
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('pages of other origins, unless they are allowed', async () => {
    const key = keyFor(['maya'])
    for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])
      expect([Origin, ...(await refusal(bare(key, INITIALIZE, { Origin })))]).toEqual([
        Origin,
        403,
        'foreign-origin',
      ])
    expect((await bare(key, INITIALIZE, { Origin: 'http://localhost:6274' })).status).toBe(200)
    await server.stop()
    await start({ cors: ['https://chat.example'] })
    expect((await bare(key, INITIALIZE, { Origin: 'https://chat.example' })).status).toBe(200)
    expect((await bare(key, INITIALIZE, { Origin: 'https://evil.example' })).status).toBe(403)
  })

  it('without keys, other names of this machine', async () => {
    await server.stop()
    await start({ unlocked: true })
    const { port } = server
    const client = await connect(null, { 'X-Keepsake-User': 'maya' })
    expect((await call(client, 'remember', { text: 'I live in Bristol.' })).isError).toBe(false)
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port, path: '/mcp', method: 'POST', headers: { Host: `evil.example:${port}` } })
      asked.on('response', (response) => resolve(response.statusCode)).on('error', reject)
      asked.end(JSON.stringify(INITIALIZE))
    })
    expect(status).toBe(403)
  })
})

describe('logs', () => {
  it('hold nothing of what was said or who said it', async () => {
    const key = keyFor(['maya'])
    const client = await connect(key)
    await call(client, 'remember', { text: 'My secret place is Bristol.' })
    await call(client, 'recall', { question: 'Where is the secret place?' })
    await bare(key, '{"secret place": Bristol}')
    await client.close()
    expect(JSON.stringify(logged)).not.toMatch(/Bristol|secret|maya|ks_/i)
  })
})

import { EVENT_NAMES, ModelError, type EventName } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  askJson,
  first,
  openTestServer,
  type Headers,
  type TestMemoryOptions,
  type TestServer,
} from '../testing/routes-app.ts'
import { readEvents, takeEvents } from '../testing/routes-events.ts'
import { EventStream } from './event-stream.ts'
import { eventSchema, presentEvent } from './schemas/event.ts'
import { replyEventSchema } from './routes/reply.ts'

let server: TestServer
let all: Headers
afterEach(() => server.close())

async function open(options: TestMemoryOptions = {}): Promise<void> {
  server = await openTestServer(options)
  all = await server.keyFor({ actions: ['read', 'write', 'erase', 'admin'] })
}

const ask = <Answer>(method: string, path: string, body?: unknown, headers: Headers = all) =>
  askJson<Answer>(server.app, method, path, body, headers)
const get = async (path: string, headers: Headers = all) => server.app.request(path, { headers })
const say = (user: string, text: string, id?: string) =>
  server.keepsake.scope({ user }).remember({ role: 'user', text, ...(id === undefined ? {} : { id }) })

const QUESTION = { turns: [{ role: 'user', text: 'Where are my bees?' }], session: 'one' }
const reply = (headers: Headers = {}, body: object = QUESTION) =>
  server.app.request('/v1/scopes/ana/reply', {
    method: 'POST',
    headers: { ...all, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('a reply', () => {
  it('streams what it recalled, the text in pieces, and the end once it is durable', async () => {
    await open({ model: scriptedModel(() => 'They are on the roof, all four hives.') })
    await say('ana', 'I keep bees on the roof, four hives of them.')
    // The first answer of a model is held back, since it may begin with a thought.
    await takeEvents(await reply())
    const response = await reply()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = await takeEvents(response)
    for (const event of events) expect(replyEventSchema.parse(event)).toEqual(event)
    expect(events.map(({ event }) => event)).toEqual(['recall', ...events.slice(2).map(() => 'text'), 'end'])
    const text = events.flatMap(({ event, data }) =>
      event === 'text' ? [(data as { text: string }).text] : [],
    )
    // A word a piece.
    expect(text).toHaveLength(8)
    expect(text.join('')).toBe('They are on the roof, all four hives.')
    expect((await server.keepsake.stats()).turns).toBe(5)
  })

  it('comes whole as JSON when that is accepted', async () => {
    await open({ model: scriptedModel(() => 'On the roof.') })
    const response = await reply({ Accept: 'application/json' })
    expect(await response.json()).toMatchObject({
      text: 'On the roof.',
      recall: { question: 'Where are my bees?' },
      remembered: { added: 1, session: 'one' },
    })
  })

  it('remembers nothing when told so', async () => {
    await open({ model: scriptedModel(() => 'On the roof.') })
    const events = await takeEvents(await reply({}, { ...QUESTION, remember: false }))
    const usage = { input: null, output: null }
    expect(events.at(-1)).toEqual({ event: 'end', data: { remembered: null, usage } })
    expect((await server.keepsake.stats()).turns).toBe(0)
  })

  it('ends with an error when the model breaks off, or says so with a status', async () => {
    const failing = () => scriptedModel(() => new ModelError('secret details of the provider'))
    await open({ model: failing(), modelOptions: { retries: 0 } })
    const events = await takeEvents(await reply())
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { status: 502, code: 'model-failed' } })
    expect(JSON.stringify(events)).not.toContain('secret details')
    expect(server.logged.filter(({ event }) => event === 'reply-failed')).toHaveLength(1)
    expect((await reply({ Accept: 'application/json' })).status).toBe(502)
  })

  it('is remembered though its reader goes away', async () => {
    await open({ model: scriptedModel(() => 'They are on the roof, all four hives.') })
    const response = await reply()
    await response.body?.cancel()
    await expect.poll(async () => (await server.keepsake.stats()).turns).toBe(2)
  })

  it('needs a model and a turn of the user, and leaves nothing behind without', async () => {
    await open()
    expect((await reply()).status).toBe(409)
    await server.close()
    await open({ model: scriptedModel(() => 'x') })
    expect((await reply({}, { turns: [{ role: 'assistant', text: 'Hello.' }] })).status).toBe(422)
    expect(await server.keepsake.scopes()).toEqual([])
  })
})

describe('events', () => {
  it('tell a scope’s listener what happens there, and nothing of others', async () => {
    await open()
    const response = await get('/v1/scopes/ana/events')
    const reading = takeEvents(response, 3)
    await say('ben', 'I live in Rome.')
    await say('ana', 'I moved to Lyon.')
    await server.keepsake.scope({ user: 'ana' }).endSession()
    await server.keepsake.drain()
    const events = await reading
    for (const event of events) expect(eventSchema.parse(event)).toEqual(event)
    expect(events[0]).toMatchObject({ event: 'turns-recorded', data: { scope: { user: 'ana' } } })
    expect(events.map(({ event }) => event)).toContain('memory-added')
    expect(JSON.stringify(events)).not.toContain('ben')
    const added = events.find(({ event }) => event === 'memory-added')
    expect(added?.data).toMatchObject({ memory: { form: expect.any(String), agent: null } })
  })

  it('narrow to an agent', async () => {
    await open()
    const reading = takeEvents(await get('/v1/scopes/ana/events?agent=tutor'), 1)
    await say('ana', 'General talk.')
    await server.keepsake
      .scope({ user: 'ana', agent: 'tutor' })
      .remember({ role: 'user', text: 'Verbs, please.' })
    expect(await reading).toMatchObject([{ data: { scope: { agent: 'tutor' } } }])
  })

  it('tell an admin of everybody, with texts only for one who may read', async () => {
    await open()
    const words = 'I moved to Lyon with my parrot Kiwi.'
    const listen = async (headers: Headers) => {
      const seen: string[] = []
      const response = await get('/v1/events', headers)
      const reading = (async () => {
        for await (const event of readEvents(response)) {
          seen.push(JSON.stringify(event))
          if (event.event === 'scope-erased') break
        }
        return seen.join('\n')
      })()
      return { reading }
    }
    const admin = await listen(await server.keyFor({ actions: ['admin'] }))
    const reader = await listen(all)
    await say('ana', words)
    await server.keepsake.scope({ user: 'ana' }).endSession()
    await server.keepsake.drain()
    await server.keepsake.scope({ user: 'ana' }).erase({ everything: true })
    expect(await reader.reading).toContain('Kiwi')
    const told = await admin.reading
    expect(told).toContain('memory-added')
    expect(told).not.toContain('Kiwi')
    expect((await get('/v1/events', await server.keyFor({ actions: ['read'] }))).status).toBe(403)
  })

  it('end when the server stops, and when nobody reads, without leaving listeners behind', async () => {
    await open()
    const many = await Promise.all(Array.from({ length: 30 }, () => get('/v1/events')))
    await first(many).body?.cancel()
    const endings = many.slice(1).map((response) => takeEvents(response))
    server.stop()
    expect((await Promise.all(endings)).every((events) => events.length === 0)).toBe(true)
    expect(await takeEvents(await get('/v1/events'))).toEqual([])
  })

  it('are not listened to for a HEAD', async () => {
    await open()
    const off = vi.spyOn(server.keepsake, 'off')
    for (const path of ['/v1/events', '/v1/scopes/ana/events']) {
      off.mockClear()
      const response = await server.app.request(path, { method: 'HEAD', headers: all })
      expect([response.status, response.body]).toEqual([200, null])
      expect(off).toHaveBeenCalledTimes(EVENT_NAMES.length)
    }
  })

  it('are all told in the shape that is described', () => {
    const scope = { tenant: 'default', user: 'ana', agent: null, app: null }
    const error = new Error('words of the talk')
    const told: Partial<Record<EventName, object>> = {
      'operation-rejected': { scope, kind: 'add', reason: 'words', prompt: 'segment/1' },
      'session-not-summarised': { scope, session: 'one', outcome: 'unsafe' },
      'portrait-not-made': { scope, session: 'one', outcome: 'unsafe' },
      'input-left-out': { scope, prompt: 'reply/2', what: 'turns', count: 3, of: 40, cause: 'window' },
      'recall-answered': { scope, memories: [], confidence: 0.5, milliseconds: 2 },
      'scope-consolidated': { scope, milliseconds: 2 },
      'session-ended': {
        scope,
        session: 'one',
        forgotten: [{ memory: 'm', strength: { value: 1, parts: {} }, reason: 'x' }],
      },
      'model-called': {
        scope,
        prompt: 'segment/1',
        model: 'x',
        outcome: 'answered',
        attempts: 1,
        inputTokens: 3,
        outputTokens: null,
        milliseconds: 9,
      },
      'job-failed': { scope, job: 'j', attempts: 2, parked: true, error },
      'background-failed': { error },
    }
    for (const [event, data] of Object.entries(told)) {
      for (const mayRead of [true, false]) {
        const shown = presentEvent({ event, payload: data } as Parameters<typeof presentEvent>[0], mayRead)
        expect(eventSchema.parse(shown)).toEqual(shown)
        const holdsWords = 'error' in data || JSON.stringify(data).includes('words')
        expect(JSON.stringify(shown).includes('words')).toBe(mayRead && holdsWords)
      }
    }
    expect(EVENT_NAMES).toHaveLength(19)
  })
})

describe('EventStream', () => {
  const stopping = new AbortController().signal

  it('sends a heartbeat while nothing happens', async () => {
    await open()
    const stream = new EventStream({ stopping, heartbeatMs: 5 })
    const reader = stream.response().body!.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toBe(': open\n\n')
    expect(await read()).toBe(': heartbeat\n\n')
    await reader.cancel()
    expect(stream.isOpen).toBe(false)
  })

  it('gives up on a reader that falls too far behind, once', async () => {
    await open()
    let ended = 0
    const stream = new EventStream({ stopping, onEnd: () => (ended += 1) })
    const response = stream.response()
    for (let index = 0; index < 20; index++) stream.send('big', 'x'.repeat(1024 * 1024))
    expect([stream.isOpen, ended]).toEqual([false, 1])
    await expect(response.text()).rejects.toThrow('too far behind')
  })
})

describe('transfer', () => {
  type Body = string | Uint8Array | ReadableStream
  const send = (body: Body, headers: Headers = all) =>
    server.app.request('/v1/import', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit)

  it('brings a person back exactly, however the bytes are cut', async () => {
    await open()
    await say('ana', 'Ich wohne jetzt in Köln — 我住在北京。', 't1')
    await server.keepsake.scope({ user: 'ana' }).endSession()
    await server.keepsake.drain()
    const response = await get('/v1/scopes/ana/export')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = await response.text()
    expect(lines.split('\n')[0]).toContain('"row":"keepsake-export"')
    expect(lines.endsWith('\n')).toBe(true)
    expect((await send(lines)).status).toBe(409)
    await ask('DELETE', '/v1/scopes/ana?everything=true')
    const bytes = new TextEncoder().encode(lines)
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
        controller.close()
      },
    })
    const imported = await send(pieces)
    expect([imported.status, await imported.json()]).toEqual([
      201,
      {
        scopes: [{ tenant: 'default', user: 'ana', agent: null, app: null }],
        // Everything of the person was erased after the export was made.
        missedErasures: [expect.objectContaining({ of: 'person', user: 'ana', turns: 1 })],
      },
    ])
    expect(await (await get('/v1/scopes/ana/export')).text()).toBe(lines)
  })

  it('refuses what is no export, changing nothing', async () => {
    await open()
    const header = '{"row":"keepsake-export","format":1,"tenant":"default","user":"eve"}\n'
    const bodies: [Body, number][] = [
      ['', 422],
      ['{"row":"turn"}\n', 422],
      [`${header}not json\n`, 422],
      [`${header}{"row":"scope","scope":1,"agent":null,"app":null}\n{"row":"nonsense"}\n`, 422],
      [new Uint8Array([...new TextEncoder().encode(header), 0x22, 0xff, 0x22]), 400],
    ]
    for (const [body, status] of bodies) expect((await send(body)).status).toBe(status)
    expect((await send(header, { ...all, 'Content-Type': 'application/json' })).status).toBe(415)
    expect((await send(header, await server.keyFor({ actions: ['read', 'write', 'erase'] }))).status).toBe(
      403,
    )
    expect(await server.keepsake.scopes()).toEqual([])
  })

  it('exports the whole person alone, and nobody who is not there', async () => {
    await open()
    await say('ana', 'Hello.')
    expect((await get('/v1/scopes/ana/export?agent=tutor')).status).toBe(422)
    expect((await get('/v1/scopes/nobody/export')).status).toBe(404)
  })
})

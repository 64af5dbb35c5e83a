import { createApp, createMetrics, KeyStore, RequestStore, type ServerDeps } from '@keepsake/server'
import { ModelError, openMemory, type Keepsake, type LanguageModel } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeepsakeClient, KeepsakeRequestError, type KeepsakeClient, type ReplyEvent } from './index.ts'

let keepsake: Keepsake
let client: KeepsakeClient
let reader: KeepsakeClient
let close: () => Promise<void>
let stop: () => void
/** Streams of events that the server answered with: from then on it tells what happens. */
let listening = 0

async function open(model: LanguageModel | null = null): Promise<void> {
  keepsake = await openMemory({
    path: ':memory:',
    ...(model === null ? {} : { model, modelOptions: { retries: 0 } }),
  })
  const keys = new KeyStore(keepsake.records)
  const idempotency = new RequestStore(keepsake.records)
  const stopping = new AbortController()
  const deps: ServerDeps = {
    keepsake,
    model,
    upstream: null,
    metrics: createMetrics({ keepsake }),
    idempotency,
    log: () => undefined,
    now: Date.now,
    newId: () => 'request-1',
    stopping: stopping.signal,
  }
  const app = createApp(deps, { keys })
  const clientFor = async (actions: readonly ('read' | 'write' | 'erase' | 'admin')[]) =>
    createKeepsakeClient({
      baseUrl: 'http://memory.test/',
      key: (await keys.create({ name: 'test', actions })).key,
      fetch: async (request) => {
        const response = await app.request(request)
        if (new URL(request.url).pathname.endsWith('/events')) listening += 1
        return response
      },
    })
  client = await clientFor(['read', 'write', 'erase', 'admin'])
  reader = await clientFor(['read'])
  stop = () => stopping.abort()
  close = async () => {
    stopping.abort()
    idempotency.close()
    await keepsake.close()
  }
}

beforeEach(() => {
  listening = 0
  return open()
})
afterEach(() => close())

async function collect<Item>(items: AsyncIterable<Item>, most = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) {
    all.push(item)
    if (all.length >= most) break
  }
  return all
}

describe('a scope', () => {
  it('remembers and recalls', async () => {
    const ana = client.scope({ user: 'ana' })
    const remembered = await ana.remember(
      [
        { role: 'user', text: 'I moved to Lyon last week.', id: 't1', at: '2026-05-01T18:00:00Z' },
        { role: 'assistant', text: 'How is the new flat?' },
      ],
      { session: 'monday' },
    )
    expect(remembered).toMatchObject({ added: 2, session: 'monday' })
    const recall = await ana.recall('Where does Ana live?', { limit: 3 })
    expect(recall.context.text).toContain('Lyon')
    expect(recall.memories[0]?.evidence[0]?.at).toBe('2026-05-01T18:00:00.000Z')
  })

  it('does a request once under an idempotency key', async () => {
    const ana = client.scope({ user: 'ana' })
    const first = await ana.remember({ role: 'user', text: 'I keep bees.' }, { idempotencyKey: 'k1' })
    expect(await ana.remember({ role: 'user', text: 'I keep bees.' }, { idempotencyKey: 'k1' })).toEqual(
      first,
    )
    const other = ana.remember({ role: 'user', text: 'I keep wasps.' }, { idempotencyKey: 'k1' })
    await expect(other).rejects.toMatchObject({ status: 409, code: 'idempotency-conflict' })
    expect((await keepsake.stats()).turns).toBe(1)
  })

  it.each(['..', '.', 'a/b', '../x', 'a?b#c', '%2e%2e', '你好', "'; --"])(
    'of any name is itself: %s',
    async (user) => {
      const scope = client.scope({ user, tenant: user, agent: user })
      await scope.remember({ role: 'user', text: 'Hello there.' })
      const memories = await collect(client.scope({ user, tenant: user }).memories({ statuses: ['live'] }))
      expect(await collect(client.scopes({ tenant: user }))).toEqual([
        { tenant: user, user, agent: user, app: null },
      ])
      expect(memories.every(({ agent }) => agent === user)).toBe(true)
      const exported = await collect(scope.export())
      expect(exported.filter((line) => line.includes('"row":"turn"'))).toHaveLength(1)
    },
  )

  it('writes, edits and lists blocks', async () => {
    const ana = client.scope({ user: 'ana' })
    await ana.writeBlock('tasks', 'book the train', { limit: 60, idempotencyKey: 'k1' })
    await ana.editBlock('tasks', { find: 'book the train', replace: 'train booked' })
    expect(await ana.blocks()).toMatchObject([{ name: 'tasks', text: 'train booked', limit: 60 }])
    const long = ana.editBlock('tasks', { insert: 'x'.repeat(60) })
    await expect(long).rejects.toThrow('takes 60 characters')
  })
})

describe('lists', () => {
  it('come whole, page after page', async () => {
    const ana = client.scope({ user: 'ana' })
    for (let index = 0; index < 7; index++)
      await ana.remember({ role: 'user', text: `Dish number ${index} is good.` }, { session: `s${index}` })
    await keepsake.drain()
    const some = await collect(ana.memories({ forms: ['utterance'], limit: 2 }))
    expect(some.length).toBe(7)
    expect(new Set(some.map(({ id }) => id)).size).toBe(7)
    expect((await collect(ana.memories({ forms: ['utterance'], limit: 2 }), 3)).length).toBe(3)
    expect((await collect(ana.sessions())).map(({ id }) => id)).toContain('s6')
    expect(await collect(ana.quarantine())).toEqual([])
  })
})

describe('a reply', () => {
  it('comes in pieces', async () => {
    await close()
    await open(scriptedModel(() => 'They are on the roof, all four hives.'))
    const ana = client.scope({ user: 'ana' })
    const events: ReplyEvent[] = await collect(ana.reply({ role: 'user', text: 'Where are my bees?' }))
    expect(events[0]?.event).toBe('recall')
    const text = events.map((event) => (event.event === 'text' ? event.data.text : '')).join('')
    expect(text).toBe('They are on the roof, all four hives.')
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { remembered: { added: 1 } } })
  })

  it('throws when it breaks off, or cannot be had', async () => {
    await expect(
      collect(client.scope({ user: 'ana' }).reply({ role: 'user', text: 'Hm?' })),
    ).rejects.toMatchObject({
      status: 409,
      code: 'not-possible',
    })
    await close()
    await open(scriptedModel(() => new ModelError('down')))
    await expect(
      collect(client.scope({ user: 'ana' }).reply({ role: 'user', text: 'Hm?' })),
    ).rejects.toMatchObject({
      name: 'KeepsakeRequestError',
      status: 502,
      code: 'model-failed',
    })
  })
})

describe('events', () => {
  it('come as they happen, of one scope or of all, until nobody listens', async () => {
    const heard = collect(client.scope({ user: 'ana' }).events(), 1)
    const all = collect(client.events(), 2)
    await expect.poll(() => listening).toBe(2)
    await client.scope({ user: 'ben' }).remember({ role: 'user', text: 'Hello.' })
    await client.scope({ user: 'ana' }).remember({ role: 'user', text: 'Hello.' })
    expect(await heard).toMatchObject([{ event: 'turns-recorded', data: { scope: { user: 'ana' } } }])
    expect((await all)[0]).toMatchObject({ data: { scope: { user: 'ben' } } })
  })

  it('end when the server stops, and when their signal says so', async () => {
    const ending = collect(client.events())
    const aborted = new AbortController()
    const stopped = collect(client.events({ signal: aborted.signal }))
    await expect.poll(() => listening).toBe(2)
    stop()
    expect(await ending).toEqual([])
    aborted.abort()
    expect(await stopped).toEqual([])
  })
})

describe('errors', () => {
  it('say what the server said', async () => {
    const refused = reader.scope({ user: 'ana' }).remember({ role: 'user', text: 'Hello.' })
    await expect(refused).rejects.toBeInstanceOf(KeepsakeRequestError)
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'forbidden', retryAfter: null })
    const wrong = client.scope({ user: 'ana' }).remember({ role: 'user', text: 'x', at: 'yesterday' })
    await expect(wrong).rejects.toMatchObject({ problem: { fields: [{ field: 'body.turns.0.at' }] } })
    await expect(collect(reader.scopes())).rejects.toMatchObject({ status: 403 })
  })

  it('of something that is no Keepsake are errors as well', async () => {
    const answer = (response: Response) =>
      createKeepsakeClient({ baseUrl: 'http://memory.test', fetch: async () => response }).scope({
        user: 'ana',
      })
    const gateway = new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Retry-After': '7' } })
    await expect(answer(gateway).recall('x')).rejects.toMatchObject({
      status: 502,
      code: 'unknown',
      retryAfter: 7,
    })
    const nothing = new Response(null, { status: 200 })
    await expect(answer(nothing).recall('x')).rejects.toMatchObject({ code: 'unknown' })
    const cut = new Response('event: text\ndata: {"text":"half"}\n\nevent: te', { status: 200 })
    await expect(collect(answer(cut).reply({ role: 'user', text: 'x' }))).rejects.toMatchObject({
      code: 'unknown',
    })
  })
})

describe('a client that is not told what it needs', () => {
  it('says so when it is made, not when it asks', () => {
    const misspelt = { url: 'http://memory.test' } as unknown as Parameters<typeof createKeepsakeClient>[0]
    expect(() => createKeepsakeClient(misspelt)).toThrow(
      'createKeepsakeClient() has no option "url". There are: baseUrl, key, fetch.',
    )
    const nowhere = { baseUrl: undefined } as unknown as Parameters<typeof createKeepsakeClient>[0]
    for (const options of [nowhere, undefined as never])
      expect(() => createKeepsakeClient(options)).toThrow(/needs the server's address: pass \{ baseUrl:/)
    expect(() => createKeepsakeClient({ baseUrl: 'my-server' })).toThrow(
      /web address as baseUrl, .*"my-server"/,
    )
    const made = createKeepsakeClient({ baseUrl: 'http://memory.test' })
    for (const scope of [undefined, {}])
      expect(() => made.scope(scope as never)).toThrow(/needs a user: pass/)
    expect(createKeepsakeClient({ baseUrl: 'http://memory.test', key: undefined }).api).toBeDefined()
  })
})

it('an error of the network names the server', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const away = createKeepsakeClient({ baseUrl: 'http://memory.test', fetch }).scope({ user: 'ana' })
  await expect(away.recall('Where?')).rejects.toThrow(
    'The server at http://memory.test did not answer: fetch failed.',
  )
})

describe('transfer', () => {
  it('brings a person back exactly', async () => {
    const ana = client.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: '我住在北京。My dog is Rex.' })
    await keepsake.drain()
    const lines = await collect(ana.export())
    await ana.erase({ everything: true })
    expect(await client.import(lines.map((line) => `${line}\n`).join(''))).toEqual([
      { tenant: 'default', user: 'ana', agent: null, app: null },
    ])
    expect(await collect(ana.export())).toEqual(lines)
    await ana.erase({ everything: true })
    const bytes = new Blob([lines.join('\n')])
    expect(await client.import(bytes.stream())).toHaveLength(1)
    await expect(client.import(bytes)).rejects.toMatchObject({ status: 409 })
  })
})

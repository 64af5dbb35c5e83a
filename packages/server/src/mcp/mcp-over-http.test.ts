import type { RerankingModel } from 'keepsake'
import { beforeEach, describe, expect, it } from 'vitest'
import { call, type RecallAnswer } from './testing/connect-client.ts'
import { headersFor, serveMcp, type ServedMcp } from './testing/serve-mcp.ts'

let served: ServedMcp

beforeEach(async () => {
  served = await serveMcp()
})

describe('the official client over HTTP', () => {
  it('remembers, recalls, corrects, forgets, undoes, reads and is taught', async () => {
    const client = await served.connect(await served.keyFor(['maya']))
    expect(client.getServerVersion()).toMatchObject({ name: 'keepsake' })
    await client.listTools()
    await call(client, 'remember', { text: 'I live in Bristol. 我对青霉素过敏。' })
    await served.keepsake.drain()
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

  it('is not told what somebody asked to have forgotten, by any tool or resource', async () => {
    const client = await served.connect(await served.keyFor(['maya']))
    await call(client, 'remember', { text: 'My cousin Marek lent me four thousand. I work as a baker.' })
    await served.keepsake.drain()
    await call(client, 'remember', { text: 'Can we pretend I never told you about Marek?' })
    await served.keepsake.drain()
    const found = await Promise.all(
      ['Who lent me money?', 'Who is my cousin?', 'What did I ask you to forget?', 'Where do I work?'].map(
        (question) => call<RecallAnswer>(client, 'recall', { question }),
      ),
    )
    const { resources } = await client.listResources()
    const read = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })))
    const prompt = await client.getPrompt({ name: 'use-memory', arguments: {} })
    expect(JSON.stringify([found, read, prompt])).not.toMatch(/marek|cousin|four thousand/i)
    expect(resources.length).toBeGreaterThan(0)
  })

  it('has no stream of notifications and no sessions, so that any process can answer', async () => {
    const key = await served.keyFor(['maya'])
    const headers = headersFor(key, { Accept: 'text/event-stream' })
    const response = await fetch(`${served.server.url}/mcp`, { headers })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    const client = await served.connect(key)
    expect(client.getServerCapabilities()?.resources?.subscribe).toBeUndefined()
  })

  it('serves the user that the key opens, or the one that the headers name, and keeps two apart', async () => {
    const maya = await served.connect(await served.keyFor(['maya']))
    const everybody = await served.keyFor(null)
    const tom = await served.connect(everybody, { 'X-Keepsake-User': 'tom' })
    const chinese = await served.connect(everybody, { 'X-Keepsake-User': encodeURIComponent('小明') })
    await call(maya, 'remember', { text: 'I live in Bristol.' })
    await call(tom, 'remember', { text: 'I live in Oslo.' })
    await call(chinese, 'remember', { text: '我住在杭州。' })
    const users = (await served.keepsake.scopes()).map(({ user }) => user)
    expect(users.toSorted()).toEqual(['maya', 'tom', '小明'].toSorted())
    await served.keepsake.drain()
    const answers = await Promise.all(
      [maya, tom].map((client) => call<RecallAnswer>(client, 'recall', { question: 'Where do I live?' })),
    )
    expect(answers.map(({ structured }) => structured.memories.map(({ text }) => text))).toEqual([
      ['The user lives in Bristol.', 'I live in Bristol.'],
      ['The user lives in Oslo.', 'I live in Oslo.'],
    ])
  })

  it('narrows to tenant, agent and app by headers', async () => {
    const client = await served.connect(await served.keyFor(null), {
      'X-Keepsake-User': 'maya',
      'X-Keepsake-Tenant': 'acme',
      'X-Keepsake-Agent': 'juno',
      'X-Keepsake-App': 'web',
    })
    await call(client, 'remember', { text: 'I live in Bristol.' })
    expect(await served.keepsake.scopes()).toMatchObject([
      { tenant: 'acme', user: 'maya', agent: 'juno', app: 'web' },
    ])
  })

  it('calls many tools at once, from several clients', async () => {
    const key = await served.keyFor(null)
    const users = ['ana', 'ben', 'cleo', 'dan']
    const connected = await Promise.all(users.map((user) => served.connect(key, { 'X-Keepsake-User': user })))
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
    expect((await served.keepsake.stats()).turns).toBe(60)
  })

  it('that goes away in the middle of calls leaves the server whole, and what was acknowledged', async () => {
    const key = await served.keyFor(['maya'])
    const client = await served.connect(key)
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
    const again = await served.connect(key)
    const { isError } = await call(again, 'recall', { question: 'What did I buy?' })
    expect(isError).toBe(false)
    const { turns } = await served.keepsake.stats()
    expect(turns).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThan(0)
  })

  it('does not hold up a server that stops, and gets its answer first', async () => {
    await served.close()
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: RerankingModel = {
      id: 'slow',
      async rerank(_question, texts) {
        reached.resolve()
        await gate.promise
        return texts.map((_text, index) => -index)
      },
    }
    served = await serveMcp({ open: { reranking: slow } })
    const client = await served.connect(await served.keyFor(['maya']))
    await call(client, 'remember', {
      turns: [
        { role: 'user', text: 'I live in Bristol.' },
        { role: 'user', text: 'I work as a nurse.' },
      ],
    })
    // What is drawn in the background is there or not, but not in between.
    await served.keepsake.drain()
    const asked = call<RecallAnswer>(client, 'recall', { question: 'Where do I live?' })
    await reached.promise
    expect(served.server.inFlight()).toBe(1)
    const stopped = served.server.stop()
    gate.resolve()
    const [cutOff, answer] = await Promise.all([stopped, asked])
    expect(cutOff).toBe(0)
    expect(answer.structured.memories.length).toBe(4)
  })
})

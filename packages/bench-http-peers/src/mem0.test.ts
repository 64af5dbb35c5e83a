import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { mem0Change, readMem0Operations } from './mem0.ts'
import {
  dialogue,
  FIRST_USER,
  headerSentBy,
  KEY,
  sentBy,
  startPeer,
  WANTED,
  wireLinesOf,
} from './testing/under-test.ts'

const TALK = dialogue('one', 'I moved to Lyon', 'agent: How nice')
afterEach(() => vi.unstubAllEnvs())

test('the platform gets the requests that its npm client sends', async () => {
  const { service, memory } = await startPeer('mem0-platform')
  service.store.pollsNeeded = 1
  const { operations } = await memory.addDialogue(TALK)
  expect(operations).toEqual([{ kind: 'add', memory: 'm2', before: null, after: 'Ana: I moved to Lyon' }])
  await memory.retrieve('Lyon', WANTED)
  await memory.memories()
  await memory.close()
  expect(wireLinesOf(service)).toEqual([
    'POST /v3/memories/add/ {"messages":[{"role":"user","content":"Ana: I moved to Lyon"},{"role":"assistant","content":"How nice"}],"user_id":"<user>","metadata":{"session":"<user>-s1"},"timestamp":1740996060}',
    'GET /v1/event/e1/',
    'GET /v1/event/e1/',
    'POST /v3/memories/search/ {"query":"Lyon","output_format":"v1.1","top_k":10,"reference_date":"2025-03-03T10:00:00Z","filters":{"user_id":"<user>"}}',
    'POST /v3/memories/?page=1&page_size=100 {"filters":{"user_id":"<user>"}}',
    'DELETE /v1/memories/?user_id=<user>',
    'DELETE /v2/entities/user/<user>/',
  ])
  expect(headerSentBy(service, 'authorization')).toEqual([`Token ${KEY}`])
})

test('the npm client understands the answers of the scripted platform', async () => {
  const { service } = await startPeer('mem0-platform')
  // Prevents that the client reports its use to its makers. The client reads it when it is loaded.
  vi.stubEnv('MEM0_TELEMETRY', 'false')
  const { MemoryClient } = await import('mem0ai')
  const client = new MemoryClient({ apiKey: KEY, host: service.baseUrl })
  await client.add([{ role: 'user', content: 'I moved to Lyon' }], {
    userId: 'u',
    metadata: { session: 's' },
  })
  const filters = { user_id: 'u' }
  const found = await client.search('Lyon', { topK: 10, filters })
  expect(found.results.map((item) => item.memory)).toEqual(['I moved to Lyon'])
  await client.getAll({ page: 1, pageSize: 100, filters })
  await client.deleteAll({ userId: 'u' })
  await client.deleteUsers({ userId: 'u' })
  expect(service.store.users.size).toBe(0)
  const sent = sentBy(service).filter(({ request }) => !request.includes('ping'))
  expect(sent.map(({ request }) => request)).toEqual([
    'POST /v3/memories/add/',
    'POST /v3/memories/search/',
    'POST /v3/memories/?page=1&page_size=100',
    'DELETE /v1/memories/?user_id=u',
    'DELETE /v2/entities/user/u/',
  ])
  expect(sent[1]?.body).toEqual({ query: 'Lyon', output_format: 'v1.1', top_k: 10, filters })
})

test.each([
  ['a list of changes', { results: [{ id: 'm9', data: { memory: 'lives in Lyon' }, event: 'ADD' }] }],
  ['a bare list', [{ id: 'm9', memory: 'lives in Lyon', event: 'ADD' }]],
])('the platform may answer an addition at once: %s', async (_name, body) => {
  const { service, memory } = await startPeer('mem0-platform')
  service.answerNext(body)
  const { operations } = await memory.addDialogue(TALK)
  expect(operations).toEqual([{ kind: 'add', memory: 'm9', before: null, after: 'lives in Lyon' }])
})

test.each([null, 'done', [{ memory_id: 'm9' }]])(
  'an event whose results are %j tells no operations, and its memories are found by their session',
  async (results) => {
    const { service, memory } = await startPeer('mem0-platform')
    await memory.addDialogue(dialogue('zero', 'I like tea'))
    service.store.add(FIRST_USER, ['lives in Lyon'], `${FIRST_USER}-s2`)
    service.answerNext({ status: 'PENDING', event_id: 'e9' }, { status: 'SUCCEEDED', results })
    expect(await memory.addDialogue(dialogue('one', 'I moved to Lyon'))).toEqual({ operations: null })
    const left = (await memory.dialogueMemories('one')) ?? []
    expect(left.map((item) => item.text)).toEqual(['lives in Lyon'])
  },
)

test('a failed event is an error', async () => {
  const { service, memory } = await startPeer('mem0-platform')
  service.answerNext({ event_id: 'e9' }, { status: 'FAILED', results: null })
  await expect(memory.addDialogue(TALK)).rejects.toThrow('processing the addition e9 failed')
})

test('the server gets requests in its own form', async () => {
  const { service, memory } = await startPeer('mem0-server')
  const { operations } = await memory.addDialogue(TALK)
  expect(operations).toEqual([{ kind: 'add', memory: 'm1', before: null, after: 'Ana: I moved to Lyon' }])
  await memory.retrieve('Lyon', WANTED)
  await memory.memories()
  await memory.close()
  expect(wireLinesOf(service)).toEqual([
    'POST /memories {"messages":[{"role":"user","content":"Ana: I moved to Lyon"},{"role":"assistant","content":"How nice"}],"user_id":"<user>","metadata":{"session":"<user>-s1"}}',
    'POST /search {"query":"Lyon","filters":{"user_id":"<user>"},"top_k":10}',
    'GET /memories?user_id=<user>&top_k=1000',
    'DELETE /memories?user_id=<user>',
  ])
  expect(headerSentBy(service, 'x-api-key')).toEqual([KEY])
})

test('a list that may be incomplete counts as unknown', async () => {
  const { service, memory } = await startPeer('mem0-server')
  await memory.addDialogue(TALK)
  service.store.add(
    FIRST_USER,
    Array.from({ length: 999 }, (_, index) => `thing ${index}`),
    'x',
  )
  expect(await memory.memories()).toBeNull()
  expect(await memory.dialogueMemories('one')).toBeNull()
})

test('relations of a server with a graph store are found, with memories', async () => {
  const { service, memory } = await startPeer('mem0-server')
  await memory.addDialogue(TALK)
  const results = Array.from({ length: 10 }, (_, n) => ({ id: `m${n}`, memory: `memory ${n}`, score: 0.5 }))
  const relations = [
    { source: 'ana', relationship: 'lives_in', destination: 'lyon' },
    { source: 'ana', relationship: 'has', target: 'bicycle' },
  ]
  service.answerNext({ results, relations })
  const found = await memory.retrieve('Lyon', WANTED)
  expect(found.memories).toHaveLength(10)
  expect(found.memories.slice(-2).map(({ id, text }) => [id, text])).toEqual([
    ['relation#1', 'ana lives in lyon'],
    ['relation#2', 'ana has bicycle'],
  ])
  expect(found.context).toContain('- ana lives in lyon')
  service.answerNext({ results: results.slice(0, 1), relations: null })
  expect((await memory.retrieve('Lyon', WANTED)).memories).toHaveLength(1)
})

describe('changes', () => {
  const read = (changes: readonly unknown[], texts: Map<string, string>) =>
    readMem0Operations(z.array(mem0Change).parse(changes), texts)

  test('become operations, with the earlier text from the service or from the known texts', () => {
    const texts = new Map([
      ['a', 'lives in Lyon'],
      ['b', 'likes tea'],
    ])
    const operations = read(
      [
        { id: 'a', event: 'UPDATE', memory: 'lives in Nantes' },
        { id: 'x', event: 'UPDATE', memory: 'has a dog', previous_memory: 'wants a dog' },
        { id: 'b', event: 'DELETE' },
        { id: 'c', event: 'NOOP' },
        { id: 'd', event: 'ADD', data: { memory: 'likes coffee' } },
      ],
      texts,
    )
    expect(operations).toEqual([
      { kind: 'modify', memory: 'a', before: 'lives in Lyon', after: 'lives in Nantes' },
      { kind: 'modify', memory: 'x', before: 'wants a dog', after: 'has a dog' },
      { kind: 'delete', memory: 'b', before: 'likes tea', after: null },
      { kind: 'add', memory: 'd', before: null, after: 'likes coffee' },
    ])
    expect([...texts]).toEqual([
      ['a', 'lives in Nantes'],
      ['x', 'has a dog'],
      ['d', 'likes coffee'],
    ])
  })

  test.each([
    { id: 'a', event: 'ADD' },
    { id: 'a', event: 'UPDATE', data: null },
    { id: 'a', event: 'MERGE' },
  ])('of another form are refused: %j', (change) => {
    expect(mem0Change.safeParse(change).success).toBe(false)
  })
})

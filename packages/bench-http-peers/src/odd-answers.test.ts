import type { HttpSystemName } from '@keepsake/bench'
import { describe, expect, test } from 'vitest'
import { dialogue, startPeer, WANTED } from './testing/under-test.ts'

const TALK = dialogue('one', 'I moved to Lyon')

/** Answers to a search that differ from the service's documentation. Each has two memories. */
const ODD_SEARCHES: readonly (readonly [HttpSystemName, what: string, bodies: readonly string[]])[] = [
  [
    'mem0-platform',
    'scores that are no numbers',
    [
      '{ "results": [{ "id": "a", "memory": "one", "score": "NaN" }, { "id": "b", "memory": "two", "score": null }] }',
    ],
  ],
  [
    'mem0-platform',
    'the bare list, without ids',
    ['[{ "memory": "one" }, { "id": 7, "memory": "two", "metadata": "none" }]'],
  ],
  [
    'mem0-platform',
    'records that are none beside them',
    ['{ "results": [null, { "memory": "one" }, "x", { "memory": "two" }, { "id": "c", "memory": "" }] }'],
  ],
  [
    'mem0-server',
    'texts for scores',
    [
      '{ "results": [{ "id": "a", "memory": "one", "score": "0.9" }, { "id": "b", "memory": "two", "score": {} }] }',
    ],
  ],
  [
    'supermemory',
    'no similarity',
    ['{ "results": [{ "memory": "one" }, { "chunk": "two", "memory": null, "similarity": "high" }] }'],
  ],
  [
    'memos',
    'no relativity',
    [
      '{ "code": 0, "data": { "memory_detail_list": [{ "id": 1, "memory_value": "one", "relativity": "x" }, { "memory_value": "two" }], "preference_detail_list": null } }',
    ],
  ],
  ['memobase', 'a context without dashes', ['{ "errno": 0, "data": { "context": "one\\ntwo" } }']],
  [
    'zep',
    'dates that are numbers, and an entity of which nothing is told',
    [
      '{ "edges": [{ "uuid": 1, "fact": "one", "valid_at": 1700000000, "relevance": "x" }, { "fact": "two", "valid_at": null }, { "uuid": "c" }] }',
      '{ "nodes": [{ "uuid": "n", "name": "Ana", "summary": null }] }',
    ],
  ],
]

describe.each(ODD_SEARCHES)('%s, answering a search with %s', (peer, _what, bodies) => {
  test('gives its memories', async () => {
    const { service, memory } = await startPeer(peer)
    await memory.addDialogue(TALK)
    service.answerNext(...bodies.map((body) => JSON.parse(body) as unknown))
    const found = await memory.retrieve('Lyon', WANTED)
    expect(found.memories.map(({ text }) => text)).toEqual(['one', 'two'])
    for (const { score } of found.memories) expect(score === null || Number.isFinite(score)).toBe(true)
    expect(found.context).toContain('one')
    expect(found.context).toContain('two')
    expect(found.context).not.toMatch(/undefined|null|NaN/u)
  })
})

test('a score written as text is read', async () => {
  const { service, memory } = await startPeer('mem0-server')
  await memory.addDialogue(TALK)
  service.answerNext({ results: [{ id: 'a', memory: 'one', score: '0.9' }] })
  expect((await memory.retrieve('Lyon', WANTED)).memories[0]?.score).toBe(0.9)
})

test('if the changes of an addition have an unknown form, memories before and after are compared', async () => {
  for (const results of [
    [{ id: 'a', event: 'MERGE', memory: 'x' }],
    [{ id: 'a', event: 'ADD' }],
    null,
    'done',
  ]) {
    const { service, memory } = await startPeer('mem0-server')
    service.answerNext({ results })
    expect(await memory.addDialogue(TALK)).toEqual({ operations: null })
  }
})

test('events are read whatever their case', async () => {
  const { service, memory } = await startPeer('mem0-server')
  service.answerNext({ results: [{ id: 4, event: 'add', memory: 'lives in Lyon' }] })
  const { operations } = await memory.addDialogue(TALK)
  expect(operations).toEqual([{ kind: 'add', memory: '4', before: null, after: 'lives in Lyon' }])
})

test.each([
  ['mem0-platform', [{ event_id: 'e9' }, { status: 'queued' }, { status: 'Completed', results: [] }]],
  [
    'memos',
    [
      { code: 0, data: { task_id: 't', status: 'pending' } },
      { code: 0, data: { status: 'waiting' } },
      { code: 0, data: { status: 'DONE' } },
    ],
  ],
] as const)('%s: a state of another name is waited for, or taken for done', async (peer, bodies) => {
  const { service, memory, waits } = await startPeer(peer)
  service.answerNext(...bodies)
  await memory.addDialogue(TALK)
  expect(waits).toEqual([100])
})

test('all pages are read, even if a service returns short pages or repeats one for ever', async () => {
  const { service, memory } = await startPeer('zep')
  await memory.addDialogue(TALK)
  const fact = (uuid: string) => ({ uuid, fact: `fact ${uuid}` })
  service.answerNext([fact('a'), fact('b')], [fact('c')], [])
  expect((await memory.memories())?.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  service.answerNext(...Array.from({ length: 9 }, () => [fact('a')]))
  expect((await memory.memories())?.map(({ id }) => id)).toEqual(['a'])
})

test('a list without data on its pages is read', async () => {
  const { service, memory } = await startPeer('supermemory')
  await memory.addDialogue(TALK)
  service.answerNext(
    { memoryEntries: [{ id: 'a', memory: 'one', documentIds: null }] },
    { memoryEntries: [] },
  )
  expect((await memory.memories())?.map(({ text }) => text)).toEqual(['one'])
})

test('if the id of a message is absent, the newest episode is waited for', async () => {
  const { service, memory } = await startPeer('zep')
  service.answerNext({}, {}, { message_uuids: null }, { episodes: [{ uuid: 'e7' }] }, { processed: true })
  await memory.addDialogue(TALK)
  expect(service.requests.at(-1)?.path).toBe('/api/v2/graph/episodes/e7')
})

test('a memory that exceeds the budget does not prevent others', async () => {
  const { service, memory } = await startPeer('mem0-server')
  await memory.addDialogue(TALK)
  service.answerNext({
    results: [
      { id: 'a', memory: 'word '.repeat(500) },
      { id: 'b', memory: 'two' },
    ],
  })
  expect((await memory.retrieve('Lyon', { ...WANTED, tokens: 100 })).context).toBe('- two')
})

test('the time for processing follows the time that the run allows models', async () => {
  const { service, memory, waits } = await startPeer('memos', { modelTimeoutMs: 3_000 })
  service.store.pollsNeeded = 20
  await memory.addDialogue(TALK)
  expect(waits).toHaveLength(20)
})

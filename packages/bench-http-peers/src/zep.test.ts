import { expect, test } from 'vitest'
import {
  dialogue,
  FIRST_USER,
  headerSentBy,
  KEY,
  sentBy,
  startPeer,
  WANTED,
  serviceOfTalk,
  wireLinesOf,
} from './testing/under-test.ts'

test('gets the requests that its npm client sends', async () => {
  const service = await serviceOfTalk('zep')
  expect(wireLinesOf(service)).toEqual([
    'POST /api/v2/users {"user_id":"<user>","first_name":"Ana"}',
    'POST /api/v2/threads {"thread_id":"<user>-s1","user_id":"<user>"}',
    'POST /api/v2/threads/<user>-s1/messages {"messages":[{"role":"user","name":"Ana","content":"I moved to Lyon","created_at":"2025-03-03T10:00:00Z"},{"role":"assistant","content":"How nice","created_at":"2025-03-03T10:01:00Z"}]}',
    'GET /api/v2/graph/episodes/episode-2',
    'GET /api/v2/graph/episodes/episode-2',
    'POST /api/v2/graph/search {"user_id":"<user>","query":"Lyon","scope":"edges","reranker":"cross_encoder","limit":10}',
    'POST /api/v2/graph/search {"user_id":"<user>","query":"Lyon","scope":"nodes","reranker":"rrf","limit":10}',
    'POST /api/v2/graph/edge/user/<user> {"limit":100}',
    'POST /api/v2/graph/edge/user/<user> {"limit":100,"uuid_cursor":"m3"}',
    'DELETE /api/v2/users/<user>',
  ])
  expect(headerSentBy(service, 'authorization')).toEqual([`Api-Key ${KEY}`])
})

test('facts have the ids of their turns, and entities follow facts', async () => {
  const { memory } = await startPeer('zep')
  await memory.addDialogue(dialogue('one', 'I like tea', 'agent: Which?', 'Green tea from Uji'))
  const found = await memory.retrieve('tea from Uji', WANTED)
  expect(found.memories.map(({ text, turns }) => ({ text, turns }))).toEqual([
    { text: 'Green tea from Uji', turns: ['one-2'] },
    { text: 'I like tea', turns: ['one-0'] },
    { text: 'user: somebody who talks', turns: null },
  ])
  expect(found.context.split('\n')).toEqual([
    '- Green tea from Uji (since 2025-03-01T00:00:00Z)',
    '- I like tea (since 2025-03-01T00:00:00Z)',
    '- user: somebody who talks',
  ])
})

test('sends thirty messages at once, each of at most 4,096 characters', async () => {
  const { service, memory } = await startPeer('zep')
  // 10 words of 5 characters, 90 of 6, 900 of 7 and 400 of 8, and 1,399 spaces: 11,489, three messages.
  const long = Array.from({ length: 1_400 }, (_, index) => `word${index}`).join(' ')
  await memory.addDialogue(dialogue('one', ...Array.from({ length: 40 }, (_, i) => `thing ${i}`), long))
  const sent = service.requests.flatMap(({ path, body }) =>
    path.endsWith('/messages') ? [(body as { messages: { content: string }[] }).messages] : [],
  )
  expect(sent.map((messages) => messages.length)).toEqual([30, 13])
  expect(
    sent
      .flat()
      .slice(40)
      .map((message) => message.content)
      .join(' '),
  ).toBe(long)
  const [item] = (await memory.retrieve('word1399', WANTED)).memories
  expect(item?.turns).toEqual(['one-40'])
})

test('each session has its own thread', async () => {
  const { service, memory } = await startPeer('zep')
  await memory.addDialogue(dialogue('one', 'I like tea'))
  await memory.addDialogue(dialogue('one', 'I like cake'))
  await memory.addDialogue(dialogue('two', 'I like bread'))
  const threads = sentBy(service).filter(({ request }) => request === 'POST /api/v2/threads')
  expect(threads.map(({ body }) => (body as { thread_id: string }).thread_id)).toEqual([
    `${FIRST_USER}-s1`,
    `${FIRST_USER}-s2`,
  ])
})

test('expired facts are not listed', async () => {
  const { service, memory } = await startPeer('zep')
  await memory.addDialogue(dialogue('one', 'I like tea'))
  const fact = { uuid: 'f1', fact: 'lives in Lyon' }
  const body = [
    { ...fact, expired_at: '2026-01-02T00:00:00Z' },
    { ...fact, uuid: 'f2', expired_at: null },
  ]
  service.answerNext(body, [])
  expect((await memory.memories())?.map((item) => item.id)).toEqual(['f2'])
})

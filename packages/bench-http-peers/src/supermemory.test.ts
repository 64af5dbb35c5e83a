import { expect, test } from 'vitest'
import {
  dialogue,
  FIRST_USER,
  headerSentBy,
  KEY,
  sentBy,
  startPeer,
  serviceOfTalk,
  wireLinesOf,
} from './testing/under-test.ts'

test('gets the requests of its npm client and its reference', async () => {
  const service = await serviceOfTalk('supermemory', { lists: false })
  expect(wireLinesOf(service)).toEqual([
    'POST /v3/documents {"content":"[2025-03-03T10:00:00Z] Ana: I moved to Lyon\\n[2025-03-03T10:01:00Z] assistant: How nice","containerTag":"<user>","customId":"<user>-s1-d1","metadata":{"session":"<user>-s1"}}',
    'GET /v3/documents/doc1',
    'GET /v3/documents/doc1',
    'POST /v4/memories/list {"containerTags":["<user>"],"page":1,"limit":100}',
    'POST /v4/search {"q":"Lyon","containerTag":"<user>","limit":10,"threshold":0.7,"rerank":true,"rewriteQuery":true}',
    'DELETE /v3/container-tags/<user>',
  ])
  expect(headerSentBy(service, 'authorization')).toEqual([`Bearer ${KEY}`])
})

test('a document holds twenty turns and has a unique id', async () => {
  const { service, memory } = await startPeer('supermemory')
  await memory.addDialogue(dialogue('one', ...Array.from({ length: 45 }, (_, index) => `thing ${index}`)))
  await memory.addDialogue(dialogue('one', 'one thing more'))
  const documents = service.requests.flatMap(({ path, method, body }) =>
    path === '/v3/documents' && method === 'POST' ? [body as { content: string; customId: string }] : [],
  )
  expect(documents.map(({ content }) => content.split('\n').length)).toEqual([20, 20, 5, 1])
  expect(documents.map(({ customId }) => customId)).toEqual(
    [1, 2, 3, 4].map((number) => `${FIRST_USER}-s1-d${number}`),
  )
})

test('lists memories ten times after a document is processed, then assumes that there are none', async () => {
  const { service, memory, waits } = await startPeer('supermemory')
  await memory.addDialogue(dialogue('one', 'agent: nothing that is kept'))
  const looks = sentBy(service).filter(({ request }) => request === 'POST /v4/memories/list')
  expect(looks).toHaveLength(10)
  expect(waits).toHaveLength(9)
  expect(await memory.dialogueMemories('one')).toEqual([])
})

test('a failed document is an error', async () => {
  const { service, memory } = await startPeer('supermemory')
  service.answerNext({ id: 'doc9', status: 'queued' }, { id: 'doc9', status: 'failed' })
  await expect(memory.addDialogue(dialogue('one', 'I moved'))).rejects.toThrow(
    'processing the document doc9 failed',
  )
})

test('old versions and forgotten memories are not listed', async () => {
  const { service, memory } = await startPeer('supermemory')
  await memory.addDialogue(dialogue('one', 'I moved'))
  const entry = { memory: 'x', documentIds: [] }
  const memoryEntries = [
    { ...entry, id: 'old', isLatest: false },
    { ...entry, id: 'gone', isLatest: true, isForgotten: true },
    { ...entry, id: 'kept', isLatest: true, isForgotten: false },
  ]
  const pagination = { currentPage: 1, totalPages: 1 }
  service.answerNext({ memoryEntries, pagination })
  expect((await memory.memories())?.map((item) => item.id)).toEqual(['kept'])
})

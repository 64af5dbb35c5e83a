import { expect, test } from 'vitest'
import {
  dialogue,
  headerSentBy,
  KEY,
  MORNING,
  startPeer,
  serviceOfTalk,
  wireLinesOf,
} from './testing/under-test.ts'

test('is spoken to as its reference documents', async () => {
  const service = await serviceOfTalk('memos')
  expect(wireLinesOf(service)).toEqual([
    'POST /api/openmem/v1/add/message {"user_id":"<user>","conversation_id":"<user>-s1","messages":[{"role":"user","content":"Ana: I moved to Lyon","chat_time":"2025-03-03T10:00:00Z"},{"role":"assistant","content":"How nice","chat_time":"2025-03-03T10:01:00Z"}],"async_mode":true}',
    'POST /api/openmem/v1/get/status {"task_id":"task1"}',
    'POST /api/openmem/v1/get/status {"task_id":"task1"}',
    'POST /api/openmem/v1/search/memory {"user_id":"<user>","query":"Lyon","memory_limit_number":10,"include_preference":true,"preference_limit_number":2}',
    'POST /api/openmem/v1/get/memory {"user_id":"<user>","page":1,"size":50,"include_preference":true,"include_tool_memory":false}',
    'POST /api/openmem/v1/delete/memory {"user_id":"<user>"}',
  ])
  expect(headerSentBy(service, 'authorization')).toEqual([`Token ${KEY}`])
})

test('sends twenty messages at once, fewer when they are long', async () => {
  const { service, memory } = await startPeer('memos')
  const long = 'word '.repeat(6_000)
  await memory.addDialogue(dialogue('one', ...Array.from({ length: 25 }, () => 'short'), long, long, long))
  const sent = service.requests.flatMap(({ path, body }) =>
    path.endsWith('/add/message') ? [(body as { messages: unknown[] }).messages.length] : [],
  )
  // 30,000 characters are about 7,500 tokens with the speaker's name on top: two do not fit into 15,000.
  expect(sent).toEqual([20, 6, 1, 1])
})

test('facts and preferences come by relevance, six preferences among twenty', async () => {
  const { service, memory } = await startPeer('memos')
  await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
  const data = {
    memory_detail_list: [
      { id: 'f1', memory_value: 'lives in Lyon', conversation_id: 'c', relativity: 0.5 },
      { id: 'f2', memory_value: 'has a dog', conversation_id: 'c', relativity: 0.9 },
    ],
    preference_detail_list: [{ id: 'p1', preference: 'prefers tea', conversation_id: 'c', relativity: 0.7 }],
  }
  service.answerNext({ code: 0, message: 'ok', data })
  const found = await memory.retrieve('Lyon', { limit: 20, at: MORNING, tokens: 1_000 })
  expect(found.memories.map(({ id, score }) => [id, score])).toEqual([
    ['f2', 0.9],
    ['p1', 0.7],
    ['f1', 0.5],
  ])
  expect(found.context).toBe('- has a dog\n- prefers tea\n- lives in Lyon')
  expect(service.requests.at(-1)?.body).toMatchObject({
    memory_limit_number: 20,
    preference_limit_number: 6,
  })
})

test.each([
  ['says so at once', [{ code: 0, data: { success: false, status: 'failed', task_id: 't' } }]],
  [
    'says so later',
    [
      { code: 0, data: { success: true, status: 'running', task_id: 't' } },
      { code: 0, data: { status: 'failed' } },
    ],
  ],
])('an addition that fails is an error: the service %s', async (_name, bodies) => {
  const { service, memory } = await startPeer('memos')
  service.answerNext(...bodies)
  await expect(memory.addDialogue(dialogue('one', 'I moved'))).rejects.toThrow(
    /processing the addition.* failed/u,
  )
})

test('an addition that is done at once is not asked after', async () => {
  const { service, memory } = await startPeer('memos')
  const body = { code: 0, data: { success: true, status: 'completed', task_id: 't' } }
  service.answerNext(body)
  await memory.addDialogue(dialogue('one', 'I moved'))
  expect(service.requests).toHaveLength(1)
})

test('a code other than 0 is an error, and the request is repeated only if that may help', async () => {
  const { service, memory, waits } = await startPeer('memos')
  await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
  const refuse = (code: number) => ({ code, message: 'no' })
  service.answerNext(refuse(40132))
  await expect(memory.memories()).rejects.toThrow(/code 40132 \(no\).+MEMOS_API_KEY/u)
  service.answerNext(refuse(40300), refuse(50004))
  expect(await memory.memories()).toHaveLength(1)
  expect(waits).toEqual([500, 1_000])
})

test('an addition is repeated if the service was too busy, and no error shows the key', async () => {
  const { service, memory } = await startPeer('memos')
  const refuse = (code: number, message: string) => ({ code, message })
  service.answerNext(refuse(40300, 'too fast'))
  await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
  expect(await memory.memories()).toHaveLength(1)
  service.answerNext(refuse(50143, `failed for ${KEY}`))
  const error: unknown = await memory.addDialogue(dialogue('one', 'again')).catch((reason: unknown) => reason)
  expect(String(error)).toContain('failed for [key]')
})

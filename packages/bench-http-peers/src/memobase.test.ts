import { expect, test } from 'vitest'
import { readMemobaseOperations } from './memobase.ts'
import { dialogue, headerSentBy, KEY, MORNING, startPeer, WANTED, wireLinesOf } from './testing/under-test.ts'

const TALK = dialogue('one', 'I moved to Lyon', 'agent: How nice')
test('gets the requests that its clients send: insert, flush, profile, events, context', async () => {
  const { service, memory } = await startPeer('memobase')
  const { operations } = await memory.addDialogue(TALK)
  expect(operations).toEqual([
    { kind: 'add', memory: 'm3', before: null, after: 'talk / said: I moved to Lyon' },
  ])
  await memory.retrieve('Lyon', WANTED)
  await memory.close()
  expect(wireLinesOf(service)).toEqual([
    'POST /api/v1/users {"data":{"made_by":"keepsake-bench"},"id":"<id>"}',
    'POST /api/v1/blobs/insert/<id>?wait_process=true {"blob_type":"chat","blob_data":{"messages":[{"role":"user","content":"I moved to Lyon","alias":"Ana","created_at":"2025-03-03T10:00:00Z"},{"role":"assistant","content":"How nice","created_at":"2025-03-03T10:01:00Z"}]}}',
    'POST /api/v1/users/buffer/<id>/chat?wait_process=true',
    'GET /api/v1/users/profile/<id>?max_token_size=1000000',
    'GET /api/v1/users/event/<id>?topk=10',
    'GET /api/v1/users/context/<id>?max_token_size=1000&chats_str=[{"role":"user","content":"Lyon"}]',
    'DELETE /api/v1/users/<id>',
  ])
  expect(headerSentBy(service, 'authorization')).toEqual([`Bearer ${KEY}`])
})

test.each([
  { limit: 20, tokens: 1_000, asPublished: false, asked: '1000' },
  { limit: 10, tokens: 1_000, asPublished: true, asked: '250' },
  { limit: 20, tokens: 1_000, asPublished: true, asked: '500' },
])(
  "asks for $asked tokens for $limit memories, HaluMem's 250 and 500 in its protocol: $asPublished",
  async (wanted) => {
    const { service, memory } = await startPeer('memobase')
    await memory.addDialogue(TALK)
    await memory.retrieve('Lyon', { ...wanted, at: MORNING })
    expect(service.requests.at(-1)?.query['max_token_size']).toBe(wanted.asked)
  },
)

test("a dialogue's memories are what the events of its flush say was learned", async () => {
  const { memory } = await startPeer('memobase')
  await memory.addDialogue(TALK)
  await memory.addDialogue(dialogue('two', 'I bought a bicycle', 'It is red'))
  expect((await memory.dialogueMemories('two'))?.map((item) => item.text)).toEqual([
    'talk / said: I bought a bicycle',
    'talk / said: It is red',
    'talked of 2 things',
  ])
})

test('the memories of a context are its dashed lines, without its headings', async () => {
  const { memory } = await startPeer('memobase')
  await memory.addDialogue(TALK)
  const found = await memory.retrieve('Lyon', WANTED)
  expect(found.memories).toEqual([
    { id: 'context#1', text: 'talk::said: I moved to Lyon', turns: null, score: null },
  ])
  expect(found.context).toBe('# Memory\n## User Background:\n- talk::said: I moved to Lyon')
})

test('a refusal in an answer of status 200 is an error, and the request is repeated if that may help', async () => {
  const { service, memory, waits } = await startPeer('memobase')
  await memory.addDialogue(TALK)
  const refuse = (errno: number) => ({ data: null, errno, errmsg: 'no tokens left' })
  service.answerNext(refuse(401))
  await expect(memory.memories()).rejects.toThrow('was refused with error 401 (no tokens left)')
  service.answerNext(refuse(503))
  expect(await memory.memories()).toHaveLength(1)
  expect(waits).toEqual([500])
})

test('events are read until the event of a flush is listed', async () => {
  const { service, memory, waits } = await startPeer('memobase')
  await memory.addDialogue(TALK)
  const good = (data: unknown) => ({ data, errno: 0, errmsg: '' })
  const named = { event_id: 'event9', add_profiles: [], update_profiles: [], delete_profiles: [] }
  const event = { id: 'event9', event_data: { event_tip: '- bought a bicycle' } }
  service.answerNext(
    good({ id: 'blob9', chat_results: [] }),
    good([named]),
    good({ profiles: [] }),
    good({ events: [] }),
    good({ events: [event] }),
  )
  await memory.addDialogue(dialogue('two', 'I bought a bicycle'))
  expect((await memory.dialogueMemories('two'))?.map((item) => item.text)).toEqual(['bought a bicycle'])
  expect(waits).toEqual([100])
})

test('if the event of a flush is never listed, the changed slots are the memories', async () => {
  const { service, memory } = await startPeer('memobase')
  await memory.addDialogue(TALK)
  const good = (data: unknown) => ({ data, errno: 0, errmsg: '' })
  service.answerNext(
    good({ id: 'blob9', chat_results: [] }),
    good([{ event_id: 'event9', add_profiles: ['s9'], update_profiles: null }]),
    good({ profiles: [{ id: 's9', content: 'has a bicycle', attributes: { topic: 'things' } }] }),
  )
  await memory.addDialogue(dialogue('two', 'I bought a bicycle'))
  expect((await memory.dialogueMemories('two'))?.map((item) => item.text)).toEqual(['things: has a bicycle'])
})

test('a flush that adds, changes and deletes gives three operations', () => {
  const results = [{ event_id: 'e', add_profiles: ['n'], update_profiles: ['u'], delete_profiles: ['d'] }]
  const before = new Map([
    ['u', 'lives in Lyon'],
    ['d', 'wants a dog'],
  ])
  const after = new Map([
    ['u', 'lives in Nantes'],
    ['n', 'has a cat'],
  ])
  expect(readMemobaseOperations(results, before, after)).toEqual([
    { kind: 'add', memory: 'n', before: null, after: 'has a cat' },
    { kind: 'modify', memory: 'u', before: 'lives in Lyon', after: 'lives in Nantes' },
    { kind: 'delete', memory: 'd', before: 'wants a dog', after: null },
  ])
})

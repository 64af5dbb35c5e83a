import { openMemory } from 'keepsake'
import { afterAll, beforeAll, expect, it } from 'vitest'

const TALKS = {
  en: [
    'I drive a delivery van for a bakery',
    'my wife is a hairdresser',
    'our dog Milo is a whippet',
    'got a new sofa, 600 quid',
    "I'm learning spanish",
    'went to Porto in march',
  ],
  zh: [
    '我是附中的老师',
    '我老公叫顾磊，是消防员',
    '我养了一只英短，叫团团',
    '我家狗叫贝贝',
    '买了新沙发，三千块',
    '我会一点西班牙语',
    '六月去了马尔代夫',
    '体重65公斤',
  ],
} as const

let memory: Awaited<ReturnType<typeof openMemory>>
beforeAll(async () => {
  memory = await openMemory({ path: ':memory:' })
  for (const [user, texts] of Object.entries(TALKS)) {
    for (const text of texts) await memory.scope({ user }).remember({ role: 'user', text })
    await memory.scope({ user }).drain()
  }
})
afterAll(() => memory.close())

it.each([
  ['en', "what's my job"],
  ['en', 'what breed is Milo'],
  ['en', 'how much did the sofa cost'],
  ['en', 'do I speak spanish'],
  ['en', 'have I been to Porto'],
  ['zh', '我在哪里工作'],
  ['zh', '我老公做什么工作'],
  ['zh', '团团是什么品种'],
  ['zh', '沙发多少钱'],
  ['zh', '我去过马尔代夫没有'],
  ['zh', '我多重'],
])('is answered by plain words (%s): %s', async (user, question) => {
  expect((await memory.scope({ user }).recall(question)).answerable).toBe('yes')
})

it.each([
  ['en', "what's my brother's job"],
  ['en', 'how much was the fridge'],
  ['en', 'do I speak French'],
  ['en', 'did I visit Rome'],
  ['zh', '我儿子做什么工作'],
  ['zh', '贝贝是什么品种'],
  ['zh', '我会法语吗'],
  ['zh', '我去过埃及吗'],
])('is not answered by words about another thing (%s): %s', async (user, question) => {
  expect((await memory.scope({ user }).recall(question)).answerable).not.toBe('yes')
})

import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableWithMessageHistory } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeepsakeChatHistory } from './keepsake-chat-history.ts'

let keepsake: Keepsake
let ana: ScopedMemory

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
})
afterEach(() => keepsake.close())

const open = (session = 'monday', scope = ana) => new KeepsakeChatHistory(scope, { session })
const said = async (history: KeepsakeChatHistory) =>
  (await history.getMessages()).map((message) => `${message.getType()}: ${message.text}`)

describe('KeepsakeChatHistory', () => {
  it('gives messages back in order, with kind, name and id', async () => {
    await open().addMessages([
      new SystemMessage({ content: 'Be kind.', id: 's' }),
      new HumanMessage({ content: 'I moved to Lyon.', name: 'Ana', id: 'h' }),
      new AIMessage({
        content: [
          { type: 'text', text: 'How is ' },
          { type: 'text', text: 'it?' },
        ],
        id: 'a',
      }),
    ])
    await open().addUserMessage('Loud.')
    await open().addAIMessage('Oh dear.')
    const messages = await open().getMessages()
    expect(messages.map((message) => [message.constructor, message.text, message.name, message.id])).toEqual([
      [SystemMessage, 'Be kind.', undefined, 's'],
      [HumanMessage, 'I moved to Lyon.', 'Ana', 'h'],
      [AIMessage, 'How is it?', undefined, 'a'],
      [HumanMessage, 'Loud.', undefined, expect.any(String)],
      [AIMessage, 'Oh dear.', undefined, expect.any(String)],
    ])
  })

  it('is a session of the memory: remembered, and read by what the memory was told elsewhere', async () => {
    await open().addUserMessage('My sister Mia is allergic to peanuts.')
    expect((await ana.recall('What can Mia not eat?')).memories[0]?.memory.text).toContain('peanuts')
    await ana.remember({ role: 'assistant', text: 'Noted.', id: 'elsewhere' }, { session: 'monday' })
    await ana.remember({ role: 'tool', text: 'a tool’s result' }, { session: 'monday' })
    expect(await said(open())).toEqual(['human: My sister Mia is allergic to peanuts.', 'ai: Noted.'])
  })

  it('keeps what was said, and not the tools', async () => {
    const call = { id: '1', name: 'weather', args: {} }
    await open().addMessages([
      new HumanMessage('How is the weather?'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: '12 degrees', tool_call_id: '1' }),
      new AIMessage('Cold.'),
    ])
    expect(await said(open())).toEqual(['human: How is the weather?', 'ai: Cold.'])
  })

  it('stores a message once, and refuses its id with other words', async () => {
    const message = new HumanMessage({ content: 'Hi', id: '1' })
    await open().addMessages([message])
    await open().addMessages([message, new HumanMessage({ content: 'Hello', id: '2' })])
    expect(await said(open())).toEqual(['human: Hi', 'human: Hello'])
    const other = new HumanMessage({ content: 'Bye', id: '1' })
    await expect(open().addMessage(other)).rejects.toMatchObject({ code: 'turn-conflict' })
    await open('tuesday').addMessage(other)
    expect(await said(open('tuesday'))).toEqual(['human: Bye'])
  })

  it('keeps sessions, agents and people apart', async () => {
    const agent = keepsake.scope({ user: 'ana', agent: 'kim' })
    await open().addUserMessage('to nobody in particular')
    await open('monday', agent).addUserMessage('to Kim')
    await open('monday', keepsake.scope({ user: 'bo' })).addUserMessage('from Bo')
    await open('tuesday').addUserMessage('on Tuesday')
    expect(await said(open())).toEqual(['human: to nobody in particular'])
    expect(await said(open('monday', agent))).toEqual(['human: to Kim'])
    await open('monday').clear()
    expect(await said(open())).toEqual([])
    expect(await said(open('monday', agent))).toEqual(['human: to Kim'])
    expect(await said(open('tuesday'))).toEqual(['human: on Tuesday'])
  })

  it('is erased for good, with what was drawn from it, and can begin anew', async () => {
    await open().addUserMessage('I live in Porto.')
    await ana.drain()
    expect(await ana.memories({ forms: ['fact'] })).toHaveLength(1)
    await open().clear()
    await open().clear()
    expect(await open().getMessages()).toEqual([])
    expect(await ana.memories()).toEqual([])
    await open().addUserMessage('I live in Lyon.')
    expect(await said(open())).toEqual(['human: I live in Lyon.'])
  })
})

describe('RunnableWithMessageHistory', () => {
  const seen: string[][] = []
  const model = new FakeListChatModel({ responses: ['Hello Ana.', 'In Lyon.', 'Bye.'] })
  const watched = model.withConfig({
    callbacks: [
      {
        handleChatModelStart: (_model, messages) => {
          seen.push(messages.flat().map((message) => `${message.getType()}: ${message.text}`))
        },
      },
    ],
  })
  const getMessageHistory = (session: string) => open(session)
  const config = { configurable: { sessionId: 'chat-1' } }

  beforeEach(() => {
    seen.length = 0
    model.i = 0
  })

  it('holds a talk by a prompt with a place for the history', async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'You are kind.'],
      new MessagesPlaceholder('history'),
      ['human', '{input}'],
    ])
    const chain = new RunnableWithMessageHistory({
      runnable: prompt.pipe(watched),
      getMessageHistory,
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    })
    expect((await chain.invoke({ input: 'I am Ana, I live in Lyon.' }, config)).text).toBe('Hello Ana.')
    expect((await chain.invoke({ input: 'Where do I live?' }, config)).text).toBe('In Lyon.')
    expect(seen[1]).toEqual([
      'system: You are kind.',
      'human: I am Ana, I live in Lyon.',
      'ai: Hello Ana.',
      'human: Where do I live?',
    ])
    expect(await said(open('chat-1'))).toEqual([
      'human: I am Ana, I live in Lyon.',
      'ai: Hello Ana.',
      'human: Where do I live?',
      'ai: In Lyon.',
    ])
  })

  it('holds one by messages alone, streaming', async () => {
    const chain = new RunnableWithMessageHistory({ runnable: watched, getMessageHistory })
    for (const text of ['I am Ana.', 'Where do I live?']) {
      let whole = ''
      for await (const piece of await chain.stream([new HumanMessage(text)], config)) whole += piece.text
      expect(whole).not.toBe('')
    }
    expect(seen[1]).toEqual(['human: I am Ana.', 'ai: Hello Ana.', 'human: Where do I live?'])
    expect(await said(open('chat-1'))).toEqual([
      'human: I am Ana.',
      'ai: Hello Ana.',
      'human: Where do I live?',
      'ai: In Lyon.',
    ])
  })
})

it.each([[], [{ remember: () => null }], [{}, { session: 'chat-1' }]])(
  'a history without a scope or a session is refused in words: %j %j',
  (...args) => {
    expect(() => Reflect.construct(KeepsakeChatHistory, args)).toThrow(/needs a scope and a session/)
  },
)

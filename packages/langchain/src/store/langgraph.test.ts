import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { tool } from '@langchain/core/tools'
import {
  END,
  getStore,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { KeepsakeStore } from './keepsake-store.ts'

let keepsake: Keepsake
let store: KeepsakeStore

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  store = new KeepsakeStore(keepsake)
})
afterEach(() => keepsake.close())

const userOf = (config: LangGraphRunnableConfig): string => String(config.configurable?.['user'])
const on = (thread: string, user: string) => ({ configurable: { thread_id: thread, user } })
const lastOf = ({ messages }: { messages: BaseMessage[] }) => messages.at(-1)

it('gives the nodes of a graph a memory across threads', async () => {
  const model = new FakeListChatModel({ responses: ['Noted.', 'Not peanuts.', 'I do not know.'] })
  const asked: string[] = []
  const agent = async (state: typeof MessagesAnnotation.State, config: LangGraphRunnableConfig) => {
    const namespace = [userOf(config), 'memories']
    const question = lastOf(state)?.text ?? ''
    const found = (await config.store?.search(namespace, { query: question, limit: 3 })) ?? []
    const known = found.map(({ value }) => String(value['text'])).join('\n')
    asked.push(known)
    await config.store?.put(namespace, `said-${question.length}`, { text: question })
    return {
      messages: [
        await model.invoke([`Known:\n${known}`, ...state.messages.map(({ text }) => text)].join('\n')),
      ],
    }
  }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', agent)
    .addEdge(START, 'agent')
    .addEdge('agent', END)
    .compile({ store, checkpointer: new MemorySaver() })
  const say = (text: string, thread: string, user: string) =>
    graph.invoke({ messages: [new HumanMessage(text)] }, on(thread, user))

  await say('My sister Mia is allergic to peanuts.', 'one', 'ana')
  expect(lastOf(await say('What can Mia not eat?', 'two', 'ana'))?.text).toBe('Not peanuts.')
  await say('What can Mia not eat?', 'three', 'bo')
  expect(asked).toEqual(['', 'My sister Mia is allergic to peanuts.', ''])
  expect(await store.listNamespaces()).toEqual([
    ['ana', 'memories'],
    ['bo', 'memories'],
  ])
})

it('serves tools of an agent that keep and look things up', async () => {
  const keep = tool(
    async ({ text }, config: LangGraphRunnableConfig) => {
      await getStore(config)?.put([userOf(config)], 'kept', { text })
      return 'Kept.'
    },
    { name: 'keep', description: 'Keeps something.', schema: z.object({ text: z.string() }) },
  )
  const call = (text: string) =>
    new AIMessage({
      content: '',
      tool_calls: [{ id: text, name: 'keep', args: { text }, type: 'tool_call' }],
    })
  const script = [call('likes figs'), new AIMessage('I keep that.')]
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', () => ({ messages: [script.shift() ?? new AIMessage('Enough.')] }))
    .addNode('tools', new ToolNode([keep]))
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state) => {
      const last = lastOf(state)
      return last instanceof AIMessage && (last.tool_calls?.length ?? 0) > 0 ? 'tools' : END
    })
    .addEdge('tools', 'model')
    .compile({ store })
  const result = await graph.invoke({ messages: [new HumanMessage('I like figs.')] }, on('one', 'ana'))
  expect(result.messages.map((message) => message.text)).toEqual([
    'I like figs.',
    '',
    'Kept.',
    'I keep that.',
  ])
  expect((await store.get(['ana'], 'kept'))?.value).toEqual({ text: 'likes figs' })
})

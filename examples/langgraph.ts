// Keepsake as the store of a LangGraph.js graph. The model here is scripted, so that the example runs without a key. Yours is
//   import { ChatOpenAI } from '@langchain/openai'
//   const model = new ChatOpenAI({ model: 'gpt-5-mini' })
import { KeepsakeStore } from '@keepsake/langchain/store'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import {
  END,
  MessagesAnnotation,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph'
import { openMemory } from 'keepsake'

const model = new FakeListChatModel({ responses: ['I will remember that.', 'Anything without peanuts.'] })
const keepsake = await openMemory({ path: 'memory.db' })
// An item is a note in the user's memory. The first label of a namespace is the user.
const store = new KeepsakeStore(keepsake)

async function agent({ messages }: typeof MessagesAnnotation.State, config: LangGraphRunnableConfig) {
  const namespace = [String(config.configurable?.['user']), 'memories']
  const question = messages.at(-1)?.text ?? ''
  const found = (await config.store?.search(namespace, { query: question, limit: 3 })) ?? []
  const known = found.map(({ value }) => JSON.stringify(value)).join('\n')
  console.log('known:', known)
  await config.store?.put(namespace, `said-${Date.now()}`, { text: question, by: 'user' })
  return { messages: [await model.invoke([new SystemMessage(`What is known:\n${known}`), ...messages])] }
}

const graph = new StateGraph(MessagesAnnotation)
  .addNode('agent', agent)
  .addEdge(START, 'agent')
  .addEdge('agent', END)
  .compile({ store })

for (const text of ['My sister Mia is allergic to peanuts.', 'What can I cook for Mia?']) {
  const { messages } = await graph.invoke(
    { messages: [new HumanMessage(text)] },
    { configurable: { user: 'ana' } },
  )
  console.log(messages.at(-1)?.text)
}

// The items are part of the user's memory, so a recall finds them and an erasure removes them.
const { memories } = await keepsake.scope({ user: 'ana' }).recall('What is Mia allergic to?')
console.log('recalled:', memories[0]?.memory.text)
await keepsake.scope({ user: 'ana' }).erase({ everything: true })
console.log('after erasing:', await store.search(['ana']))
await keepsake.close()

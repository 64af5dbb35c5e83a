// A session of Keepsake as the chat history of a LangChain runnable. The model here is scripted, so that the example runs without a key.
// Yours is
//   import { ChatOpenAI } from '@langchain/openai'
//   const model = new ChatOpenAI({ model: 'gpt-5-mini' })
import { KeepsakeChatHistory } from '@keepsake/langchain/chat-history'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableWithMessageHistory } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { openMemory } from 'keepsake'

const model = new FakeListChatModel({ responses: ['How kind of Mia!', 'Your sister Mia.'] })
const keepsake = await openMemory({ path: 'memory.db' })
const ana = keepsake.scope({ user: 'ana' })

const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'You are a friend.'],
  new MessagesPlaceholder('history'),
  ['human', '{input}'],
])
const chain = new RunnableWithMessageHistory({
  runnable: prompt.pipe(model),
  getMessageHistory: (session) => new KeepsakeChatHistory(ana, { session }),
  inputMessagesKey: 'input',
  historyMessagesKey: 'history',
})

const talk = { configurable: { sessionId: 'monday' } }
console.log((await chain.invoke({ input: 'My sister Mia helped me with the boxes.' }, talk)).text)
console.log((await chain.invoke({ input: 'Who helped me?' }, talk)).text)

for (const message of await new KeepsakeChatHistory(ana, { session: 'monday' }).getMessages())
  console.log(`${message.getType()}: ${message.text}`)

// Other sessions recall what was said in this one.
const { context } = await ana.recall('Who helped Ana with the boxes?')
console.log(context.text)
await keepsake.close()

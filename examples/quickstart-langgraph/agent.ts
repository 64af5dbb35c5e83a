// A LangGraph agent that remembers. Its three nodes recall memories for the question, call the model, and remember both messages.
import { createInterface } from 'node:readline/promises'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { openMemory } from 'keepsake'

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  user: Annotation<string>,
  known: Annotation<string>,
})

const model = new ChatOpenAI({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini' })
const keepsake = await openMemory({ path: process.env.KEEPSAKE_DB ?? 'memory.db' })

const graph = new StateGraph(State)
  .addNode('recall', async ({ messages, user }) => {
    const { context } = await keepsake.scope({ user }).recall(messages.at(-1)?.text ?? '')
    return { known: context.text }
  })
  .addNode('answer', async ({ messages, known }) => {
    const instructions = new SystemMessage(
      `You are a warm companion. What you know of the user:\n${known || 'nothing yet'}`,
    )
    return { messages: [await model.invoke([instructions, ...messages])] }
  })
  .addNode('remember', async ({ messages, user }) => {
    const [question, reply] = messages.slice(-2)
    await keepsake.scope({ user }).remember([
      { role: 'user', text: question?.text ?? '' },
      { role: 'assistant', text: reply?.text ?? '' },
    ])
    return {}
  })
  .addEdge(START, 'recall')
  .addEdge('recall', 'answer')
  .addEdge('answer', 'remember')
  .addEdge('remember', END)
  .compile()

const lines = createInterface({ input: process.stdin })
process.stdout.write('> ')
for await (const line of lines) {
  // Each line starts a new conversation, so the agent knows earlier lines only from memory.
  const { messages } = await graph.invoke({ messages: [new HumanMessage(line)], user: 'ana' })
  process.stdout.write(`${messages.at(-1)?.text}\n> `)
}
await keepsake.close()

// Memory for any model of the AI SDK. The model here is scripted, so that the example runs without a key. Yours is
//   import { openai } from '@ai-sdk/openai'
//   const model = openai('gpt-5-mini')
import { memoryTools, withMemory } from '@keepsake/ai-sdk'
import { generateText, isStepCount, streamText } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { openMemory } from 'keepsake'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const stop = { unified: 'stop', raw: 'stop' } as const
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt, tools }) => {
    console.log('the model is shown:', prompt.map(({ role }) => role).join(', '))
    const input = JSON.stringify({ question: 'What is Mia allergic to?' })
    return tools !== undefined && prompt.at(-1)?.role === 'user'
      ? {
          content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'recall', input }],
          finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
          usage,
          warnings: [],
        }
      : {
          content: [{ type: 'text', text: 'Not peanuts: she is allergic.' }],
          finishReason: stop,
          usage,
          warnings: [],
        }
  },
  doStream: async () => ({
    stream: convertArrayToReadableStream([
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Poor Mia! ' },
      { type: 'text-delta', id: '1', delta: 'I will remember.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: stop, usage },
    ]),
  }),
})

const keepsake = await openMemory({ path: 'memory.db' })
const ana = keepsake.scope({ user: 'ana' })

// As middleware: memory recalls before each call, and remembers after it.
const remembering = withMemory(model, ana)
const answer = streamText({ model: remembering, prompt: 'My sister Mia is allergic to peanuts.' })
for await (const piece of answer.textStream) process.stdout.write(piece)
console.log()

const { text } = await generateText({ model: remembering, prompt: 'What can I not cook for Mia?' })
console.log(text)

// As tools: the model decides when to recall and what to remember.
const { steps } = await generateText({
  model,
  tools: memoryTools(ana, { can: ['recall', 'remember'] }),
  stopWhen: isStepCount(5),
  prompt: 'Plan a dinner with Mia.',
})
for (const { output } of steps.flatMap(({ toolResults }) => toolResults))
  console.log('found by the tool:', JSON.stringify(output))
await keepsake.close()

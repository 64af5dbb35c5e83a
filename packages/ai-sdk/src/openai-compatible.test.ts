import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text as readBody } from 'node:stream/consumers'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createForAiSdk6 } from 'ai-sdk-6-openai-compatible'
import { generateText, isStepCount, streamText } from 'ai'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { memoryTools } from './memory-tools.ts'
import { saidIn } from './testing/read-turns.ts'
import { withMemory } from './with-memory.ts'

interface Asked {
  readonly stream?: boolean
  readonly tools?: unknown
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}
type Message = { content: string } | { content: null; tool_calls: unknown }

let keepsake: Keepsake
let ana: ScopedMemory
let server: Server
let url: string
let asked: Asked[]
let script: Message[]

const choice = (message: Message) => ({
  index: 0,
  message: { role: 'assistant', ...message },
  finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
})
const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'scripted' }

function events(message: Message): string {
  const deltas =
    'tool_calls' in message
      ? [message]
      : (message.content ?? '').split(/(?<= )/).map((content) => ({ content }))
  const chunks = [
    ...deltas.map((delta) => ({ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null })),
    { index: 0, delta: {}, finish_reason: choice(message).finish_reason },
  ]
  const lines = chunks.map((one) => `data: ${JSON.stringify({ ...completion, choices: [one] })}\n\n`)
  return `${lines.join('')}data: [DONE]\n\n`
}

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' }, { session: 'earlier' })
  asked = []
  server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await readBody(request)) as Asked
      asked.push(body)
      const message = script[asked.length - 1] ?? { content: 'No more.' }
      const type = body.stream === true ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type })
      response.end(
        body.stream === true
          ? events(message)
          : JSON.stringify({ ...completion, choices: [choice(message)] }),
      )
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await keepsake.close()
})

const open = () => createOpenAICompatible({ name: 'scripted', baseURL: url })('scripted')
const told = async () => (await saidIn(ana)).slice(1)

describe('over HTTP, by @ai-sdk/openai-compatible', () => {
  it('generates with memory', async () => {
    script = [{ content: 'Peanuts.' }]
    const { text } = await generateText({ model: withMemory(open(), ana), prompt: 'What can Mia not eat?' })
    expect(text).toBe('Peanuts.')
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(asked[0]?.messages[0]?.content).toContain('Mia is allergic to peanuts')
    expect(await told()).toEqual(['user: What can Mia not eat?', 'assistant: Peanuts.'])
  })

  it('streams the same parts with memory as without', async () => {
    const answer = { content: 'She can eat all but peanuts.' }
    script = [answer, answer]
    const prompt = 'What can Mia not eat?'
    const parts = async (model: ReturnType<typeof open>) => {
      const kinds: string[] = []
      for await (const part of streamText({ model, prompt }).fullStream)
        kinds.push(part.type === 'text-delta' ? `${part.type} ${part.text}` : part.type)
      return kinds
    }
    const without = await parts(open())
    expect(await parts(withMemory(open(), ana))).toEqual(without)
    expect(without).toContain('text-delta peanuts.')
    expect(await told()).toEqual([`user: ${prompt}`, 'assistant: She can eat all but peanuts.'])
  })

  it.each([false, true])('loops over tools, memory’s own among them (streaming: %s)', async (streaming) => {
    const call = {
      index: 0,
      id: 'call-1',
      type: 'function',
      function: { name: 'recall', arguments: '{"question":"What is Mia allergic to?"}' },
    }
    script = [{ content: null, tool_calls: [call] }, { content: 'Peanuts.' }]
    const given = {
      model: withMemory(open(), ana, { recall: false }),
      tools: memoryTools(ana, { can: ['recall'] }),
      stopWhen: isStepCount(3),
      prompt: 'Look it up: what can Mia not eat?',
    }
    const text = streaming ? await streamText(given).text : (await generateText(given)).text
    expect(text).toBe('Peanuts.')
    expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    const seen = z.object({ memories: z.array(z.object({ text: z.string() })) })
    expect(seen.parse(JSON.parse(String(asked[1]?.messages[2]?.content))).memories[0]?.text).toContain(
      'peanuts',
    )
    expect(await told()).toEqual(['user: Look it up: what can Mia not eat?', 'assistant: Peanuts.'])
  })

  it('takes the provider package of AI SDK 6', async () => {
    script = [{ content: 'Peanuts.' }]
    const model = createForAiSdk6({ name: 'scripted', baseURL: url })('scripted')
    const { text } = await generateText({ model: withMemory(model, ana), prompt: 'What can Mia not eat?' })
    expect(text).toBe('Peanuts.')
    expect(asked[0]?.messages[0]?.content).toContain('Mia is allergic to peanuts')
    expect(await told()).toHaveLength(2)
  })
})

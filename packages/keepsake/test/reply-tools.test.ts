import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createOpenAICompatible6 } from 'ai-sdk-6-openai-compatible'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openMemory } from 'keepsake'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

interface Asked {
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly tools?: readonly object[]
  readonly tool_choice?: string
}

const asked: Asked[] = []
/** Deltas of each answer in turn, as OpenAI's API streams them. */
const ANSWERS = [
  {
    finish: 'tool_calls',
    deltas: [
      { content: 'Let me look.' },
      { tool_calls: [{ index: 0, id: 'c1', function: { name: 'weather', arguments: '{"town"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':"Lyon"}' } }] },
    ],
  },
  { finish: 'stop', deltas: [{ content: 'Take the ' }, { content: 'bus.' }] },
]

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part: Buffer) => (body += part.toString()))
  request.on('end', () => {
    asked.push(JSON.parse(body) as Asked)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const { deltas, finish } = ANSWERS[asked.length - 1] ?? { deltas: [], finish: 'stop' }
    const say = (choice: object, more: object = {}): void => {
      const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...more }
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`)
    }
    for (const delta of deltas) say({ delta })
    say(
      { delta: {}, finish_reason: finish },
      { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } },
    )
    response.end('data: [DONE]\n\n')
  })
})
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => void asked.splice(0))

const settings = () => ({
  name: 'test',
  includeUsage: true,
  baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
})

describe('reply({ tools })', () => {
  it.each([
    ['7', () => createOpenAICompatible(settings())('m')],
    ['6', () => createOpenAICompatible6(settings())('m')],
  ] as const)('has a model of AI SDK %s call them, as its provider speaks', async (_, model) => {
    const memory = await openMemory({ path: ':memory:', model: model() })
    const parameters = { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] }
    const run = (input: unknown): string => `Rain in ${(input as { town: string }).town}.`
    const reply = await memory.scope({ user: 'ana' }).reply(
      { role: 'user', text: 'Should I cycle home?' },
      {
        tools: { weather: { description: 'The weather in a town.', parameters, run } },
        reinforce: false,
      },
    )
    expect(await reply.text).toBe('Let me look.\n\nTake the bus.')
    expect(await reply.toolCalls).toEqual([
      { id: 'c1', name: 'weather', input: { town: 'Lyon' }, result: 'Rain in Lyon.', isError: false },
    ])
    expect(await reply.usage).toEqual({ input: 200, output: 20 })
    expect(asked[0]).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather', parameters } }],
      tool_choice: 'auto',
    })
    expect(asked[1]?.messages.slice(-2)).toMatchObject([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{"town":"Lyon"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Rain in Lyon.' },
    ])
    await reply.remembered
    await memory.close()
  })
})

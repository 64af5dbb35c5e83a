import {
  Agent,
  Runner,
  tool,
  Usage,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
} from '@openai/agents-core'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { KeepsakeSession, recallFilter } from './openai-agents.ts'

/** A model that gives the answers of a script, and keeps what it was asked. */
class ScriptedModel implements Model {
  readonly requests: AgentInputItem[][] = []
  readonly instructions: (string | undefined)[] = []
  readonly #outputs: ModelResponse['output'][]

  constructor(outputs: ModelResponse['output'][]) {
    this.#outputs = outputs
  }

  async getResponse({ input, systemInstructions }: ModelRequest): Promise<ModelResponse> {
    this.instructions.push(systemInstructions)
    this.requests.push(
      typeof input === 'string' ? [{ role: 'user', content: input }] : structuredClone(input),
    )
    return { usage: new Usage(), output: this.#outputs.shift() ?? [] }
  }

  getStreamedResponse(): AsyncIterable<never> {
    throw new Error('This model does not stream.')
  }
}

const answer = (text: string): ModelResponse['output'] => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
]

let keepsake: Keepsake
let ana: ScopedMemory

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
})
afterEach(() => keepsake.close())

const shown = (items: readonly AgentInputItem[]) =>
  items.map((item) => ('role' in item ? `${item.role}: ${JSON.stringify(item.content)}` : item.type))

it('holds a conversation over runs, and recalls an earlier one', async () => {
  const model = new ScriptedModel([answer('Poor Mia!'), answer('Indeed.'), answer('No peanuts.')])
  const agent = new Agent({ name: 'Bot', instructions: 'Be kind.', model })
  const runner = new Runner({ callModelInputFilter: recallFilter(ana), tracingDisabled: true })

  const monday = new KeepsakeSession(ana, { session: 'monday' })
  await runner.run(agent, 'My sister Mia is allergic to peanuts.', { session: monday })
  await runner.run(agent, 'It is hard at parties.', { session: monday })
  expect(shown(model.requests[1] ?? [])).toEqual([
    'user: "My sister Mia is allergic to peanuts."',
    'assistant: [{"type":"output_text","text":"Poor Mia!"}]',
    'user: "It is hard at parties."',
  ])

  const friday = new KeepsakeSession(ana, { session: 'friday' })
  const result = await runner.run(agent, 'What can I not cook for Mia?', { session: friday })
  expect(result.finalOutput).toBe('No peanuts.')
  expect(model.instructions[2]).toMatch(/^Be kind\.\n\n<memories>[^]*allergic to peanuts/)
  expect(shown(model.requests[2] ?? [])).toEqual(['user: "What can I not cook for Mia?"'])
  // What was recalled is no part of the session.
  expect(shown(await friday.getItems())).toEqual([
    'user: "What can I not cook for Mia?"',
    'assistant: [{"type":"output_text","text":"No peanuts."}]',
  ])
  expect(shown(await monday.getItems(1))).toEqual(['assistant: [{"type":"output_text","text":"Indeed."}]'])
})

it('stores what was said in a run with tools, and not the calls', async () => {
  const weather = tool({
    name: 'weather',
    description: 'The weather.',
    parameters: z.object({ city: z.string() }),
    execute: async () => '12 degrees',
  })
  const call = { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"city":"Lyon"}' } as const
  const model = new ScriptedModel([[{ ...call, status: 'completed' }], answer('12 degrees.')])
  const session = new KeepsakeSession(ana, { session: 's' })
  const agent = new Agent({ name: 'Bot', instructions: '', model, tools: [weather] })
  const runner = new Runner({ callModelInputFilter: recallFilter(ana), tracingDisabled: true })
  await runner.run(agent, 'How is the weather in Lyon?', { session })
  expect(shown(model.requests[1] ?? []).slice(-2)).toEqual(['function_call', 'function_call_result'])
  expect(shown(await session.getItems())).toEqual([
    'user: "How is the weather in Lyon?"',
    'assistant: [{"type":"output_text","text":"12 degrees."}]',
  ])
})

it('erases the newest message, or all, with what was extracted', async () => {
  const session = new KeepsakeSession(ana, { session: 's' })
  await session.addItems([
    { role: 'user', content: 'I live in Porto.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Good night.' }] },
  ])
  expect(await session.popItem()).toMatchObject({ role: 'user', content: 'Good night.' })
  await ana.drain()
  expect(await ana.memories({ forms: ['fact'] })).toHaveLength(1)
  await session.clearSession()
  expect(await session.getItems()).toEqual([])
  expect(await session.popItem()).toBeUndefined()
  expect(await ana.memories()).toEqual([])
})

it('lets the run continue when memory fails', async () => {
  const errors: unknown[] = []
  const model = new ScriptedModel([answer('Hello.')])
  const runner = new Runner({
    callModelInputFilter: recallFilter(ana, { onError: (error) => errors.push(error) }),
    tracingDisabled: true,
  })
  await keepsake.close()
  const result = await runner.run(new Agent({ name: 'Bot', instructions: '', model }), 'Where do I live?')
  expect(result.finalOutput).toBe('Hello.')
  expect(errors).toEqual([expect.objectContaining({ code: 'closed' })])
})

import { Agent, type AgentConfig } from '@mastra/core/agent'
import { RequestContext } from '@mastra/core/request-context'
import { MockLanguageModelV4 } from 'ai/test'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { KeepsakeProcessor } from './mastra.ts'

let keepsake: Keepsake

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterEach(() => keepsake.close())

function scriptedModel(answers: string[]): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: answers.shift() ?? '' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    }),
  })
}

/** Mastra carries the types of an earlier version of the AI SDK's models. */
const configured = (model: MockLanguageModelV4) => model as unknown as AgentConfig['model']

it('recalls before an answer and remembers after it, for the user of the request', async () => {
  const model = scriptedModel(['Poor Mia!', 'No peanuts.', 'I do not know.'])
  const memory = new KeepsakeProcessor({
    scope: (context) => keepsake.scope({ user: context?.get('user') as string }),
    session: (context) => context?.get('chat') as string,
  })
  const agent = new Agent({
    id: 'bot',
    name: 'Bot',
    instructions: 'Be kind.',
    model: configured(model),
    inputProcessors: [memory],
    outputProcessors: [memory],
  })
  const ask = (text: string, user: string, chat: string) =>
    agent.generate(text, {
      requestContext: new RequestContext([
        ['user', user],
        ['chat', chat],
      ]),
    })

  await ask('My sister Mia is allergic to peanuts.', 'ana', 'monday')
  const { text } = await ask('What can I not cook for Mia?', 'ana', 'friday')
  await ask('What can I not cook for Mia?', 'bo', 'friday')

  expect(text).toBe('No peanuts.')
  const prompts = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt))
  expect(prompts[1]).toContain('allergic to peanuts')
  expect(prompts[2]).not.toContain('allergic')
  const turns = await keepsake.scope({ user: 'ana' }).turns()
  expect(turns.map((turn) => [turn.session, turn.role, turn.text])).toEqual([
    ['monday', 'user', 'My sister Mia is allergic to peanuts.'],
    ['monday', 'assistant', 'Poor Mia!'],
    ['friday', 'user', 'What can I not cook for Mia?'],
    ['friday', 'assistant', 'No peanuts.'],
  ])
})

it('lets the agent answer when memory fails', async () => {
  const errors: unknown[] = []
  const scope = keepsake.scope({ user: 'ana' })
  const memory = new KeepsakeProcessor({ scope, onError: (error) => errors.push(error) })
  const agent = new Agent({
    id: 'bot',
    name: 'Bot',
    instructions: '',
    model: configured(scriptedModel(['Hello.'])),
    inputProcessors: [memory],
    outputProcessors: [memory],
  })
  await keepsake.close()
  expect((await agent.generate('Where do I live?')).text).toBe('Hello.')
  expect(errors).toHaveLength(2)
})

it('lets the agent answer when memory does not', async () => {
  const errors: unknown[] = []
  const scope = keepsake.scope({ user: 'ana' })
  vi.spyOn(scope, 'recall').mockReturnValue(new Promise(() => {}))
  const memory = new KeepsakeProcessor({ scope, timeoutMs: 20, onError: (error) => errors.push(error) })
  const model = configured(scriptedModel(['Hello.']))
  const agent = new Agent({ id: 'bot', name: 'Bot', instructions: '', model, inputProcessors: [memory] })
  expect((await agent.generate('Where do I live?')).text).toBe('Hello.')
  expect(errors).toEqual([expect.objectContaining({ name: 'TimeoutError' })])
})

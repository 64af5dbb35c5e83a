import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { generateText, isStepCount, streamText, tool, type LanguageModel } from 'ai'
import { generateText as generateText6, stepCountIs, streamText as streamText6, tool as tool6 } from 'ai-6'
import { createAnthropic as createAnthropic6 } from 'ai-sdk-6-anthropic'
import { createOpenAI as createOpenAI6 } from 'ai-sdk-6-openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sendMessage, streamMessage } from './testing/scripted-messages.ts'
import { sendResponse, streamResponse, type Output } from './testing/scripted-responses.ts'
import {
  scriptedUpstream,
  sendPieces,
  sendWhole,
  streamOf,
  type Asked,
  type ScriptedUpstream,
} from './testing/scripted-upstream.ts'
import { KEY, serveChat, type ServedChat } from './testing/serve-chat.ts'

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
  const url = upstream.url
  served = await serveChat({
    upstream: { url, key: 'sk-upstream' },
    anthropic: { url, key: 'sk-ant', keyHeader: 'x-api-key' },
    requireUser: true,
  })
})
/** Everybody in these tests is somebody else. */
let people = 0
let user = ''
beforeEach(() => {
  people += 1
  user = `person-${people}`
})

const BEES = 'I keep four hives of bees on my roof.'
const ASK = 'How warm is it for my bees?'
const TALK = [`user: ${BEES}`, 'assistant: I see.', `user: ${ASK}`, 'assistant: It is 21 degrees.']
const CALL = { call: 'weather', arguments: '{"city":"Lyon"}' }
const input = z.object({ city: z.string() })

/** An upstream that asks for the weather when it is asked how warm it is, and says it once it knows. */
function answer(asked: Asked, to: Parameters<ScriptedUpstream['script']>[1]): void | Promise<void> {
  const asks = /How warm/.test(asked.body)
  const knows = /function_call_output|tool_result|tool_call_id/.test(asked.body)
  const output: readonly Output[] = !asks
    ? [{ text: 'I see.' }]
    : knows
      ? [{ text: 'It is 21 degrees.' }]
      : [CALL]
  const isStreamed = asked.json['stream'] === true
  if (asked.path === '/v1/responses')
    return isStreamed ? streamResponse(to, output, { id: 'resp_x' }) : sendResponse(to, output)
  if (asked.path === '/v1/messages') return isStreamed ? streamMessage(to, output) : sendMessage(to, output)
  return isStreamed ? sendPieces(to, streamOf('I see.')) : sendWhole(to, 'I see.')
}
beforeEach(() => {
  upstream.script = answer
})

const ours = () => ({ 'X-Keepsake-User': user })
const options = () => ({ apiKey: KEY, baseURL: served.url, headers: ours() })
const remembered = () => served.turns({ user })
const askedPaths = () => upstream.asked.slice(-3).map(({ path }) => path)

describe('AI SDK 7', () => {
  const models: readonly (readonly [name: string, path: string, model: () => LanguageModel])[] = [
    ['OpenAI', '/v1/responses', () => createOpenAI(options())('m')],
    ['Anthropic', '/v1/messages', () => createAnthropic(options())('m')],
  ]
  it.each(models)(
    'of %s, by %s: what was said is there in the next talk, and tools work',
    async (_, path, model) => {
      const first = await generateText({ model: model(), prompt: BEES })
      expect(first.text).toBe('I see.')
      const weather = tool({ inputSchema: input, execute: ({ city }) => `21 in ${city}` })
      const told = streamText({ model: model(), prompt: ASK, tools: { weather }, stopWhen: isStepCount(3) })
      const steps = await told.steps
      expect(steps.map(({ text, toolCalls }) => text || toolCalls[0]?.toolName)).toEqual([
        'weather',
        'It is 21 degrees.',
      ])
      expect((await told.totalUsage).inputTokens).toBe(200)
      expect(askedPaths()).toEqual([path, path, path])
      expect(upstream.asked.at(-1)?.body).toContain('four hives')
      expect(upstream.asked.at(-1)?.body).toContain('21 in Lyon')
      expect(await remembered()).toEqual(TALK)
    },
  )

  it('names the user in its own options as well', async () => {
    const plain = { apiKey: KEY, baseURL: served.url }
    await generateText({
      model: createOpenAI(plain)('m'),
      prompt: BEES,
      providerOptions: { openai: { safetyIdentifier: user } },
    })
    await generateText({
      model: createAnthropic(plain)('m'),
      prompt: 'They made honey.',
      providerOptions: { anthropic: { metadata: { userId: user } } },
    })
    expect(await remembered()).toHaveLength(4)
  })
})

describe('AI SDK 6', () => {
  const models = [
    ['OpenAI', '/v1/responses', () => createOpenAI6(options())('m')],
    ['Anthropic', '/v1/messages', () => createAnthropic6(options())('m')],
  ] as const
  it.each(models)(
    'of %s, by %s: what was said is there in the next talk, and tools work',
    async (_, path, model) => {
      expect((await generateText6({ model: model(), prompt: BEES })).text).toBe('I see.')
      const weather = tool6({ inputSchema: input, execute: ({ city }) => `21 in ${city}` })
      const told = streamText6({ model: model(), prompt: ASK, tools: { weather }, stopWhen: stepCountIs(3) })
      expect(await told.text).toBe('It is 21 degrees.')
      expect(askedPaths()).toEqual([path, path, path])
      expect(upstream.asked.at(-1)?.body).toContain('four hives')
      expect(await remembered()).toEqual(TALK)
    },
  )
})

describe('LangChain', () => {
  const weather = langchainTool(() => '21', { name: 'weather', description: 'The weather', schema: input })
  const openai = (useResponsesApi: boolean) =>
    new ChatOpenAI({
      model: 'm',
      apiKey: KEY,
      useResponsesApi,
      configuration: { baseURL: served.url, defaultHeaders: ours() },
    })
  const anthropic = () =>
    new ChatAnthropic({
      model: 'm',
      apiKey: KEY,
      anthropicApiUrl: served.url.replace(/\/v1$/, ''),
      clientOptions: { defaultHeaders: ours() },
    })

  it.each([
    ['ChatOpenAI', '/v1/responses', () => openai(true).bindTools([weather])],
    ['ChatAnthropic', '/v1/messages', () => anthropic().bindTools([weather])],
  ] as const)('%s by %s: what was said is there in the next talk, and tools work', async (_, path, open) => {
    const model = open()
    expect((await model.invoke(BEES)).text).toBe('I see.')
    const talk: BaseMessage[] = [new HumanMessage(ASK)]
    const called = await model.invoke(talk)
    const [call] = called.tool_calls ?? []
    expect(call).toMatchObject({ name: 'weather', args: { city: 'Lyon' } })
    talk.push(called, new ToolMessage({ tool_call_id: call?.id ?? '', content: '21' }))
    expect((await model.invoke(talk)).text).toBe('It is 21 degrees.')
    expect(askedPaths()).toEqual([path, path, path])
    expect(upstream.asked.at(-1)?.body).toContain('four hives')
    expect(await remembered()).toEqual(TALK)
  })

  it.each([
    ['ChatOpenAI', '/v1/chat/completions', () => openai(false)],
    ['ChatAnthropic', '/v1/messages', anthropic],
  ] as const)('%s by %s, streamed', async (_, path, open) => {
    let answer = ''
    for await (const chunk of await open().stream(BEES)) answer += chunk.text
    expect(answer).toBe('I see.')
    expect(askedPaths()).toEqual([path])
    expect(await remembered()).toEqual(TALK.slice(0, 2))
  })
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createForAiSdk6 } from 'ai-sdk-6-openai-compatible'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Prompt, TextPrompt } from '../prompts/prompt.ts'
import { languageModel, type AiSdkLanguageModel } from './adapters/ai-sdk-language.ts'
import type { ModelCall } from './ask-model.ts'
import { promptRunner, type PromptRunnerOptions } from './prompt-runner.ts'

/** Answers one request to the endpoint. */
type Reply = (response: ServerResponse, request: ChatRequest) => void | Promise<void>
interface ChatRequest {
  messages: { role: string; content: string }[]
  response_format?: { type: string; json_schema?: { name: string; strict: boolean; schema: unknown } }
}

const SCOPE = { tenant: 't', user: 'ana', agent: null, app: null }
const ENGLISH = { language: 'en' } as const
const PROMPT: Prompt<string, { numbers: number[] }> = {
  id: 'pick-numbers',
  version: 1,
  schema: z.object({ numbers: z.array(z.number()) }),
  render: (user) => ({ system: 'Pick numbers.', user }),
}
const TALK: TextPrompt<string> = { id: 'reply', version: 1, render: (user) => ({ system: 'Talk.', user }) }
const GOOD = '{"numbers":[1]}'
const USAGE = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

/** An endpoint that gives these replies in order, the last again and again; keeps what it was asked. */
async function startEndpoint(...replies: Reply[]) {
  const requests: ChatRequest[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = JSON.parse(await text(request)) as ChatRequest
    requests.push(asked)
    await (replies[requests.length - 1] ?? replies.at(-1))?.(response, asked)
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const says = (content: string | null, choice: object = {}, message: object = {}): Reply =>
  json(200, {
    choices: [
      { index: 0, finish_reason: 'stop', ...choice, message: { role: 'assistant', content, ...message } },
    ],
    usage: USAGE,
  })
const fails = (status: number, message: string, headers: Record<string, string> = {}): Reply =>
  json(status, { error: { message } }, headers)
/** Sends these pieces, then ends the stream as told. */
const streams =
  (pieces: string[], end: 'well' | 'cut' | 'unfinished' | 'silent'): Reply =>
  async (response) => {
    const send = (choice: object, more: object = {}) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], ...more })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of pieces) send({ delta: { content } })
    if (end === 'silent') return
    await sleep(5)
    if (end === 'cut') return void response.destroy()
    if (end === 'well') send({ delta: {}, finish_reason: 'stop' }, { usage: USAGE })
    response.end('data: [DONE]\n\n')
  }

type CreateProvider = (settings: {
  name: string
  baseURL: string
  supportsStructuredOutputs: boolean
}) => (model: string) => AiSdkLanguageModel
const PROVIDERS: [string, CreateProvider][] = [
  ['AI SDK 7', createOpenAICompatible],
  ['AI SDK 6', createForAiSdk6],
]

describe.each(PROVIDERS)('a model at a faulty endpoint, through %s', (_, create) => {
  async function setup(replies: Reply[], options: Partial<PromptRunnerOptions> = {}, isStructured = true) {
    const { requests, url } = await startEndpoint(...replies)
    const calls: ModelCall[] = []
    const waits: number[] = []
    const provider = create({ name: 'scripted', baseURL: url, supportsStructuredOutputs: isStructured })
    const runner = promptRunner({
      model: languageModel(provider('one')),
      onCall: (call) => calls.push(call),
      delay: async (ms) => waits.push(ms),
      random: () => 1,
      ...options,
    })
    const model = runner.for('t/ana', SCOPE)
    const ask = () => model.ask(PROMPT, 'pick', ENGLISH).catch((error: unknown) => error)
    const talk = async (): Promise<string | { got: string; error: unknown }> => {
      let got = ''
      try {
        for await (const piece of model.stream(TALK, 'hi', ENGLISH))
          if (piece.kind === 'text') got += piece.text
        return got
      } catch (error) {
        return { got, error }
      }
    }
    return { ask, talk, calls, waits, requests }
  }

  it('asks for the schema and counts tokens', async () => {
    const { ask, calls, requests } = await setup([says(GOOD)])
    expect(await ask()).toEqual({ numbers: [1] })
    expect(requests[0]?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'pick_numbers', strict: true, schema: { required: ['numbers'] } },
    })
    expect(calls).toMatchObject([
      { model: 'scripted/one', outcome: 'answered', attempts: 1, inputTokens: 12, outputTokens: 4 },
    ])
  })

  /** Lets the time-out pass as soon as the endpoint was asked so many times. */
  async function timeOut(requests: readonly ChatRequest[], asked: number): Promise<void> {
    while (requests.length < asked) await setImmediate()
    await vi.advanceTimersByTimeAsync(60_000)
  }

  it('is given up after a time-out and asked again', async () => {
    const { ask, calls, requests } = await setup([() => undefined, says(GOOD)], { timeoutMs: 60_000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asking = ask()
    await timeOut(requests, 1)
    expect(await asking).toEqual({ numbers: [1] })
    expect(calls).toMatchObject([{ outcome: 'answered', attempts: 2 }])
  })

  it('times out for good when it never answers', async () => {
    const { ask, calls, requests } = await setup([() => undefined], { timeoutMs: 60_000, retries: 1 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asking = ask()
    await timeOut(requests, 1)
    await timeOut(requests, 2)
    expect(await asking).toMatchObject({ code: 'model-failed', isRetryable: true })
    expect(requests).toHaveLength(2)
    expect(calls).toMatchObject([{ outcome: 'timed-out', attempts: 2 }])
  })

  it('is asked again when a 429 says it may, and not before', async () => {
    const { ask, waits } = await setup([
      fails(429, 'slow down', { 'retry-after': '7' }),
      fails(429, 'slow down', { 'retry-after-ms': '2500' }),
      says(GOOD),
    ])
    expect(await ask()).toEqual({ numbers: [1] })
    expect(waits).toEqual([7000, 2500])
  })

  it('leaves a 429 for longer than a minute to the caller, saying how long', async () => {
    const { ask, waits } = await setup([fails(429, 'come back tomorrow', { 'retry-after': '3600' })])
    expect(await ask()).toMatchObject({ code: 'model-failed', isRetryable: true, retryAfterMs: 3_600_000 })
    expect(waits).toEqual([])
  })

  it('is asked again after a 500', async () => {
    const { ask, waits } = await setup([
      fails(500, 'oops'),
      json(502, '<html>bad gateway</html>'),
      says(GOOD),
    ])
    expect(await ask()).toEqual({ numbers: [1] })
    expect(waits).toEqual([1000, 2000])
  })

  it('is not asked again after a 401', async () => {
    const { ask, requests } = await setup([fails(401, 'wrong key')])
    expect(await ask()).toMatchObject({ isRetryable: false, message: expect.stringContaining('wrong key') })
    expect(requests).toHaveLength(1)
  })

  it('is asked again when the connection breaks', async () => {
    const { ask } = await setup([(response) => void response.destroy(), says(GOOD)])
    expect(await ask()).toEqual({ numbers: [1] })
  })

  it.each([
    ['truncated JSON', says('{"numbers":[1,2', { finish_reason: 'length' })],
    ['JSON truncated without saying so', says('{"numbers":[1,2')],
    ['wrong types', says('{"numbers":"one"}')],
    ['an empty string', says('')],
    ['no text at all', says(null)],
    ['prose alone', says('I picked one.')],
  ])('is asked once to mend %s', async (__, reply) => {
    const mended = await setup([reply, says(GOOD)])
    expect(await mended.ask()).toEqual({ numbers: [1] })
    expect(mended.calls).toMatchObject([{ outcome: 'repaired', attempts: 2, inputTokens: 24 }])
    const stubborn = await setup([reply])
    expect(await stubborn.ask()).toMatchObject({ code: 'model-answer', isRetryable: false })
    expect(stubborn.requests).toHaveLength(2)
    expect(stubborn.calls).toMatchObject([{ outcome: 'unusable' }])
  })

  it.each([
    ['prose around JSON', 'Here you go:\n```json\n{"numbers":[1]}\n```\nAnything else?'],
    ['a comma too many', '{"numbers":[1,],}'],
  ])('is understood with %s', async (__, content) => {
    const { ask, requests } = await setup([says(content)])
    expect(await ask()).toEqual({ numbers: [1] })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['by its finish', says('I would rather not.', { finish_reason: 'content_filter' })],
    ['in a field of its own', says(null, {}, { refusal: 'I would rather not.' })],
  ])('is not asked again when it refuses %s', async (__, reply) => {
    const { ask, requests, calls } = await setup([reply])
    expect(await ask()).toMatchObject({ code: 'model-answer', answer: 'I would rather not.' })
    expect(requests).toHaveLength(1)
    expect(calls).toMatchObject([{ outcome: 'refused' }])
  })

  it.each([
    ['an error', { error: { message: 'upstream is down', code: 503 } }, /upstream is down/],
    ['no choice', { choices: [] }, /scripted\/one/],
    ['a page', '<html>maintenance</html>', /scripted\/one/],
  ])('fails, and may pass, with a 200 that holds %s', async (__, body, message) => {
    const { ask, requests } = await setup([json(200, body)], { retries: 1 })
    expect(await ask()).toMatchObject({
      code: 'model-failed',
      isRetryable: true,
      message: expect.stringMatching(message),
    })
    expect(requests).toHaveLength(2)
  })

  it('is asked by the prompt when it takes no schema, from then on', async () => {
    const { ask, requests } = await setup([
      fails(400, "Unknown parameter: 'response_format.json_schema'"),
      says(GOOD),
    ])
    expect(await ask()).toEqual({ numbers: [1] })
    expect(await ask()).toEqual({ numbers: [1] })
    expect(requests.map(({ response_format }) => response_format?.type)).toEqual([
      'json_schema',
      undefined,
      undefined,
    ])
    expect(requests[1]?.messages[0]?.content).toContain('"numbers"')
  })

  it('sees the schema when the provider cannot pass it on', async () => {
    const { ask, requests } = await setup([says(GOOD)], {}, false)
    expect(await ask()).toEqual({ numbers: [1] })
    expect(requests.at(-1)?.response_format).toEqual({ type: 'json_object' })
    expect(requests.at(-1)?.messages[0]?.content).toContain('"numbers"')
  })

  it('streams, and tells what it cost', async () => {
    const { talk, calls } = await setup([fails(503, 'busy'), streams(['Hel', 'lo'], 'well')])
    expect(await talk()).toBe('Hello')
    expect(calls).toMatchObject([{ outcome: 'answered', attempts: 2, inputTokens: 12, outputTokens: 4 }])
  })

  it.each([
    ['is cut', 'cut', 'failed'],
    ['ends unfinished', 'unfinished', 'failed'],
    ['falls silent', 'silent', 'timed-out'],
  ] as const)('throws when its stream %s in the middle', async (__, end, outcome) => {
    const timeoutMs = end === 'silent' ? 2_000 : 30_000
    const { talk, calls, requests } = await setup([streams(['Hel'], end)], { timeoutMs })
    expect(await talk()).toMatchObject({ got: 'Hel', error: { code: 'model-failed', isRetryable: true } })
    expect(requests).toHaveLength(1)
    expect(calls).toMatchObject([{ outcome }])
  })

  it('gets no more requests at once than allowed', async () => {
    let running = 0
    let most = 0
    const slow: Reply = async (response, request) => {
      most = Math.max(most, ++running)
      await sleep(5)
      running--
      await says(GOOD)(response, request)
    }
    const { ask } = await setup([slow], { concurrency: 2 })
    expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(
      Array.from({ length: 8 }, () => ({ numbers: [1] })),
    )
    expect(most).toBe(2)
  })
})

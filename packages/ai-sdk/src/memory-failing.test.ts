import { setTimeout as sleep } from 'node:timers/promises'
import { generateText, streamText } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { saidIn } from './testing/read-turns.ts'
import { partsOf, says, streams } from './testing/scripted-answers.ts'
import { withMemory } from './with-memory.ts'

let keepsake: Keepsake
let ana: ScopedMemory
const failed: string[] = []
const onError = (error: unknown, step: string) => void failed.push(`${step}: ${(error as Error).message}`)

beforeEach(async () => {
  failed.length = 0
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
})
afterEach(() => keepsake.close())

describe('a memory that fails', () => {
  it('leaves the call as it would have been without, and is reported', async () => {
    await keepsake.close()
    const inner = new MockLanguageModelV4({ doGenerate: says('Here.'), doStream: streams(says('Here.')) })
    const model = withMemory(inner, ana, { onError })
    expect((await generateText({ model, prompt: 'Are you there?' })).text).toBe('Here.')
    expect(await streamText({ model, prompt: 'Are you there?' }).text).toBe('Here.')
    expect(inner.doGenerateCalls[0]?.prompt.map(({ role }) => role)).toEqual(['user'])
    expect(failed.map((line) => line.split(':')[0])).toEqual(['recall', 'remember', 'recall', 'remember'])
    expect(failed[0]).toContain('closed')
  })

  it('warns when nobody asked to be told, and when telling fails', async () => {
    await keepsake.close()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const inner = new MockLanguageModelV4({ doGenerate: says('Here.') })
    await generateText({ model: withMemory(inner, ana), prompt: 'Hi' })
    const throws = () => {
      throw new Error('the listener itself')
    }
    await generateText({ model: withMemory(inner, ana, { onError: throws }), prompt: 'Hi' })
    expect(warn.mock.calls.map(([said]) => String(said))).toEqual([
      expect.stringContaining('failed to recall'),
      expect.stringContaining('failed to remember'),
      expect.stringContaining('the listener itself'),
      expect.stringContaining('the listener itself'),
    ])
    warn.mockRestore()
  })

  it('does not hold a call up', async () => {
    vi.spyOn(ana, 'recall').mockImplementation(() => new Promise(() => {}))
    const model = withMemory(new MockLanguageModelV4({ doGenerate: says('Quick.') }), ana, {
      onError,
      timeoutMs: 20,
    })
    expect((await generateText({ model, prompt: 'Hi' })).text).toBe('Quick.')
    expect(failed).toEqual([expect.stringMatching(/^recall: .*timeout/)])
  })

  it('says what is wrong with a call’s own options, and leaves memory out of it', async () => {
    const model = withMemory(new MockLanguageModelV4({ doGenerate: says('Ok.') }), ana, { onError })
    await generateText({ model, prompt: 'Hi', providerOptions: { keepsake: { session: 7 } } })
    expect(failed).toEqual([expect.stringContaining('session: ')])
    expect(await saidIn(ana)).toEqual([])
  })
})

describe('a model that fails', () => {
  it('is tried again by the SDK, and its exchange remembered once', async () => {
    let attempts = 0
    const inner = new MockLanguageModelV4({
      doGenerate: async () => {
        attempts += 1
        if (attempts === 1) throw Object.assign(new Error('overloaded'), { name: 'Other' })
        return says('At last.')
      },
    })
    const model = withMemory(inner, ana, { onError })
    await expect(generateText({ model, prompt: 'Hello?' })).rejects.toThrow('overloaded')
    expect(await saidIn(ana)).toEqual([])
    await generateText({ model, prompt: 'Hello?' })
    expect(await saidIn(ana)).toEqual(['user: Hello?', 'assistant: At last.'])
    expect(failed).toEqual([])
  })

  it('leaves what the user said, and no half answer, when its stream breaks off', async () => {
    const parts = partsOf(says('One two three'))
    const broken = new ReadableStream({
      start(controller) {
        for (const part of parts.slice(0, 3)) controller.enqueue(part)
        controller.error(new Error('connection lost'))
      },
    })
    const model = withMemory(new MockLanguageModelV4({ doStream: { stream: broken } }), ana, { onError })
    const result = streamText({ model, prompt: 'Count.', onError: () => {} })
    await result.consumeStream()
    expect(await saidIn(ana)).toEqual(['user: Count.'])
  })

  it.each([
    ['tells of an error', [{ type: 'error', error: new Error('overloaded') }]],
    ['ends without an end', []],
  ] as const)('leaves no half answer when its stream %s', async (_, rest) => {
    const [start, open, piece, ...more] = partsOf(says('One two three'))
    const end = rest.length === 0 ? [] : more
    const parts = [start, open, piece, ...rest, ...end].filter((part) => part !== undefined)
    const stream = convertArrayToReadableStream(parts)
    const model = withMemory(new MockLanguageModelV4({ doStream: { stream } }), ana, { onError })
    await streamText({ model, prompt: 'Count.', onError: () => {} }).consumeStream()
    expect(await saidIn(ana)).toEqual(['user: Count.'])
  })

  it('that refuses is not remembered as having answered', async () => {
    const model = withMemory(new MockLanguageModelV4({ doGenerate: says('I cannot', 'content-filter') }), ana)
    await generateText({ model, prompt: 'Tell me.' })
    expect(await saidIn(ana)).toEqual(['user: Tell me.'])
  })
})

describe('a stream', () => {
  it('has ended only when the exchange is durable', async () => {
    const { stream } = await withMemory(
      new MockLanguageModelV4({ doStream: streams(says('One two.')) }),
      ana,
    ).doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Count.' }] }] })
    const remember = ana.remember.bind(ana)
    vi.spyOn(ana, 'remember').mockImplementation(async (...given) => {
      await sleep(30)
      return remember(...given)
    })
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    expect(types.at(-1)).toBe('finish')
    expect(await saidIn(ana)).toEqual(['user: Count.', 'assistant: One two.'])
  })
})

describe('a call taken back', () => {
  it('before the model answers leaves nothing', async () => {
    const abort = new AbortController()
    const inner = new MockLanguageModelV4({
      doGenerate: async ({ abortSignal }) => {
        abortSignal?.throwIfAborted()
        return says('Too late.')
      },
    })
    abort.abort()
    const model = withMemory(inner, ana, { onError })
    await expect(generateText({ model, prompt: 'Hi', abortSignal: abort.signal })).rejects.toThrow()
    expect(await saidIn(ana)).toEqual([])
    expect(failed).toEqual([])
  })

  it('in the middle of a stream leaves what the user said', async () => {
    const cancelled = vi.fn()
    const endless = new ReadableStream({
      start(controller) {
        for (const part of partsOf(says('One two three')).slice(0, 4)) controller.enqueue(part)
      },
      cancel: cancelled,
    })
    const inner = new MockLanguageModelV4({ doStream: { stream: endless } })
    const { stream } = await withMemory(inner, ana).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Count.' }] }],
    })
    const reader = stream.getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(cancelled).toHaveBeenCalledWith('enough')
    expect(await saidIn(ana)).toEqual(['user: Count.'])
  })
})

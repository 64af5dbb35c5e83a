import { APICallError, type LanguageModelV3, type LanguageModelV4 } from '@ai-sdk/provider'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { InvalidInputError, ModelError } from '@keepsake/text'
import type { LanguageRequest } from '../language-model.ts'
import { languageModel, type AiSdkCall, type AiSdkLanguageModel } from './ai-sdk-language.ts'

type Answer = Awaited<ReturnType<AiSdkLanguageModel['doGenerate']>>
type Part =
  Awaited<ReturnType<AiSdkLanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const USAGE = { inputTokens: { total: 7 }, outputTokens: { total: 3 } }
const SCHEMA = { type: 'object', properties: { a: { type: 'number' } } }
const REQUEST: LanguageRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'hello' }],
  schema: SCHEMA,
  schemaName: 'greeting',
}

function answer(overrides: Partial<Answer> = {}): Answer {
  return {
    content: [{ type: 'text', text: '{"a":1}' }],
    finishReason: { unified: 'stop' },
    usage: USAGE,
    warnings: [],
    ...overrides,
  }
}

/** Answers each call by the script; keeps the calls. */
function scripted(script: (call: AiSdkCall, at: number) => Answer, parts: Part[] = []) {
  const calls: AiSdkCall[] = []
  const model: AiSdkLanguageModel = {
    specificationVersion: 'v4',
    provider: 'test.chat',
    modelId: 'one',
    doGenerate: async (call) => {
      calls.push(call)
      return script(call, calls.length - 1)
    },
    doStream: async (call) => {
      calls.push(call)
      return { stream: ReadableStream.from(parts) as ReadableStream<Part> }
    },
  }
  return { model, calls }
}

function unsupported(message: string, statusCode = 400) {
  return new APICallError({ message, url: 'http://model', requestBodyValues: {}, statusCode })
}

async function read<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('languageModel', () => {
  it('takes models of AI SDK 6 and 7, and no other', () => {
    expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>()
    expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>()
    const old = { ...scripted(() => answer()).model, specificationVersion: 'v2' as 'v3' }
    expect(() => languageModel(old)).toThrow(InvalidInputError)
  })

  it('asks without strictness for a shape with fields that may be missing, unless told otherwise', async () => {
    const { model, calls } = scripted(() => answer())
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { ...SCHEMA, required: [] } } },
    }
    await languageModel(model).generate({ ...REQUEST, schema })
    const own = { openai: { strictJsonSchema: true }, test: { effort: 'low' } }
    await languageModel(model, { providerOptions: own }).generate({ ...REQUEST, schema })
    const loose = { strictJsonSchema: false }
    expect(calls.map(({ providerOptions }) => providerOptions)).toEqual([
      { openai: loose, azure: loose, openaiCompatible: loose },
      { ...own, azure: loose, openaiCompatible: loose },
    ])
  })

  it('asks for the schema beside the prompt and reads text, finish and tokens', async () => {
    const { model, calls } = scripted(() => answer())
    const adapted = languageModel(model, { temperature: 0, providerOptions: { test: { effort: 'low' } } })
    expect(adapted.id).toBe('test/one')
    expect(await adapted.generate({ ...REQUEST, maxOutputTokens: 50 })).toEqual({
      text: '{"a":1}',
      finish: 'stop',
      usage: { input: 7, output: 3 },
    })
    expect(calls).toEqual([
      {
        prompt: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'hello' }] },
        ],
        responseFormat: { type: 'json', schema: SCHEMA, name: 'greeting' },
        maxOutputTokens: 50,
        temperature: 0,
        providerOptions: { test: { effort: 'low' } },
      },
    ])
  })

  it('writes the schema into the prompt, in its language, for models that take none', async () => {
    const { model, calls } = scripted(() => answer())
    await languageModel(model, { structuredOutput: 'json' }).generate(REQUEST)
    await languageModel(model, { structuredOutput: 'text' }).generate({ ...REQUEST, system: '请简短。' })
    expect(calls[0]?.responseFormat).toEqual({ type: 'json' })
    expect(calls[0]?.prompt[0]?.content).toMatch(/^Be brief\.\n\nAnswer with one whole JSON value/)
    expect(calls[1]).not.toHaveProperty('responseFormat')
    expect(calls[1]?.prompt[0]?.content).toMatch(/^请简短。\n\n只回答/)
    for (const call of calls) expect(call.prompt[0]?.content).toContain(JSON.stringify(SCHEMA))
  })

  it('falls back to the prompt when the provider refuses the schema, and remembers it', async () => {
    const { model, calls } = scripted((call) => {
      if (call.responseFormat) throw unsupported("'response_format' of type 'json_schema' is not supported")
      return answer()
    })
    const adapted = languageModel(model)
    await adapted.generate(REQUEST)
    await adapted.generate(REQUEST)
    expect(calls.map((call) => call.responseFormat?.type)).toEqual(['json', undefined, undefined])
  })

  it('does not fall back for other refusals', async () => {
    const { model, calls } = scripted(() => {
      throw unsupported('the conversation is too long')
    })
    await expect(languageModel(model).generate(REQUEST)).rejects.toMatchObject({ isRetryable: false })
    expect(calls).toHaveLength(1)
  })

  it('asks again with the schema in the prompt when the provider dropped it with a warning', async () => {
    const { model, calls } = scripted(({ responseFormat }) =>
      answer({
        warnings:
          responseFormat?.type === 'json' && responseFormat.schema
            ? [{ type: 'unsupported', feature: 'responseFormat' }]
            : [],
      }),
    )
    await languageModel(model).generate(REQUEST)
    expect(calls.map(({ prompt }) => JSON.stringify(prompt[0]).includes('JSON Schema'))).toEqual([
      false,
      true,
    ])
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'refused'],
    ['tool-calls', 'other'],
    ['other', 'other'],
  ])('takes the finish "%s" for "%s"', async (unified, finish) => {
    const { model } = scripted(() => answer({ finishReason: { unified } }))
    expect(await languageModel(model).generate(REQUEST)).toMatchObject({ finish })
  })

  it('throws when the model stopped by an error', async () => {
    const { model } = scripted(() => answer({ finishReason: { unified: 'error' } }))
    await expect(languageModel(model).generate(REQUEST)).rejects.toMatchObject({
      code: 'model-failed',
      isRetryable: true,
    })
  })

  it('leaves tokens unknown that the provider did not count, and reasoning out of the text', async () => {
    const { model } = scripted(() =>
      answer({
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
      }),
    )
    expect(await languageModel(model).generate(REQUEST)).toMatchObject({
      text: 'ab',
      usage: { input: null, output: null },
    })
  })

  it('passes an abort on as it is', async () => {
    const reason = new Error('stop')
    const controller = new AbortController()
    const { model } = scripted(() => {
      controller.abort(reason)
      throw new DOMException('aborted', 'AbortError')
    })
    const asked = { ...REQUEST, abortSignal: controller.signal }
    await expect(languageModel(model).generate(asked)).rejects.toBe(reason)
    await expect(languageModel(model).generate(asked)).rejects.toBe(reason)
  })
})

describe('languageModel, streaming', () => {
  const text = (delta: string): Part => ({ type: 'text-delta', delta })
  const finish: Part = { type: 'finish', finishReason: { unified: 'stop' }, usage: USAGE }
  const stream = (parts: Part[]) =>
    read(languageModel(scripted(() => answer(), parts).model).stream({ ...REQUEST, schema: null }))

  it('hands on the text in pieces and how it ended', async () => {
    expect(await stream([{ type: 'stream-start' }, text('Hel'), text(''), text('lo'), finish])).toEqual([
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      { kind: 'end', finish: 'stop', usage: { input: 7, output: 3 } },
    ])
  })

  it.each([
    ['that just ends', [text('Hel')]],
    ['with an error in it', [text('Hel'), { type: 'error', error: new TypeError('terminated') }, finish]],
    ['with an error that is no Error', [{ type: 'error', error: 'overloaded' }, finish]],
    ['that finishes by an error', [text('Hel'), { ...finish, finishReason: { unified: 'error' } }]],
  ])('throws for a stream %s', async (_, parts: Part[]) => {
    await expect(stream(parts)).rejects.toBeInstanceOf(ModelError)
  })
})

import { InvalidInputError } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { importProvider } from './import-provider.ts'
import {
  openArousalModel,
  openEmbeddingModel,
  openModel,
  openRerankingModel,
  openSurpriseModel,
  openTokenEmbeddingModel,
} from './open-model.ts'

/** A string, so that the type checker does not look for it. */
const ABSENT: string = '@keepsake/not-installed'
const KEYS = {
  OPENAI_API_KEY: 'key-of-openai',
  ANTHROPIC_API_KEY: 'key-of-anthropic',
  GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-google',
  COHERE_API_KEY: 'key-of-cohere',
}
const SCHEMA = {
  type: 'object',
  properties: { mood: { type: 'string' } },
  required: ['mood'],
  additionalProperties: false,
}
const REQUEST: LanguageRequest = {
  system: 'Name the mood.',
  messages: [{ role: 'user', text: 'hooray' }],
  schema: SCHEMA,
  schemaName: 'mood',
}

/** Gives this body to every request; keeps where and with what it was asked. */
function answering(body: unknown) {
  const asked: { url: string; headers: Headers; body: string }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    asked.push({
      url,
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? init.body : '',
    })
    return Response.json(body)
  }
  return { fetch, asked }
}

const ANSWER = '{"mood":"glad"}'
const CHAT = { choices: [{ message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }] }
const RESPONSES = {
  id: 'r',
  created_at: 1,
  model: 'm',
  output: [
    {
      type: 'message',
      role: 'assistant',
      id: 'o',
      content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
    },
  ],
  usage: { input_tokens: 5, output_tokens: 2 },
}
const MESSAGES = {
  type: 'message',
  id: 'a',
  model: 'm',
  content: [{ type: 'text', text: ANSWER }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 2 },
}
const GENERATED = { candidates: [{ content: { parts: [{ text: ANSWER }] }, finishReason: 'STOP' }] }

describe('openModel', () => {
  it.each([
    [
      'openai:gpt-5-mini',
      RESPONSES,
      'https://api.openai.com/v1/responses',
      'authorization',
      'Bearer key-of-openai',
    ],
    [
      'anthropic:claude-sonnet-4-5',
      MESSAGES,
      'https://api.anthropic.com/v1/messages',
      'x-api-key',
      'key-of-anthropic',
    ],
    [
      'google:gemini-2.5-flash',
      GENERATED,
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
      'x-goog-api-key',
      'key-of-google',
    ],
    ['ollama:qwen3:8b', CHAT, 'http://127.0.0.1:11434/v1/chat/completions', 'authorization', null],
    [
      'openai-compatible:http://localhost:8080/v1#local',
      CHAT,
      'http://localhost:8080/v1/chat/completions',
      'authorization',
      null,
    ],
  ])('opens %s: it asks there, with its key and the schema', async (spec, body, url, header, key) => {
    const { fetch, asked } = answering(body)
    const model = await openModel(spec, { env: KEYS, fetch })
    expect(model.id).toBe(`${spec.split(':')[0]}/${spec.split(/#|^\w+:/)[1]}`)
    expect(await model.generate(REQUEST)).toMatchObject({ text: ANSWER, finish: 'stop' })
    expect(asked.map((request) => request.url)).toEqual([url])
    expect(asked[0]?.headers.get(header)).toBe(key)
    expect(asked[0]?.body).toContain('"mood":{"type":"string"}')
  })

  it.each([
    ['openai:m', 'OPENAI_API_KEY'],
    ['anthropic:m', 'ANTHROPIC_API_KEY'],
    ['google:m', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('names the key that %s lacks', async (spec, variable) => {
    const opening = openModel(spec, { env: { [variable]: ' ' } })
    await expect(opening).rejects.toBeInstanceOf(InvalidInputError)
    await expect(opening).rejects.toThrow(`"${spec}" needs a key: set ${variable} in the environment.`)
  })

  it('needs no key for a server of your own, and takes the one made for it, never that of OpenAI', async () => {
    const spec = 'openai-compatible:http://localhost:8080/v1#local'
    const { fetch, asked } = answering(CHAT)
    await (await openModel(spec, { env: KEYS, fetch })).generate(REQUEST)
    await (
      await openModel(spec, { env: { ...KEYS, KEEPSAKE_MODEL_API_KEY: 'own' }, fetch })
    ).generate(REQUEST)
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual([null, 'Bearer own'])
  })

  it('passes on how to ask for the shape', async () => {
    const { fetch, asked } = answering(CHAT)
    const model = await openModel('ollama:qwen3', { env: {}, fetch, structuredOutput: 'text' })
    await model.generate(REQUEST)
    expect(asked[0]?.body).not.toContain('response_format')
    expect(asked[0]?.body).toContain('JSON Schema')
  })
})

describe('openEmbeddingModel', () => {
  it.each([
    ['ollama:nomic-embed-text', 'http://127.0.0.1:11434/v1/embeddings'],
    ['openai:text-embedding-3-small', 'https://api.openai.com/v1/embeddings'],
    ['openai-compatible:http://localhost:8080/v1#local', 'http://localhost:8080/v1/embeddings'],
  ])('opens %s', async (spec, url) => {
    const { fetch, asked } = answering({ data: [{ index: 0, embedding: [3, 4] }] })
    const model = await openEmbeddingModel(spec, { env: KEYS, fetch })
    const [vector] = await model.embed(['hello'])
    expect([...(vector ?? [])].map((value) => value.toFixed(1))).toEqual(['0.6', '0.8'])
    expect(asked.map((request) => request.url)).toEqual([url])
  })

  it('opens google:…', async () => {
    const { fetch, asked } = answering({ embedding: { values: [3, 4] } })
    const model = await openEmbeddingModel('google:gemini-embedding-001', { env: KEYS, fetch })
    expect(await model.embed(['hello'])).toHaveLength(1)
    expect(asked[0]?.headers.get('x-goog-api-key')).toBe('key-of-google')
  })

  it('opens one that runs in the process, and refuses providers that have none', async () => {
    expect((await openEmbeddingModel('transformers:Xenova/bge-small-en-v1.5')).id).toMatch(/^transformers\//)
    expect((await openEmbeddingModel('sentence-encoder:en')).dimensions).toBeGreaterThan(512)
    await expect(openEmbeddingModel('anthropic:claude', { env: KEYS })).rejects.toBeInstanceOf(
      InvalidInputError,
    )
  })
})

describe('openTokenEmbeddingModel', () => {
  it('opens an encoder that runs in the process, and says how others are written', () => {
    expect(openTokenEmbeddingModel('transformers:Xenova/bert-base-multilingual-cased').id).toMatch(
      /last-layer$/,
    )
    expect(() => openTokenEmbeddingModel('openai:text-embedding-3-small')).toThrow(/transformers:NAME/)
  })
})

describe('openRerankingModel', () => {
  it('opens cohere:…', async () => {
    const { fetch, asked } = answering({
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ],
      meta: {},
    })
    const model = await openRerankingModel('cohere:rerank-v3.5', { env: KEYS, fetch })
    expect(await model.rerank('q', ['a', 'b'])).toEqual([0.1, 0.9])
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer key-of-cohere')
    await expect(openRerankingModel('cohere:rerank-v3.5', { env: {} })).rejects.toThrow('COHERE_API_KEY')
  })

  it('opens a language model that reads what was found', async () => {
    const found = JSON.stringify({ answering: [{ text: 2, sure: 80 }] })
    const message = { role: 'assistant', content: found }
    const { fetch } = answering({ choices: [{ message, finish_reason: 'stop' }] })
    const model = await openRerankingModel('language:ollama:qwen3:8b', { fetch })
    expect(await model.rerank('q', ['a', 'b'])).toEqual([0, 0.8])
    expect(model.isProbability).toBe(true)
    await expect(openRerankingModel('language:nobody:x')).rejects.toThrow(
      '"nobody:x" names no language model',
    )
  })

  it('opens one that runs in the process', async () => {
    expect((await openRerankingModel('transformers:Xenova/bge-reranker-base')).id).toMatch(/^transformers\//)
  })
})

describe('openArousalModel', () => {
  it('opens one that runs in the process, with what is to be known of its numbers', () => {
    const plain = openArousalModel('transformers:my/emobank-roberta')
    expect(plain.id).toMatch(/^transformers\/my\/emobank-roberta\//)
    const scaled = openArousalModel('transformers:my/emobank-roberta', { scale: [0, 1], output: 1 })
    expect(scaled.id).not.toBe(plain.id)
    expect(() => openArousalModel('openai:gpt-5')).toThrow(/transformers:NAME/)
  })
})

describe('openSurpriseModel', () => {
  it('opens one that runs in the process, and refuses providers that tell no probabilities', () => {
    expect(openSurpriseModel('transformers:Xenova/gpt2').id).toBe(
      'perplexity/transformers/Xenova/gpt2/default',
    )
    expect(() => openSurpriseModel('anthropic:claude')).toThrow(InvalidInputError)
  })

  it('opens a server that tells the probabilities of a prompt', async () => {
    // One token is always generated after the prompt's, and dropped.
    const told = { tokens: ['\n', 'hi', '!'], token_logprobs: [null, -1, -2], text_offset: [0, 1, 3] }
    const logprobs = { ...told, top_logprobs: [null, null, null] }
    const { fetch, asked } = answering({ choices: [{ text: '', logprobs }] })
    const model = openSurpriseModel('openai-compatible:http://localhost:8000/v1#gpt2-large', {
      env: { KEEPSAKE_MODEL_API_KEY: 'key-of-own' },
      fetch,
    })
    expect(await model.surprise('hi', { previous: '', history: [] })).toBeCloseTo(Math.E)
    expect(asked[0]?.url).toBe('http://localhost:8000/v1/completions')
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer key-of-own')
  })
})

describe('importProvider', () => {
  it('names the package to install when it is missing', async () => {
    const importing = importProvider(ABSENT, 'absent:model', () => import(ABSENT))
    await expect(importing).rejects.toBeInstanceOf(InvalidInputError)
    await expect(importing).rejects.toThrow(
      '"absent:model" needs the package @keepsake/not-installed. Run `npm install @keepsake/not-installed`.',
    )
  })

  it('says as it is what is wrong with a package that is there', async () => {
    const cause = Object.assign(new Error("Cannot find package 'inner' imported from it"), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    await expect(importProvider('outer', 'outer:m', () => Promise.reject(cause))).rejects.toBe(cause)
  })
})

it.each([undefined, 7, {}])('a name that is no text is refused in words: %s', async (spec) => {
  await expect(openModel(spec as never)).rejects.toThrow(/named by a text such as "openai:/)
})

import { InvalidInputError } from 'keepsake'
import { describe, expect, it } from 'vitest'
import { FORMS, parseModelSpec, type ProviderName } from './model-spec.ts'

const ALL = Object.keys(FORMS) as ProviderName[]
const parse = (spec: string) => parseModelSpec(spec, 'language model', ALL)

describe('parseModelSpec', () => {
  it.each([
    ['openai:gpt-5-mini', { provider: 'openai', name: 'gpt-5-mini', url: null }],
    ['anthropic:claude-sonnet-5', { provider: 'anthropic', name: 'claude-sonnet-5', url: null }],
    ['google:gemini-3-flash', { provider: 'google', name: 'gemini-3-flash', url: null }],
    [
      'transformers:Xenova/bge-reranker-base',
      { provider: 'transformers', name: 'Xenova/bge-reranker-base', url: null },
    ],
    ['sentence-encoder:en', { provider: 'sentence-encoder', name: 'en', url: null }],
    ['ollama:qwen3:8b', { provider: 'ollama', name: 'qwen3:8b', url: 'http://127.0.0.1:11434/v1' }],
    [
      'ollama:qwen3:8b@http://box:11434',
      { provider: 'ollama', name: 'qwen3:8b', url: 'http://box:11434/v1' },
    ],
    ['ollama:qwen3@https://box/proxy/v1', { provider: 'ollama', name: 'qwen3', url: 'https://box/proxy/v1' }],
    [
      'openai-compatible:http://localhost:8080/v1#org/model:free',
      { provider: 'openai-compatible', name: 'org/model:free', url: 'http://localhost:8080/v1' },
    ],
  ])('reads %s', (spec, expected) => {
    expect(parse(spec)).toEqual(expected)
  })

  it.each([
    '',
    'gpt-5-mini',
    'openai:',
    'unknown:model',
    'sentence-encoder:zh',
    'ollama:qwen3@box:11434',
    'ollama:@http://box',
    'openai-compatible:model',
    'openai-compatible:http://localhost:8080/v1',
    'openai-compatible:localhost:8080#model',
    'openai-compatible:http://localhost#',
  ])('refuses "%s", listing the forms', (spec) => {
    expect(() => parse(spec)).toThrow(InvalidInputError)
    expect(() => parse(spec)).toThrow('openai-compatible:URL#NAME')
  })

  it('names only the forms that have such a model', () => {
    const open = () => parseModelSpec('anthropic:claude', 'embedding model', ['openai', 'ollama'])
    expect(open).toThrow(
      '"anthropic:claude" names no embedding model. Write it as one of: openai:NAME, ollama:NAME[@URL].',
    )
  })
})

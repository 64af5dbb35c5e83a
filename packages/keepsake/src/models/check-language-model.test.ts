import { describe, expect, it } from 'vitest'
import { openForTest } from '../../test/open-for-test.ts'
import type { LanguageModel } from './language-model.ts'
import { scriptedModel } from './adapters/scripted-language-model.ts'

describe('opening a memory with a language model', () => {
  it('refuses at once what is none, and says what to give instead', async () => {
    const refusals: [unknown, RegExp][] = [
      ['gpt-5', /a string of 5 characters.*instead of its name.*openai\(/],
      [
        { specificationVersion: 'v4', doGenerate: () => ({}) },
        /of the AI SDK, but has no "provider" and "modelId"/,
      ],
      [
        { provider: 'openai.image', modelId: 'dall-e', doGenerate: () => ({}) },
        /but openai\.image\/dall-e of the AI SDK makes no text/,
      ],
      [
        { provider: 'openai.embedding', modelId: 'small', doEmbed: () => ({}) },
        /but openai\.embedding\/small of the AI SDK makes no text/,
      ],
      [{ id: 'mine', generate: () => ({}) }, /"id", "generate" and "stream"/],
      [null, /it is null/],
      [7, /the number 7/],
    ]
    for (const [model, message] of refusals)
      await expect(openForTest({ model: model as LanguageModel })).rejects.toThrow(message)
  })

  it('takes a model', async () => {
    await expect(openForTest({ model: scriptedModel([]) })).resolves.toBeDefined()
  })
})

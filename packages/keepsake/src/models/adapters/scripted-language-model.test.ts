import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import type { LanguageChunk, LanguageRequest } from '../language-model.ts'
import { scriptedModel } from './scripted-language-model.ts'

const REQUEST: LanguageRequest = { system: 's', messages: [{ role: 'user', text: 'u' }], schema: null }

describe('scriptedModel', () => {
  it('answers a list in order, fails when told to, and when the list runs out', async () => {
    const model = scriptedModel(['one', { text: 'two', finish: 'length' }, new ModelError('busy')])
    expect(await model.generate(REQUEST)).toMatchObject({ text: 'one', finish: 'stop' })
    expect(await model.generate(REQUEST)).toMatchObject({ text: 'two', finish: 'length' })
    await expect(model.generate(REQUEST)).rejects.toThrow('busy')
    await expect(model.generate(REQUEST)).rejects.toThrow(/asked for one more/)
    expect(model.requests).toHaveLength(4)
  })

  it('streams the same text in pieces', async () => {
    const model = scriptedModel(({ messages }) => `你好 ${messages[0]?.text}, how are you today?`)
    const chunks: LanguageChunk[] = []
    for await (const chunk of model.stream(REQUEST)) chunks.push(chunk)
    const texts = chunks.flatMap((chunk) => (chunk.kind === 'text' ? [chunk.text] : []))
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.join('')).toBe('你好 u, how are you today?')
    expect(chunks.at(-1)).toMatchObject({ kind: 'end', finish: 'stop' })
  })
})

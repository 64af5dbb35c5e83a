import type { TokenEmbeddingModel } from '@keepsake/models'
import { describe, expect, it } from 'vitest'
import { contextualMatcher } from './contextual-matching.ts'

/** Vectors in a plane. The token before it turns a token's vector, in the way that a context changes it. */
const ANGLES: Readonly<Record<string, number>> = { bank: 0, river: 0.4, money: -0.4, shore: 0.3 }

function turning() {
  const asked: string[] = []
  const model: TokenEmbeddingModel = {
    id: 'turning/last-layer',
    embedTokens: async (texts) => {
      asked.push(...texts)
      return texts.map((text) => {
        const words = text.split(' ').filter((word) => word !== '')
        return words.map((word, place) => {
          const angle = (ANGLES[word] ?? 1.5) + (ANGLES[words[place - 1] ?? ''] ?? 0)
          return Float32Array.of(Math.cos(angle), Math.sin(angle))
        })
      })
    },
  }
  return { model, asked }
}

describe('contextualMatcher', () => {
  it('matches each token with the most similar in its context: the same word differs by what stands before it', async () => {
    const texts = await contextualMatcher(turning().model).prepare(['river bank', 'money bank', 'shore'])
    expect(texts.match('river bank', 'river bank').f1).toBeCloseTo(1, 6)
    // river 0.4 and bank 0.4 after it; money −0.4 and bank −0.4 after it: every cosine is cos 0.8
    expect(texts.match('river bank', 'money bank').f1).toBeCloseTo(Math.cos(0.8), 6)
    // shore is 0.3: precision is both tokens’ cos 0.1, recall shore’s own
    expect(texts.match('river bank', 'shore').precision).toBeCloseTo(Math.cos(0.1), 6)
  })

  it('is 0 where a side has no token, and refuses what was not prepared', async () => {
    const texts = await contextualMatcher(turning().model).prepare(['', 'bank'])
    expect(texts.match('', 'bank')).toMatchObject({ precision: 0, recall: 0, f1: 0 })
    expect(() => texts.match('river', 'bank')).toThrow(/“river” was not prepared/)
  })

  it('embeds each text once', async () => {
    const { model, asked } = turning()
    const matcher = contextualMatcher(model)
    await matcher.prepare(['bank', 'bank', 'river'])
    await matcher.prepare(['river', 'money'])
    expect(asked).toEqual(['bank', 'river', 'money'])
  })
})

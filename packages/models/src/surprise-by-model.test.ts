import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import type { TokenProbabilityModel } from './token-probabilities.ts'
import { surpriseWith } from './surprise-by-model.ts'

function fakeModel(probabilities: readonly number[]) {
  const calls: [string, string][] = []
  const model: TokenProbabilityModel = {
    id: 'fake',
    logProbabilities: async (text, { before }) => {
      calls.push([before, text])
      return probabilities.map(Math.log)
    },
  }
  return { calls, model }
}
const NOTHING = { previous: '', history: [] }

describe('surpriseWith', () => {
  it('is the inverse of the geometric mean of the probabilities', async () => {
    // 1/2 · 1/4 · 1/8 = 1/64, whose cube root is 1/4
    expect(await surpriseWith(fakeModel([1 / 2, 1 / 4, 1 / 8]).model).surprise('a b c', NOTHING)).toBeCloseTo(
      4,
      12,
    )
    expect(await surpriseWith(fakeModel([1, 1]).model).surprise('a b', NOTHING)).toBe(1)
  })

  it('reads the agent’s turn, a line break and the user’s words, and nothing earlier', async () => {
    const { calls, model } = fakeModel([0.5])
    const surprise = surpriseWith(model)
    await surprise.surprise(' fine ', { previous: 'How is the cat?\n', history: ['I have a cat'] })
    await surprise.surprise('hello', NOTHING)
    expect(calls).toEqual([
      ['How is the cat?\n', 'fine'],
      ['\n', 'hello'],
    ])
    expect(surprise.id).toBe('perplexity/fake')
  })

  it('reads the end of a long turn and the start of long words, no character cut in two', async () => {
    const { calls, model } = fakeModel([0.5])
    await surpriseWith(model).surprise('🙂'.repeat(9_000), {
      previous: `x${'🙃'.repeat(9_000)}`,
      history: [],
    })
    expect(calls).toEqual([[`${'🙃'.repeat(1_000)}\n`, '🙂'.repeat(2_000)]])
  })

  it('does not ask for an empty text, whose perplexity is 1', async () => {
    const { calls, model } = fakeModel([0.5])
    expect(await surpriseWith(model).surprise(' \n', { previous: 'Hm?', history: [] })).toBe(1)
    expect(calls).toEqual([])
  })

  it.each([
    ['none', []],
    ['a probability of nothing', [0.5, 0]],
    ['no number', [Number.NaN]],
    ['probabilities above one', [0.5, 3]],
  ])('refuses %s', async (_, probabilities) => {
    const failing = surpriseWith(fakeModel(probabilities).model).surprise('a', NOTHING)
    await expect(failing).rejects.toBeInstanceOf(ModelError)
    await expect(failing).rejects.toMatchObject({ code: 'model-answer', isRetryable: false })
  })

  it('stays a number between 1 and the greatest, whatever rounding and clamping do', async () => {
    const clamped: TokenProbabilityModel = { id: 'm', logProbabilities: async () => [-9999] }
    const rounded: TokenProbabilityModel = { id: 'm', logProbabilities: async () => [1e-7] }
    expect(await surpriseWith(clamped).surprise('a', NOTHING)).toBe(Number.MAX_VALUE)
    expect(await surpriseWith(rounded).surprise('a', NOTHING)).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import { contradictionThreshold } from './contradiction-threshold.ts'

describe('contradictionThreshold', () => {
  it('is what was measured for the built-in word vectors, of whatever version', () => {
    expect([contradictionThreshold('keepsake/words-1'), contradictionThreshold('keepsake/words-2')]).toEqual([
      0.9, 0.9,
    ])
  })

  it('is no laxer for an embedder that was not measured', () => {
    expect(contradictionThreshold('somebody/else')).toBe(0.9)
  })
})

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { selectTop } from './select-top.ts'

it('gives what sorting gives, ties by row, −Infinity left out', () => {
  const score = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.NEGATIVE_INFINITY))
  fc.assert(
    fc.property(fc.array(score, { maxLength: 60 }), fc.integer({ min: 0, max: 20 }), (values, limit) => {
      const scores = Float32Array.from(values)
      const sorted = [...values.keys()]
        .filter((row) => values[row] !== Number.NEGATIVE_INFINITY)
        .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b)
      expect(selectTop(scores, values.length, limit)).toEqual(sorted.slice(0, limit))
    }),
  )
})

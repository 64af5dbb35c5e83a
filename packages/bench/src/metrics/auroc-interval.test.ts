import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { auroc } from './auroc.ts'
import { aurocInterval } from './auroc-interval.ts'
import { bootstrapInterval } from './bootstrap-interval.ts'

it('gives the interval that pooling every case and sorting anew gives', () => {
  const one = fc.record({
    cluster: fc.constantFrom('ana', 'ben', 'cleo'),
    score: fc.integer({ min: 0, max: 5 }),
    isPositive: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 30 }), (cases) => {
      const options = { seed: 3, resamples: 40 }
      const pooled = bootstrapInterval(
        [...Map.groupBy(cases, ({ cluster }) => cluster).values()],
        (some) =>
          auroc(
            some.filter(({ isPositive }) => isPositive).map(({ score }) => score),
            some.filter(({ isPositive }) => !isPositive).map(({ score }) => score),
          ),
        options,
      )
      const weighted = aurocInterval(cases, options)
      if (Number.isNaN(pooled.low)) {
        expect(weighted.low).toBeNaN()
        return
      }
      expect(weighted.low).toBeCloseTo(pooled.low, 9)
      expect(weighted.high).toBeCloseTo(pooled.high, 9)
    }),
  )
})

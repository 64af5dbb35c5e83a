import { expect, it } from 'vitest'
import { cacheBudget } from './cache-budget.ts'

const GIB = 1024 ** 3

it.each([
  ['a machine of 16 GiB', 16 * GIB, 0, 2 * GIB],
  ['a container that may have 4 GiB of it', 16 * GIB, 4 * GIB, GIB / 2],
  ['a limit beyond all there is', 16 * GIB, 2 ** 63, 2 * GIB],
  ['a small machine', GIB / 2, 0, GIB / 8],
])('caches are sized by %s', (_, total, constrained, bytes) => {
  expect(cacheBudget(total, constrained)).toBe(bytes)
})

import { expect, it } from 'vitest'
import { cacheBudget } from './wire-engine.ts'

const GIB = 1024 ** 3

it.each([
  ['a machine of 16 GiB', { total: 16 * GIB, constrained: 0 }, 2 * GIB],
  ['a container that may have 4 GiB of it', { total: 16 * GIB, constrained: 4 * GIB }, GIB / 2],
  ['a limit beyond all there is', { total: 16 * GIB, constrained: 2 ** 63 }, 2 * GIB],
  ['a small machine', { total: GIB / 2, constrained: 0 }, GIB / 8],
])(
  'caches are sized by %s, and those of processes beside each other together as one’s',
  (_, memory, bytes) => {
    expect(cacheBudget(1, memory)).toBe(bytes)
    expect(4 * cacheBudget(4, memory)).toBe(bytes)
  },
)

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { scanKernel, scanPlainly } from './scan-kernel.ts'
import { Vectors } from './vectors.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const component = fc.float({ min: -1, max: 1, noNaN: true })
const vectorsAndQuery = fc
  .record({ dimensions: fc.integer({ min: 1, max: 70 }), count: fc.integer({ min: 0, max: 40 }) })
  .chain(({ dimensions, count }) => {
    const vector = fc
      .array(component, { minLength: dimensions, maxLength: dimensions })
      .map((components) => Float32Array.from(components))
    return fc.record({
      dimensions: fc.constant(dimensions),
      vectors: fc.array(vector, { minLength: count, maxLength: count }),
      query: vector,
    })
  })

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? Number.NaN), 0)
}

function exactCosine(one: Float32Array, other: Float32Array): number {
  const norms = Math.sqrt(dot(one, one)) * Math.sqrt(dot(other, other))
  return norms === 0 ? 0 : dot(one, other) / norms
}

/** The most by which rounding each component by half a level can move a score, and float32 four times. */
function roundingBound(row: Float32Array, query: Float32Array): number {
  const errorOf = (vector: Float32Array, levels: number) => {
    const norm = Math.sqrt(dot(vector, vector))
    const largest = Math.max(...vector.map(Math.abs))
    return norm === 0 ? 0 : ((largest / norm / levels) * Math.sqrt(vector.length)) / 2
  }
  const ofRow = errorOf(row, 127)
  const ofQuery = errorOf(query, 32_767)
  return (ofRow * (1 + ofQuery) + ofQuery) * (1 + 1e-6) + 2 ** -21
}

function scan(vectors: Vectors, query: Float32Array): Float32Array {
  const cosines = new Float32Array(vectors.length)
  vectors.scan(query, cosines)
  return cosines
}

describe.each([
  ['SIMD', scanKernel()],
  ['plain', scanPlainly],
])('vectors scanned by the %s kernel', (_, kernel) => {
  const fill = (rows: readonly Float32Array[], dimensions: number): Vectors => {
    const vectors = new Vectors(dimensions, kernel)
    for (const [row, vector] of rows.entries()) vectors.set(row, vector)
    return vectors
  }

  test('give the cosine of every row, as near as a byte a component allows', () => {
    fc.assert(
      fc.property(vectorsAndQuery, ({ dimensions, vectors, query }) => {
        const cosines = scan(fill(vectors, dimensions), query)
        for (const [row, vector] of vectors.entries()) {
          const error = Math.abs(exactCosine(query, vector) - (cosines[row] ?? Number.NaN))
          expect(error).toBeLessThanOrEqual(roundingBound(vector, query))
        }
      }),
    )
  })

  test.each([1, 15, 16, 17, 384, 1536, 4096, 65_536])(
    'keep sums of %i dimensions within 32 bits when all components are alike',
    (dimensions) => {
      const same = new Float32Array(dimensions).fill(0.5)
      const vectors = fill([same, new Float32Array(dimensions).fill(-3)], dimensions)
      const [one = 0, other = 0] = scan(vectors, same)
      expect(one).toBeCloseTo(1, 2)
      expect(other).toBeCloseTo(-1, 2)
    },
  )

  test('go on past what the kernel takes at once', () => {
    const rows = Array.from({ length: 3_000 }, (_row, row) =>
      Float32Array.from({ length: 33 }, (_value, i) => Math.sin(row * 33 + i)),
    )
    const query = Float32Array.from({ length: 33 }, (_value, i) => Math.cos(i))
    expect(scan(fill(rows, 33), query)[2_999]).toBeCloseTo(exactCosine(query, rows[2_999] ?? query), 2)
  })
})

test('both kernels give the same bits', () => {
  fc.assert(
    fc.property(vectorsAndQuery, ({ dimensions, vectors, query }) => {
      const [simd, plain] = [new Vectors(dimensions, scanKernel()), new Vectors(dimensions, scanPlainly)]
      for (const [row, vector] of vectors.entries()) {
        simd.set(row, vector)
        plain.set(row, vector)
      }
      expect(scan(simd, query)).toEqual(scan(plain, query))
    }),
  )
})

test('rows never set, removed, or of zeros score 0', () => {
  const vectors = new Vectors(2)
  vectors.set(0, Float32Array.of(1, 0))
  vectors.set(2, Float32Array.of(0, 0))
  expect([...scan(vectors, Float32Array.of(1, 0))]).toEqual([expect.closeTo(1, 2), 0, 0])
  vectors.remove(0)
  expect([...scan(vectors, Float32Array.of(1, 0))]).toEqual([0, 0, 0])
  expect([...scan(vectors, Float32Array.of(0, 0))]).toEqual([0, 0, 0])
})

test('refuses vectors of another length, or that are not finite', () => {
  const vectors = new Vectors(2)
  expect(() => vectors.set(0, Float32Array.of(1))).toThrow(/1 dimensions; this index holds 2/)
  expect(() => vectors.set(0, Float32Array.of(1, Number.NaN))).toThrow(/not a finite number/)
  for (const dimensions of [0, 1.5, 65_537])
    expect(() => new Vectors(dimensions)).toThrow(/1 to 65536 dimensions/)
  expect(vectors.length).toBe(0)
})

test.each([
  ['without SIMD', { validate: () => false }],
  ['without WebAssembly', undefined],
])('falls back to JavaScript %s', async (_, api) => {
  vi.stubGlobal('WebAssembly', api)
  vi.resetModules()
  const fresh = await import('./scan-kernel.ts')
  expect(fresh.scanKernel()).toBe(fresh.scanPlainly)
})

test('the committed bytes are what the source assembles to', () => {
  const script = fileURLToPath(new URL('../scripts/build-vector-kernel.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--check'])
})

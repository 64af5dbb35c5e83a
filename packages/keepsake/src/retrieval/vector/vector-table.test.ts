import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KernelName } from './scan-rows.ts'
import { VectorTable } from './vector-table.ts'

const component = fc.float({ min: -1, max: 1, noNaN: true })

/** Some vectors of one length, and a query. */
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

function fill(dimensions: number, vectors: readonly Float32Array[], kernel?: KernelName): VectorTable {
  const table = new VectorTable(dimensions, kernel)
  vectors.forEach((vector, row) => table.set(row, vector))
  return table
}

function scores(table: VectorTable, query: Float32Array): Float32Array {
  const out = new Float32Array(table.length)
  table.scan(query, out)
  return out
}

const unit = (dimensions: number, at: number) => {
  const vector = new Float32Array(dimensions)
  vector[at] = 1
  return vector
}

const wave = (dimensions: number, seed: number) =>
  Float32Array.from(
    { length: dimensions },
    (_, i) => Math.sin((i + 1) * (seed + 1) * 12.9898) * Math.cos(seed * 78.233 + i),
  )

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? NaN), 0)
}

function exactCosine(one: Float32Array, other: Float32Array): number {
  const norms = Math.sqrt(dot(one, one)) * Math.sqrt(dot(other, other))
  return norms === 0 ? 0 : dot(one, other) / norms
}

/**
 * The most by which rounding to levels can move a score: each component by half a level, of which the largest component has
 * 127 in a row and up to 32,767 in a query; and four roundings to float32.
 */
function roundingBound(row: Float32Array, query: Float32Array): number {
  const off = (vector: Float32Array, levels: number) => {
    const norm = Math.sqrt(dot(vector, vector))
    const largest = Math.max(...vector.map(Math.abs))
    return norm === 0 ? 0 : ((largest / norm / levels) * Math.sqrt(vector.length)) / 2
  }
  const ofRow = off(row, 127)
  const ofQuery = off(query, 32_767)
  return (ofRow * (1 + ofQuery) + ofQuery) * (1 + 1e-6) + 2 ** -21
}

describe.each(['simd', 'plain'] as const)('a vector table with the %s kernel', (kernel) => {
  test('gives the cosine of every row, as near as a byte a component allows', () => {
    fc.assert(
      fc.property(vectorsAndQuery, ({ dimensions, vectors, query }) => {
        const out = scores(fill(dimensions, vectors, kernel), query)
        vectors.forEach((vector, row) => {
          const off = Math.abs(exactCosine(query, vector) - (out[row] ?? NaN))
          expect(off).toBeLessThanOrEqual(roundingBound(vector, query))
        })
      }),
    )
  })

  test.each([1, 15, 16, 17, 383, 384, 1536, 4096])(
    'keeps its sums within 32 bits at %i dimensions, rows all of one size',
    (dimensions) => {
      // Components all alike are the hardest on 32-bit sums: every level is the largest.
      const table = new VectorTable(dimensions, kernel)
      const same = new Float32Array(dimensions).fill(0.5)
      table.set(0, same)
      table.set(1, new Float32Array(dimensions).fill(-3))
      const [one = NaN, other = NaN] = scores(table, same)
      expect(Math.abs(one - 1)).toBeLessThan(0.001)
      expect(Math.abs(other + 1)).toBeLessThan(0.001)
    },
  )

  test('rows may be set in any order, again, and emptied; empty rows score 0', () => {
    const table = new VectorTable(20, kernel)
    table.set(30, unit(20, 3))
    table.set(2, unit(20, 4))
    table.set(7, unit(20, 3))
    table.set(2, unit(20, 3))
    table.remove(7)
    table.remove(30)
    table.remove(900)
    expect(table.length).toBe(31)
    const out = scores(table, unit(20, 3))
    expect(out[2]).toBeCloseTo(1, 4)
    expect([...out].filter((score) => score !== 0)).toHaveLength(1)
    expect([...out].some((score) => Object.is(score, -0))).toBe(false)
  })

  test('agrees with a plain map under any run of sets and removals', () => {
    const step = fc.record({ row: fc.integer({ min: 0, max: 60 }), seed: fc.option(fc.nat(1000)) })
    const query = wave(24, 5000)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = new VectorTable(24, kernel)
        const model = new Map<number, Float32Array>()
        for (const { row, seed } of steps) {
          if (seed === null) {
            model.delete(row)
            table.remove(row)
          } else {
            const vector = wave(24, seed)
            model.set(row, vector)
            table.set(row, vector)
          }
        }
        scores(table, query).forEach((score, row) => {
          const vector = model.get(row)
          if (vector === undefined) expect(score).toBe(0)
          else {
            const off = Math.abs(exactCosine(query, vector) - score)
            expect(off).toBeLessThanOrEqual(roundingBound(vector, query))
          }
        })
      }),
    )
  })

  test('grows with the rows it has unharmed, over many times what is scanned at once', () => {
    const table = new VectorTable(128, kernel)
    for (let row = 0; row < 20_000; row += 1) table.set(row, wave(128, row % 50))
    const out = scores(table, wave(128, 7))
    for (const row of [7, 57, 8_007, 19_957]) expect(out[row]).toBeCloseTo(1, 2)
    expect(out[8]).toBe(out[19_958])
  })

  test('a query or vector of zeros scores 0', () => {
    const table = fill(8, [unit(8, 1), new Float32Array(8)], kernel)
    expect([...scores(table, new Float32Array(8))]).toEqual([0, 0])
    expect(scores(table, unit(8, 1))[1]).toBe(0)
  })

  test('refuses a vector of another length, one that is not finite, a row that is no row, a short output', () => {
    const table = new VectorTable(8, kernel)
    expect(() => table.set(0, new Float32Array(9))).toThrow(/9 dimensions; this table holds 8/)
    expect(() => table.set(0, new Float32Array(8).fill(NaN))).toThrow(/not a finite number/)
    expect(() => table.set(0, new Float32Array(8).fill(Infinity))).toThrow(/not a finite number/)
    expect(() => table.set(-1, unit(8, 0))).toThrow(/whole number/)
    expect(() => table.set(1.5, unit(8, 0))).toThrow(/whole number/)
    expect(table.length).toBe(0)
    table.set(3, unit(8, 0))
    expect(() => table.scan(unit(8, 0), new Float32Array(3))).toThrow(/do not fit/)
    expect(() => table.scan(new Float32Array(7), new Float32Array(4))).toThrow(/7 dimensions/)
  })

  test('says so when there is no memory for another row, and keeps what it has', () => {
    const table = fill(8, [unit(8, 1)], kernel)
    // Once: before it gives up, the engine clears the whole heap of what is not used.
    expect(() => table.set(2 ** 48, unit(8, 1))).toThrow(
      expect.objectContaining({
        code: 'not-possible',
        message: expect.stringContaining('system gives no more'),
      }),
    )
    expect(table.length).toBe(1)
    expect(scores(table, unit(8, 1))[0]).toBeCloseTo(1, 4)
  })

  test('a freed table is used no more, and freeing it twice does nothing', () => {
    const table = fill(8, [unit(8, 1)], kernel)
    table.free()
    table.free()
    expect(table.bytes).toBe(0)
    expect(() => table.set(0, unit(8, 0))).toThrow(/was freed/)
    expect(() => table.scan(unit(8, 0), new Float32Array(0))).toThrow(/was freed/)
  })
})

test('both kernels give the same scores, bit for bit', () => {
  const bits = (dimensions: number, vectors: readonly Float32Array[], query: Float32Array) =>
    (['simd', 'plain'] as const).map(
      (kernel) => new Uint32Array(scores(fill(dimensions, vectors, kernel), query).buffer),
    )
  fc.assert(
    fc.property(vectorsAndQuery, ({ dimensions, vectors, query }) => {
      const [simd, plain] = bits(dimensions, vectors, query)
      expect(simd).toEqual(plain)
    }),
  )
  for (const dimensions of [384, 1536, 10_000, 65_536]) {
    const vectors = Array.from({ length: 5 }, (_, seed) => wave(dimensions, seed))
    const [simd, plain] = bits(dimensions, vectors, wave(dimensions, 77))
    expect(simd).toEqual(plain)
  }
})

test('wastes little: a fifth of a large table at most, a few kilobytes of a small one', () => {
  const ten = fill(
    384,
    Array.from({ length: 10 }, (_, seed) => wave(384, seed)),
  )
  expect(ten.bytes).toBe(4000)
  const thousand = new VectorTable(384)
  for (let row = 0; row < 1000; row += 1) thousand.set(row, wave(384, row % 7))
  expect(thousand.bytes).toBeLessThan(1000 * 400 * 1.25)
})

test('refuses dimensions out of range', () => {
  for (const dimensions of [0, -1, 1.5, 65_537, NaN])
    expect(() => new VectorTable(dimensions)).toThrow(/1 to 65536/)
})

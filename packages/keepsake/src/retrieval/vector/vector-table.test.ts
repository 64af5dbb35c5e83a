import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KeepsakeError } from '../../errors/keepsake-error.ts'
import { rescore } from './rescore.ts'
import { VectorArena } from './vector-arena.ts'
import type { VectorTable } from './vector-table.ts'

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

function fill(arena: VectorArena, dimensions: number, vectors: readonly Float32Array[]): VectorTable {
  const table = arena.createTable(dimensions)
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

describe.each(['simd', 'plain'] as const)('a vector table with the %s kernel', (kernel) => {
  test('uses the kernel it was told to', () => {
    expect(new VectorArena({ kernel }).kernel).toBe(kernel)
  })

  test('gives the cosine of every row within the bound it states', () => {
    const arena = new VectorArena({ kernel })
    fc.assert(
      fc.property(vectorsAndQuery, ({ dimensions, vectors, query }) => {
        const table = fill(arena, dimensions, vectors)
        const out = new Float32Array(table.length)
        const bound = table.scan(query, out)
        const exact = rescore(query, vectors)
        exact.forEach((cosine, row) =>
          expect(Math.abs(cosine - (out[row] ?? NaN))).toBeLessThanOrEqual(bound),
        )
        expect(bound).toBeLessThanOrEqual(table.errorBound)
        table.free()
      }),
    )
  })

  test.each([1, 15, 16, 17, 383, 384, 1536, 4096])(
    'keeps to its bound at %i dimensions, rows all of one size',
    (dimensions) => {
      // Components all alike are the hardest on 32-bit sums: every level is the largest.
      const table = new VectorArena({ kernel }).createTable(dimensions)
      const same = new Float32Array(dimensions).fill(0.5)
      const opposite = new Float32Array(dimensions).fill(-3)
      table.set(0, same)
      table.set(1, opposite)
      const out = new Float32Array(2)
      const bound = table.scan(same, out)
      expect(Math.abs((out[0] ?? 0) - 1)).toBeLessThanOrEqual(bound)
      expect(Math.abs((out[1] ?? 0) + 1)).toBeLessThanOrEqual(bound)
      expect(bound).toBeLessThan(0.001)
    },
  )

  test('rows may be set in any order, again, and emptied; empty rows score 0', () => {
    const table = new VectorArena({ kernel }).createTable(20)
    table.set(30, unit(20, 3))
    table.set(2, unit(20, 4))
    table.set(7, unit(20, 3))
    table.set(2, unit(20, 3))
    table.remove(7)
    table.set(30, null)
    table.remove(900)
    expect(table.length).toBe(31)
    const out = scores(table, unit(20, 3))
    expect(out[2]).toBeCloseTo(1, 4)
    expect([...out].filter((score) => score !== 0)).toHaveLength(1)
    expect([...out].some((score) => Object.is(score, -0))).toBe(false)
    expect([table.has(2), table.has(7), table.has(30), table.has(900)]).toEqual([true, false, false, false])
  })

  test('agrees with a plain map under any run of sets and removals', () => {
    const arena = new VectorArena({ kernel })
    const step = fc.record({ row: fc.integer({ min: 0, max: 60 }), seed: fc.option(fc.nat(1000)) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = arena.createTable(24)
        const model = new Map<number, Float32Array>()
        for (const { row, seed } of steps) {
          if (seed === null) model.delete(row)
          else model.set(row, wave(24, seed))
          table.set(row, model.get(row) ?? null)
        }
        const query = wave(24, 5000)
        const out = scores(table, query)
        out.forEach((score, row) => {
          const vector = model.get(row)
          const exact = vector === undefined ? 0 : (rescore(query, [vector])[0] ?? NaN)
          expect(Math.abs(exact - score)).toBeLessThanOrEqual(table.errorBound)
          expect(table.has(row)).toBe(vector !== undefined)
        })
        table.free()
      }),
    )
  })

  test('grows past what was first reserved, with the rows before it unharmed', () => {
    const arena = new VectorArena({ kernel })
    const before = arena.bytes
    const first = fill(arena, 128, [wave(128, 1)])
    const large = arena.createTable(128)
    for (let row = 0; row < 20_000; row += 1) large.set(row, wave(128, row % 50))
    expect(arena.bytes).toBeGreaterThan(before)
    expect(scores(first, wave(128, 1))[0]).toBeCloseTo(1, 2)
    const out = scores(large, wave(128, 7))
    for (const row of [7, 57, 8_007, 19_957]) expect(out[row]).toBeCloseTo(1, 2)
    expect(out[8]).toBe(out[19_958])
  })

  test('a query or vector of zeros scores 0', () => {
    const table = new VectorArena({ kernel }).createTable(8)
    table.set(0, unit(8, 1))
    table.set(1, new Float32Array(8))
    expect([...scores(table, new Float32Array(8))]).toEqual([0, 0])
    expect(scores(table, unit(8, 1))[1]).toBe(0)
  })

  test('refuses a vector of another length, one that is not finite, a row that is no row, a short output', () => {
    const table = new VectorArena({ kernel }).createTable(8)
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

  test('a full arena says so, keeps what it has, and serves others once something is freed', () => {
    const arena = new VectorArena({ kernel, maxBytes: 2 << 20 })
    const table = arena.createTable(512)
    let rows = 0
    const fillUp = () => {
      for (;;) {
        table.set(rows, wave(512, rows % 9))
        rows += 1
      }
    }
    expect(fillUp).toThrow(KeepsakeError)
    expect(fillUp).toThrow(/that is the limit set/)
    expect(table.length).toBe(rows)
    expect(scores(table, wave(512, 4))[4]).toBeCloseTo(1, 2)
    table.free()
    const other = fill(arena, 512, [wave(512, 1)])
    expect(other.length).toBe(1)
  })

  test('a freed table is used no more, and freeing it twice does nothing', () => {
    const arena = new VectorArena({ kernel })
    const table = fill(arena, 8, [unit(8, 1)])
    table.free()
    table.free()
    expect(table.bytes).toBe(0)
    expect(() => table.set(0, unit(8, 0))).toThrow(/was freed/)
    expect(() => table.scan(unit(8, 0), new Float32Array(0))).toThrow(/was freed/)
  })
})

test('both kernels give the same scores, bit for bit', () => {
  const simd = new VectorArena({ kernel: 'simd' })
  const plain = new VectorArena({ kernel: 'plain' })
  fc.assert(
    fc.property(vectorsAndQuery, ({ dimensions, vectors, query }) => {
      const one = fill(simd, dimensions, vectors)
      const other = fill(plain, dimensions, vectors)
      expect(new Uint32Array(scores(one, query).buffer)).toEqual(new Uint32Array(scores(other, query).buffer))
      one.free()
      other.free()
    }),
  )
  for (const dimensions of [384, 1536, 10_000]) {
    const vectors = Array.from({ length: 30 }, (_, seed) => wave(dimensions, seed))
    const query = wave(dimensions, 77)
    expect(scores(fill(simd, dimensions, vectors), query)).toEqual(
      scores(fill(plain, dimensions, vectors), query),
    )
  }
})

test('small tables waste little: ten rows take one 4 KiB block, a thousand a fifth more than their bytes', () => {
  const arena = new VectorArena({ kernel: 'plain' })
  const ten = fill(
    arena,
    384,
    Array.from({ length: 10 }, (_, seed) => wave(384, seed)),
  )
  expect(ten.bytes).toBe(4096)
  const thousand = arena.createTable(384)
  for (let row = 0; row < 1000; row += 1) thousand.set(row, wave(384, row % 7))
  expect(thousand.bytes).toBeLessThan(1000 * 388 * 1.25)
})

test('what tables freed is used again, by tables of any size', () => {
  const arena = new VectorArena({ kernel: 'plain' })
  const round = (tables: number, rows: number) => {
    const made = Array.from({ length: tables }, () => arena.createTable(64))
    for (const table of made) for (let row = 0; row < rows; row += 1) table.set(row, unit(64, row % 64))
    for (const table of made) table.free()
  }
  round(500, 40)
  const { bytes, usedBytes } = arena
  round(1, 15_000)
  round(50, 300)
  round(500, 40)
  expect(arena.bytes).toBe(bytes)
  expect(arena.usedBytes).toBe(usedBytes)
})

test('freed and removed vectors leave no bytes behind for the next table', () => {
  const arena = new VectorArena({ kernel: 'simd' })
  const table = fill(arena, 16, [unit(16, 2)])
  table.free()
  const next = arena.createTable(16)
  next.set(5, unit(16, 9))
  expect([...scores(next, unit(16, 2))]).toEqual([0, 0, 0, 0, 0, 0])
})

test('refuses dimensions and limits out of range', () => {
  const arena = new VectorArena({ kernel: 'plain' })
  for (const dimensions of [0, -1, 1.5, 65_537, NaN])
    expect(() => arena.createTable(dimensions)).toThrow(/1 to 65536/)
  for (const maxBytes of [0, 1000, 2 ** 33, NaN])
    expect(() => new VectorArena({ maxBytes })).toThrow(/must lie between/)
})

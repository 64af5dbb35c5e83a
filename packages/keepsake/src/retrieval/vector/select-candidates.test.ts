import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rescore } from './rescore.ts'
import { selectCandidates, selectContenders } from './select-candidates.ts'
import { VectorArena } from './vector-arena.ts'

/** Row numbers by exact cosine, best first, equal ones in order of row. */
function rank(
  query: Float32Array,
  vectors: readonly Float32Array[],
  rows: readonly number[],
  k: number,
): number[] {
  const cosines = rescore(
    query,
    rows.map((row) => vectors[row] ?? new Float32Array(0)),
  )
  return rows
    .map((row, i) => ({ row, cosine: cosines[i] ?? NaN }))
    .sort((a, b) => b.cosine - a.cosine || a.row - b.row)
    .slice(0, k)
    .map(({ row }) => row)
}

/** Vectors close to one another, so that quantisation does mix up their order. */
const crowd = fc.record({
  dimensions: fc.integer({ min: 2, max: 40 }),
  count: fc.integer({ min: 1, max: 120 }),
  k: fc.integer({ min: 1, max: 15 }),
  spread: fc.constantFrom(1e-6, 1e-4, 1e-2, 1),
  seed: fc.nat(1_000_000),
})

function makeCrowd({
  dimensions,
  count,
  spread,
  seed,
}: {
  dimensions: number
  count: number
  spread: number
  seed: number
}) {
  let state = seed + 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  const centre = Float32Array.from({ length: dimensions }, next)
  const near = () => centre.map((component) => component + spread * next())
  return { query: near(), vectors: Array.from({ length: count }, near) }
}

function inTwoSteps(
  query: Float32Array,
  vectors: readonly Float32Array[],
  scores: Float32Array,
  k: number,
  bound: number,
): number[] {
  const first = selectCandidates(scores, k, 0)
  const exact = rescore(
    query,
    first.map((row) => vectors[row] ?? new Float32Array(0)),
  )
  const rows = selectContenders(scores, exact.toSorted().at(-k) ?? -Infinity, bound)
  return [...new Set([...first, ...rows])]
}

test('the best k of the candidates rescored are the best k of all', () => {
  const arena = new VectorArena()
  let mixedUp = 0
  fc.assert(
    fc.property(crowd, (shape) => {
      const { query, vectors } = makeCrowd(shape)
      const table = arena.createTable(shape.dimensions)
      vectors.forEach((vector, row) => table.set(row, vector))
      const scores = new Float32Array(table.length)
      const bound = table.scan(query, scores)
      const candidates = selectCandidates(scores, shape.k, bound)
      const wanted = rank(query, vectors, [...vectors.keys()], shape.k)
      expect(rank(query, vectors, candidates, shape.k)).toEqual(wanted)
      expect(rank(query, vectors, inTwoSteps(query, vectors, scores, shape.k, bound), shape.k)).toEqual(
        wanted,
      )
      if (candidates.slice(0, shape.k).join() !== wanted.join()) mixedUp += 1
      table.free()
    }),
    { numRuns: 400 },
  )
  // Otherwise the test could not fail: the order before rescoring must often be wrong.
  expect(mixedUp).toBeGreaterThan(40)
})

test('takes all rows within twice the bound of the k-th best, best first, equal ones by row', () => {
  const scores = Float32Array.of(0.5, 0.9, 0.625, 0.75, 0.74, 0.9)
  expect(selectCandidates(scores, 2, 0)).toEqual([1, 5])
  expect(selectCandidates(scores, 3, 0.0625)).toEqual([1, 5, 3, 4, 2])
  expect(selectCandidates(scores, 1, 0)).toEqual([1, 5])
})

test('rows that are not eligible are neither taken nor counted', () => {
  const scores = Float32Array.of(0, 0.9, -0.25, -0.5, 0)
  expect(selectCandidates(scores, 1, 0.01, (row) => row === 2 || row === 3)).toEqual([2])
})

test('fewer rows than k: all of them; none: none', () => {
  expect(selectCandidates(Float32Array.of(0.1, 0.2), 10, 0.01)).toEqual([1, 0])
  expect(selectCandidates(new Float32Array(0), 10, 0.01)).toEqual([])
})

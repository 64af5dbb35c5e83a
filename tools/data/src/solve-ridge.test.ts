import { Matrix, solve } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { solveRidge, times, type RidgeRow } from './solve-ridge.ts'

/** Two dense and two sparse columns. */
const rows: RidgeRow[] = [
  { dense: Float64Array.from([1, 2]), sparse: [0], sparseValues: [1] },
  { dense: Float64Array.from([0, -1]), sparse: [0, 1], sparseValues: [0.6, 0.8] },
  { dense: Float64Array.from([3, 0.5]), sparse: [], sparseValues: [] },
]
const full = new Matrix([
  [1, 2, 1, 0],
  [0, -1, 0.6, 0.8],
  [3, 0.5, 0, 0],
])
const y = Float64Array.from([1, -2, 0.5])

describe('solveRidge', () => {
  it.each([0.1, 1, 10])('agrees with a direct solution at λ = %d', (lambda) => {
    const normal = full.transpose().mmul(full).add(Matrix.eye(4).mul(lambda))
    const direct = solve(normal, full.transpose().mmul(Matrix.columnVector(Array.from(y)))).to1DArray()
    for (const [at, weight] of solveRidge(rows, y, 4, lambda).entries())
      expect(weight).toBeCloseTo(direct[at] ?? NaN, 8)
  })

  it('multiplies as the full matrix does', () => {
    const weights = Float64Array.from([1, -1, 2, 0.5])
    expect(Array.from(times(rows, weights))).toEqual(
      full.mmul(Matrix.columnVector(Array.from(weights))).to1DArray(),
    )
  })
})

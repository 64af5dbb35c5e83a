/** A row of a matrix. `dense` has the values from column 0 on. `sparse` are columns, counted after the dense ones, with `sparseValues`. */
export interface RidgeRow {
  readonly dense: Float64Array
  readonly sparse: readonly number[]
  readonly sparseValues: readonly number[]
}

/** Computes a ridge regression by conjugate gradients, since the matrix has too many columns for a dense decomposition. */
export function solveRidge(
  rows: readonly RidgeRow[],
  y: Float64Array,
  columns: number,
  lambda: number,
): Float64Array {
  const weights = new Float64Array(columns)
  const residual = transposeTimes(rows, y, columns)
  const direction = residual.slice()
  let squares = dot(residual, residual)
  const enough = squares * 1e-12
  for (let round = 0; round < 300 && squares > enough; round++) {
    const image = transposeTimes(rows, times(rows, direction), columns)
    addScaled(image, direction, lambda)
    const step = squares / dot(direction, image)
    addScaled(weights, direction, step)
    addScaled(residual, image, -step)
    const next = dot(residual, residual)
    for (let at = 0; at < columns; at++) {
      direction[at] = (residual[at] ?? 0) + (next / squares) * (direction[at] ?? 0)
    }
    squares = next
  }
  return weights
}

/** Returns the product of the matrix and the weights: one value for each row. */
export function times(rows: readonly RidgeRow[], weights: Float64Array): Float64Array {
  return Float64Array.from(rows, ({ dense, sparse, sparseValues }) => {
    let sum = 0
    for (let at = 0; at < dense.length; at++) sum += (dense[at] ?? 0) * (weights[at] ?? 0)
    for (const [at, column] of sparse.entries())
      sum += (sparseValues[at] ?? 0) * (weights[dense.length + column] ?? 0)
    return sum
  })
}

function transposeTimes(rows: readonly RidgeRow[], values: Float64Array, columns: number): Float64Array {
  const result = new Float64Array(columns)
  for (const [row, { dense, sparse, sparseValues }] of rows.entries()) {
    const value = values[row] ?? 0
    for (let at = 0; at < dense.length; at++) result[at] = (result[at] ?? 0) + value * (dense[at] ?? 0)
    for (const [at, column] of sparse.entries()) {
      result[dense.length + column] = (result[dense.length + column] ?? 0) + value * (sparseValues[at] ?? 0)
    }
  }
  return result
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}

function addScaled(target: Float64Array, added: Float64Array, factor: number): void {
  for (let at = 0; at < target.length; at++) target[at] = (target[at] ?? 0) + factor * (added[at] ?? 0)
}

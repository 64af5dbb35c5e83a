/**
 * The exact cosine of the query with each row, in float64; 0 where either is all zeros.
 * @param rows The float32 vectors as stored, of the query's length.
 */
export function rescore(query: Float32Array, rows: readonly Float32Array[]): Float64Array {
  const queryNorm = Math.sqrt(dot(query, query))
  return Float64Array.from(rows, (row) => {
    const norms = queryNorm * Math.sqrt(dot(row, row))
    return norms === 0 ? 0 : dot(query, row) / norms
  })
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number)
  return sum
}

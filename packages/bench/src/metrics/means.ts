// Sums, means and dot products.

export function sum(values: readonly number[]): number {
  return values.reduce((whole, value) => whole + value, 0)
}

/** The mean of the values that are not `null`. `null` without such values. */
export function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null)
  return present.length === 0 ? null : sum(present) / present.length
}

export const NO_VECTOR = new Float32Array()

/** The dot product, which is the cosine of vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0)
  return total
}

// Sums, means and dot products.

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Computes the mean of the values that are not `null`. `null`: there are none. */
export function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null)
  return present.length === 0 ? null : sum(present) / present.length
}

/** The vector of a text without one. Its cosine with any vector is 0. */
export const NO_VECTOR = new Float32Array()

/** Computes the dot product, which is the cosine of vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0)
  return total
}

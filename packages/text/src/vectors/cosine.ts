/** Returns the cosine of two L2-normalised vectors, their dot product. Returns 0 if one is missing or the lengths differ. */
export function cosine(one: Float32Array, other: Float32Array | undefined): number {
  if (other === undefined || other.length !== one.length) return 0
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** Returns the cosine of two L2-normalised vectors, their dot product. Returns 0 if one is missing or the lengths differ. */
export function cosine(first: Float32Array, second: Float32Array | undefined): number {
  if (second === undefined || second.length !== first.length) return 0
  let sum = 0
  for (let index = 0; index < first.length; index += 1) sum += (first[index] ?? 0) * (second[index] ?? 0)
  return sum
}

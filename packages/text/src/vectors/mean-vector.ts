import { normaliseVector } from './normalise-vector.ts'

/** Returns the normalised mean of vectors of one length, or an empty vector if there are none. */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [i, part] of vector.entries()) mean[i] = (mean[i] ?? 0) + part
  return normaliseVector(mean)
}

import { ModelError, normaliseVector } from '@keepsake/text'

/**
 * What a model answered, as normalised vectors.
 * @param expected how many vectors, and how long if that is known.
 * @throws ModelError when the number or a length differs, or a value is not finite.
 */
export function checkEmbeddings(
  id: string,
  embeddings: readonly ArrayLike<number>[],
  expected: { count: number; dimensions: number | undefined },
): Float32Array[] {
  if (embeddings.length !== expected.count) {
    throw new ModelError(`${id} was given ${expected.count} texts and answered ${embeddings.length} vectors.`)
  }
  const dimensions = expected.dimensions ?? embeddings[0]?.length
  return embeddings.map((embedding) => {
    if (embedding.length === 0 || embedding.length !== dimensions) {
      throw new ModelError(
        `${id} answered a vector of length ${embedding.length} where ${dimensions} was expected.`,
      )
    }
    const vector = Float32Array.from(embedding)
    if (!vector.every(Number.isFinite))
      throw new ModelError(`${id} answered a vector that is not all numbers.`)
    return normaliseVector(vector)
  })
}

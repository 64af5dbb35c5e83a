import type { EmbeddingModel } from 'keepsake'
import { seededRandom } from '../metrics/seeded-random.ts'

/**
 * An embedding model that knows nothing: a unit vector a text, uniform in direction, the same for the same
 * text. It stands for a model of that many dimensions that answers at once, so that only the memory's own work
 * is timed.
 */
export function seededVectors(dimensions: number): EmbeddingModel {
  const embedNow = (text: string) => unitVector(hashText(text), dimensions)
  return {
    id: `bench/seeded-${dimensions}`,
    dimensions,
    embed: (texts) => Promise.resolve(texts.map(embedNow)),
    embedNow,
  }
}

/** FNV-1a, 32 bits (Fowler, Noll and Vo). */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Four uniform numbers added up are near enough to normal for the direction to be uniform, and cheap. */
function unitVector(seed: number, dimensions: number): Float32Array {
  const random = seededRandom(seed)
  const vector = new Float32Array(dimensions)
  let squares = 0
  for (let i = 0; i < dimensions; i += 1) {
    const component = random() + random() + random() + random() - 2
    vector[i] = component
    squares += component * component
  }
  const norm = Math.sqrt(squares)
  for (let i = 0; i < dimensions; i += 1) vector[i] = (vector[i] ?? 0) / norm
  return vector
}

/** Hashes a text by FNV-1a, and mixes the bits by the last step of MurmurHash3, so that the low bits are usable. */
export function hashText(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Number of positions at which a feature is added. If two features share one position, they still differ at the others. */
const POSITIONS = 4

/** Adds a feature by signed hashing (Weinberger et al. 2009). The dot product of two features is zero on average. */
export function addHashedFeature(vector: Float32Array, feature: string, weight: number): void {
  const amount = weight / Math.sqrt(POSITIONS)
  for (let position = 0; position < POSITIONS; position++) {
    // The multiples of this odd number (2³² divided by the golden ratio) are seeds far apart.
    const hash = hashText(feature, position * 0x9e3779b1)
    const slot = (hash >>> 1) % vector.length
    vector[slot] = (vector[slot] ?? 0) + (hash & 1 ? amount : -amount)
  }
}

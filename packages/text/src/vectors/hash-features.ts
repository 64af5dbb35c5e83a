/** Hashes UTF-16 units by FNV-1a, with murmur3's finaliser so that low bits are usable. */
export function hashText(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Positions of each feature. A collision then costs a fraction, not the whole. */
const TIMES = 4

/** Adds a feature by signed hashing (Weinberger et al. 2009): two features' dot product is expected to be zero. */
export function addHashedFeature(vector: Float32Array, feature: string, weight: number): void {
  const amount = weight / Math.sqrt(TIMES)
  for (let time = 0; time < TIMES; time++) {
    const hash = hashText(feature, time * 0x9e3779b1)
    const slot = (hash >>> 1) % vector.length
    vector[slot] = (vector[slot] ?? 0) + (hash & 1 ? amount : -amount)
  }
}

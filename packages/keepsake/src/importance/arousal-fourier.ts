/** Width of a block; at least the number of inputs, a power of two for the Walsh–Hadamard transform. */
export const BLOCK = 512
/** Correlation on EmoBank dev with 2, 4 and 8 blocks: 0.5215, 0.5213, 0.5208; four keep a text under 0.2 ms. */
const BLOCKS = 4
/** Features that come out. */
export const FOURIER_FEATURES = BLOCK * BLOCKS

/** Signs and phases of the random features, the same for a seed everywhere. */
export interface FourierBasis {
  /** Three diagonals of ±1 a block. */
  readonly signs: Float64Array
  readonly phases: Float64Array
}

/** @param seed a positive 32-bit integer; weights belong to the seed they were fitted with. */
export function makeFourierBasis(seed: number): FourierBasis {
  const next = xorshift(seed)
  const signs = Float64Array.from({ length: 3 * FOURIER_FEATURES }, () => (next() < 0.5 ? -1 : 1))
  const phases = Float64Array.from({ length: FOURIER_FEATURES }, () => 2 * Math.PI * next())
  return { signs, phases }
}

/**
 * Structured orthogonal random features (Yu et al. 2016): products of their vectors approach the Gaussian
 * kernel exp(−‖x − y‖² / 2), at the cost of three fast transforms a block and no stored matrix.
 * @param input at most `BLOCK` numbers, scaled by the caller to the kernel's width.
 */
export function fourierFeatures(input: Float64Array, basis: FourierBasis): Float64Array {
  const features = new Float64Array(FOURIER_FEATURES)
  const work = new Float64Array(BLOCK)
  // Each transform multiplies lengths by √BLOCK; √BLOCK·(H/√BLOCK)³ is wanted, so one factor stays.
  const scale = 1 / BLOCK
  const amplitude = Math.sqrt(2 / FOURIER_FEATURES)
  for (let block = 0; block < BLOCKS; block++) {
    work.fill(0)
    work.set(input)
    for (let round = 0; round < 3; round++) {
      const from = (block * 3 + round) * BLOCK
      for (let at = 0; at < BLOCK; at++) work[at] = (work[at] ?? 0) * (basis.signs[from + at] ?? 0)
      walshHadamard(work)
    }
    for (let at = 0; at < BLOCK; at++) {
      const feature = block * BLOCK + at
      features[feature] = amplitude * Math.cos((work[at] ?? 0) * scale + (basis.phases[feature] ?? 0))
    }
  }
  return features
}

/** In place, unnormalised. Two of its steps at a time, which adds the same in the same order. */
export function walshHadamard(values: Float64Array): void {
  const { length } = values
  let quarter = 1
  for (; 4 * quarter <= length; quarter *= 4)
    for (let from = 0; from < length; from += 4 * quarter)
      for (let at = from; at < from + quarter; at++) addFour(values, at, quarter)
  if (quarter === length) return
  for (let at = 0; at < quarter; at++) {
    const left = values[at] ?? 0
    const right = values[at + quarter] ?? 0
    values[at] = left + right
    values[at + quarter] = left - right
  }
}

function addFour(values: Float64Array, at: number, apart: number): void {
  const second = at + apart
  const third = second + apart
  const fourth = third + apart
  const sum = (values[at] ?? 0) + (values[second] ?? 0)
  const difference = (values[at] ?? 0) - (values[second] ?? 0)
  const nextSum = (values[third] ?? 0) + (values[fourth] ?? 0)
  const nextDifference = (values[third] ?? 0) - (values[fourth] ?? 0)
  values[at] = sum + nextSum
  values[second] = difference + nextDifference
  values[third] = sum - nextSum
  values[fourth] = difference - nextDifference
}

/** Marsaglia's xorshift32: numbers in [0, 1). */
function xorshift(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

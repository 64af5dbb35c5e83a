/** A component of a row is held in −127…127, and as that plus ROW_OFFSET. */
export const ROW_LEVELS = 127
export const ROW_OFFSET = 128

const QUERY_LEVELS = 32_767
const LARGEST_DOT = 2 ** 31 - 1

/**
 * The kernel rounds to float32 four times (the integer, two products, the sum with 0), each by at most 2^-24
 * of a score that is at most a hair over 1; twice that leaves room for the float64 sums below.
 */
export const ROUNDING_ERROR = 2 ** -21

/** A vector's length and its largest component in absolute value. */
export interface VectorExtent {
  norm: number
  largest: number
}

/** Measures a vector in float64. Both are NaN or infinite when a component is. */
export function measureVector(vector: Float32Array): VectorExtent {
  const { length } = vector
  const whole = length - (length % 4)
  // Four sums at a time do not wait for each other: loading a person's vectors is mostly this.
  let [a, b, c, d, largest] = [0, 0, 0, 0, 0]
  for (let i = 0; i < whole; i += 4) {
    const w = Math.abs(vector[i] as number)
    const x = Math.abs(vector[i + 1] as number)
    const y = Math.abs(vector[i + 2] as number)
    const z = Math.abs(vector[i + 3] as number)
    a += w * w
    b += x * x
    c += y * y
    d += z * z
    largest = Math.max(largest, w, x, y, z)
  }
  for (let i = whole; i < length; i += 1) {
    const w = Math.abs(vector[i] as number)
    a += w * w
    largest = Math.max(largest, w)
  }
  return { norm: Math.sqrt(a + b + c + d), largest }
}

/** What became of a vector that was quantised: multiply by `scale` to get back to length 1, `error` away from it. */
export interface Quantised {
  /** A float32 value. 0 for a vector of zeros. */
  scale: number
  /** Euclidean length of the difference between the unit vector and its quantised form. */
  error: number
}

/**
 * Writes `vector / |vector|` into `bytes[at…]` as int8 + 128 with the one scale that makes the largest component 127.
 * `extent` is `measureVector(vector)` and finite.
 */
export function quantiseRow(
  vector: Float32Array,
  extent: VectorExtent,
  bytes: Uint8Array,
  at: number,
): Quantised {
  const { norm, largest } = extent
  if (norm === 0) {
    bytes.fill(ROW_OFFSET, at, at + vector.length)
    return { scale: 0, error: 0 }
  }
  const scale = Math.fround(largest / norm / ROW_LEVELS)
  const levelsPerUnit = 1 / (scale * norm)
  let squares = 0
  for (let i = 0; i < vector.length; i += 1) {
    const level = (vector[i] as number) * levelsPerUnit
    const rounded = (level + (ROW_OFFSET + 0.5)) | 0
    bytes[at + i] = rounded
    const off = level - (rounded - ROW_OFFSET)
    squares += off * off
  }
  return { scale, error: Math.sqrt(squares) * scale }
}

/**
 * Levels a unit of length the query may have so that no dot product with a row leaves 32 bits: by
 * Cauchy–Schwarz it is at most the product of the two lengths in levels, and a row's is at most 127 √d.
 * Rounding adds at most √d / 2 levels to the query's. It binds above some 500 dimensions, and there only for
 * vectors whose components are all of a size.
 */
function mostLevels(dimensions: number): number {
  const root = Math.sqrt(dimensions)
  return LARGEST_DOT / (ROW_LEVELS * root) - root / 2 - 1
}

/** A quantised query: also the 128 that rows carry, times the sum of its components, wrapped to 32 bits. */
export interface QuantisedQuery extends Quantised {
  bias: number
}

/**
 * Writes `query / |query|` into `words[at…]` as int16, in each group of 16 the even components before the odd
 * ones, as the kernel reads them. The group that is not full is filled with zeros.
 */
export function quantiseQuery(
  query: Float32Array,
  extent: VectorExtent,
  words: Int16Array,
  at: number,
): QuantisedQuery {
  const { norm, largest } = extent
  words.fill(0, at, at + Math.ceil(query.length / 16) * 16)
  if (norm === 0) return { scale: 0, error: 0, bias: 0 }
  const scale = Math.fround(Math.max(largest / norm / QUERY_LEVELS, 1 / mostLevels(query.length)))
  const levelsPerUnit = 1 / (scale * norm)
  let squares = 0
  let sum = 0
  for (let i = 0; i < query.length; i += 1) {
    const level = (query[i] as number) * levelsPerUnit
    const rounded = Math.round(level)
    words[at + (i & ~15) + ((i & 15) >> 1) + (i & 1) * 8] = rounded
    sum += rounded
    squares += (level - rounded) * (level - rounded)
  }
  return { scale, error: Math.sqrt(squares) * scale, bias: (sum * ROW_OFFSET) | 0 }
}

/** The most by which any query of this many dimensions can be off its quantised form. */
export function worstQueryError(dimensions: number): number {
  const coarsest = Math.max(1 / QUERY_LEVELS, 1 / mostLevels(dimensions))
  return (coarsest * Math.sqrt(dimensions)) / 2
}

/**
 * The most by which a score can be off the exact cosine. With r = r̂ + e and q = q̂ + f (exact = quantised +
 * error), r·q − r̂·q̂ = e·q̂ + r·f, so it is at most |e| |q̂| + |f| ≤ |e| (1 + |f|) + |f|.
 */
export function scoreError(rowError: number, queryError: number): number {
  return rowError * (1 + queryError) + queryError + ROUNDING_ERROR
}

/** A component of a row is held in −127…127. */
const ROW_LEVELS = 127
const QUERY_LEVELS = 32_767
const LARGEST_DOT = 2 ** 31 - 1

/** A vector's length and its largest component in absolute value. */
export interface VectorExtent {
  readonly norm: number
  readonly largest: number
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

/**
 * Writes `vector / |vector|` into `levels[at…]` with the one scale that makes its largest component 127.
 *
 * @param extent `measureVector(vector)`, finite
 * @returns what to multiply a level by to get the component back: a float32 value, 0 for a vector of zeros
 */
export function quantiseRow(
  vector: Float32Array,
  { norm, largest }: VectorExtent,
  levels: Int8Array,
  at: number,
): number {
  if (norm === 0) {
    levels.fill(0, at, at + vector.length)
    return 0
  }
  const scale = Math.fround(largest / norm / ROW_LEVELS)
  const levelsPerUnit = 1 / (scale * norm)
  // Truncating what is above zero is rounding, and far quicker than Math.round or Math.floor.
  for (let i = 0; i < vector.length; i += 1)
    levels[at + i] = (((vector[i] as number) * levelsPerUnit + (ROW_LEVELS + 1.5)) | 0) - (ROW_LEVELS + 1)
  return scale
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

/** Writes `query / |query|` into `levels`, which is as long or longer. See `quantiseRow`. */
export function quantiseQuery(
  query: Float32Array,
  { norm, largest }: VectorExtent,
  levels: Int16Array,
): number {
  levels.fill(0)
  if (norm === 0) return 0
  const scale = Math.fround(Math.max(largest / norm / QUERY_LEVELS, 1 / mostLevels(query.length)))
  const levelsPerUnit = 1 / (scale * norm)
  for (let i = 0; i < query.length; i += 1) levels[i] = Math.round((query[i] as number) * levelsPerUnit)
  return scale
}

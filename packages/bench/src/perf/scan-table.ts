import { median } from 'simple-statistics'
import { VectorTable } from 'keepsake/parts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { quantilesNamed, round } from './time-calls.ts'

const UNMEASURED = 100
const FEWEST_CALLS = 30
const MOST_CALLS = 1000

export const KERNELS = ['simd', 'plain'] as const

export interface TableShape {
  readonly kernel: (typeof KERNELS)[number]
  readonly rows: number
  readonly dimensions: number
}

/**
 * Times the exact scan of vectors in memory by itself, beside a plain pass over as many bytes (C's memchr for one that is not
 * among them, about the least a pass can do), taken in turns so that both meet the same machine. Vectors are normal in every component.
 *
 * @param budget milliseconds of scanning, at most; never fewer than 30 calls, never more than 1,000
 */
export function measureTable(
  { kernel, rows, dimensions }: TableShape,
  { seed, budget }: { readonly seed: number; readonly budget: number },
) {
  const nextVector = normalVectors(dimensions, seed)
  const table = new VectorTable(dimensions, kernel)
  const vectors = Array.from({ length: rows }, nextVector)
  const setTimes = vectors.map((vector, row) => timed(() => table.set(row, vector)))
  const queries = Array.from({ length: 20 }, nextVector)
  const { first, scan, pass } = timeScans(table, queries, budget)
  const figures = {
    ...quantilesNamed('scan', scan),
    // Before V8 has optimised the kernel.
    first_scan_ms: round(first),
    pass_p50_ms: round(median([...pass])),
    scan_over_memory_pass: round(median([...scan]) / median([...pass])),
    set_mean_us: round((setTimes.reduce((sum, time) => sum + time, 0) / rows) * 1000),
    bytes_per_row: round(table.bytes / rows),
    ...measureErrors(table, queries, vectors),
    calls: scan.length,
  }
  table.free()
  return figures
}

interface ScanTimes {
  readonly first: number
  readonly scan: readonly number[]
  readonly pass: readonly number[]
}

function timeScans(table: VectorTable, queries: readonly Float32Array[], budget: number): ScanTimes {
  const out = new Float32Array(table.length)
  const ones = Buffer.alloc(table.bytes, 1)
  const call = (i: number) => {
    const query = queries[i % queries.length] ?? new Float32Array(table.dimensions)
    return timed(() => table.scan(query, out))
  }
  const first = call(0)
  for (let i = 0; i < UNMEASURED; i += 1) call(i)
  const calls = Math.min(MOST_CALLS, Math.max(FEWEST_CALLS, Math.floor(budget / call(0))))
  const times = { first, scan: [] as number[], pass: [] as number[] }
  for (let i = -UNMEASURED; i < calls; i += 1) {
    const scan = call(i + UNMEASURED)
    const pass = timed(() => ones.indexOf(0))
    if (i < 0) continue
    times.scan.push(scan)
    times.pass.push(pass)
  }
  return times
}

/** What the scores were off the exact cosine, over all queries and rows: at most, and in the mean. */
function measureErrors(
  table: VectorTable,
  queries: readonly Float32Array[],
  vectors: readonly Float32Array[],
) {
  const scores = new Float32Array(table.length)
  const errors = queries.flatMap((query) => {
    table.scan(query, scores)
    return vectors.map((vector, row) => Math.abs(cosine(query, vector) - (scores[row] ?? Number.NaN)))
  })
  return {
    error_largest: round(errors.reduce((largest, error) => Math.max(largest, error), 0)),
    error_mean: round(errors.reduce((sum, error) => sum + error, 0) / errors.length),
  }
}

function cosine(one: Float32Array, other: Float32Array): number {
  let [dot, ones, others] = [0, 0, 0]
  for (const [i, value] of one.entries()) {
    const beside = other[i] ?? 0
    dot += value * beside
    ones += value * value
    others += beside * beside
  }
  return dot / Math.sqrt(ones * others)
}

/** Vectors whose components are normally distributed, so that directions are uniform (Box and Muller, 1958). */
function normalVectors(dimensions: number, seed: number): () => Float32Array {
  const random = seededRandom(seed)
  return () =>
    Float32Array.from({ length: dimensions }, () => {
      return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    })
}

function timed(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

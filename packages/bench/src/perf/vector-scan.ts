import { quantileSorted } from 'simple-statistics'
import { VectorTable } from 'keepsake/parts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { round } from './time-calls.ts'

export interface VectorScanOptions {
  /** Rows of a table. Default 1,000, 10,000 and 100,000. */
  readonly sizes?: readonly number[]
  /** Default 384 and 1536. */
  readonly dimensions?: readonly number[]
  readonly kernels?: readonly ('simd' | 'plain')[]
  /** Default 1. */
  readonly seed?: number
  /** Milliseconds of scanning, at most, a figure; never fewer than 30 calls, never more than 1,000. Default 10,000. */
  readonly budget?: number
}

/** One kernel over one table. Times are in milliseconds. */
export interface VectorScanFigures {
  readonly kernel: 'simd' | 'plain'
  readonly rows: number
  readonly dimensions: number
  readonly calls: number
  readonly scan_p50_ms: number
  readonly scan_p95_ms: number
  readonly scan_p99_ms: number
  /** The first scan of all, before V8 has optimised the kernel. */
  readonly first_scan_ms: number
  readonly set_mean_us: number
  readonly bytes_per_row: number
  /** As many bytes searched once for one that is not among them (C's memchr): about the least a pass can do. */
  readonly pass_p50_ms: number
  readonly scan_over_memory_pass: number
  /** What the scores were off the exact cosine, over 20 queries and all rows: at most, and in the mean. */
  readonly error_largest: number
  readonly error_mean: number
}

export interface VectorScanReport {
  readonly benchmark: 'vector-scan'
  readonly config: Required<VectorScanOptions> & { readonly unmeasured: number }
  readonly runtime: { readonly node: string; readonly v8: string; readonly arch: string }
  readonly metrics: { readonly scan_over_memory_pass: number | null }
  readonly figures: readonly VectorScanFigures[]
}

const UNMEASURED = 100
const FEWEST_CALLS = 30
const MOST_CALLS = 1000

/**
 * Times the exact scan of vectors in memory by itself, beside a plain pass over as many bytes, taken in turns so that
 * both meet the same machine. Vectors are normal in every component.
 *
 * `metrics.scan_over_memory_pass` is that of 384 dimensions at the largest size.
 *
 * @example
 * console.log(JSON.stringify(benchVectorScan({ sizes: [10_000] }), null, 2))
 */
export function benchVectorScan(options: VectorScanOptions = {}): VectorScanReport {
  const config = {
    sizes: options.sizes ?? [1000, 10_000, 100_000],
    dimensions: options.dimensions ?? [384, 1536],
    kernels: options.kernels ?? (['simd', 'plain'] as const),
    seed: options.seed ?? 1,
    budget: options.budget ?? 10_000,
  }
  const figures = config.kernels.flatMap((kernel) =>
    config.dimensions.flatMap((dimensions) =>
      config.sizes.map((rows) => measureTable({ kernel, rows, dimensions }, config)),
    ),
  )
  const { node, v8 } = process.versions
  return {
    benchmark: 'vector-scan',
    config: { ...config, unmeasured: UNMEASURED },
    runtime: { node, v8, arch: process.arch },
    metrics: { scan_over_memory_pass: ratioOfLargest(figures) },
    figures,
  }
}

function ratioOfLargest(figures: readonly VectorScanFigures[]): number | null {
  const simd = figures.filter(({ kernel, dimensions }) => kernel === 'simd' && dimensions === 384)
  return simd.toSorted((a, b) => b.rows - a.rows)[0]?.scan_over_memory_pass ?? null
}

interface TableShape {
  readonly kernel: 'simd' | 'plain'
  readonly rows: number
  readonly dimensions: number
}

function measureTable(
  { kernel, rows, dimensions }: TableShape,
  { seed, budget }: { seed: number; budget: number },
): VectorScanFigures {
  const nextVector = normalVectors(dimensions, seed)
  const table = new VectorTable(dimensions, kernel)
  const vectors: Float32Array[] = []
  let setTime = 0
  for (let row = 0; row < rows; row += 1) {
    const vector = nextVector()
    vectors.push(vector)
    setTime += timed(() => table.set(row, vector))
  }
  const queries = Array.from({ length: 20 }, nextVector)
  const times = timeScans(table, queries, budget)
  const scan = times.scan.toSorted((a, b) => a - b)
  const figures = {
    kernel,
    rows,
    dimensions,
    calls: scan.length,
    scan_p50_ms: round(quantileSorted(scan, 0.5)),
    scan_p95_ms: round(quantileSorted(scan, 0.95)),
    scan_p99_ms: round(quantileSorted(scan, 0.99)),
    first_scan_ms: round(times.first),
    set_mean_us: round((setTime / rows) * 1000),
    bytes_per_row: round(table.bytes / rows),
    pass_p50_ms: round(median(times.pass)),
    scan_over_memory_pass: round(median(scan) / median(times.pass)),
    ...measureErrors(table, queries, vectors),
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

function measureErrors(
  table: VectorTable,
  queries: readonly Float32Array[],
  vectors: readonly Float32Array[],
): { error_largest: number; error_mean: number } {
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

function median(values: readonly number[]): number {
  return quantileSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

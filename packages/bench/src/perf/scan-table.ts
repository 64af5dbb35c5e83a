import { median } from 'simple-statistics'
import { rescore, selectCandidates, selectContenders, VectorArena, type VectorTable } from 'keepsake/parts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { quantilesNamed, round } from './time-calls.ts'

const UNMEASURED = 100
const TOP = 10
const FEWEST_CALLS = 30
const MOST_CALLS = 1000

export const KERNELS = ['simd', 'plain'] as const

export interface TableShape {
  readonly kernel: (typeof KERNELS)[number]
  readonly rows: number
  readonly dimensions: number
}

/**
 * Times the exact scan of vectors in memory by itself, beside a plain pass over the same bytes by the same
 * WebAssembly module (only with SIMD: the bytes read once and added up as 32-bit words, the least a pass can do, and byte
 * by byte), taken in turns so that both meet the same machine. Vectors are normal in every component, the hardest case
 * for choosing candidates: nothing is near anything.
 *
 * @param budget milliseconds of scanning, at most; never fewer than 30 calls, never more than 1,000
 */
export function measureTable(
  { kernel, rows, dimensions }: TableShape,
  { seed, budget }: { readonly seed: number; readonly budget: number },
) {
  const nextVector = normalVectors(dimensions, seed)
  const arena = new VectorArena({ kernel })
  const table = arena.createTable(dimensions)
  const vectors = Array.from({ length: rows }, nextVector)
  const setTimes = vectors.map((vector, row) => timed(() => table.set(row, vector)))
  const queries = Array.from({ length: 20 }, nextVector)
  const { first, scan, pass, bytePass } = timeScans(arena, table, queries, budget)
  const over = (of: readonly number[]): number | null =>
    of.length === 0 ? null : round(median([...scan]) / round(median([...of])))
  const figures = {
    ...quantilesNamed('scan', scan),
    // Before V8 has optimised the kernel.
    first_scan_ms: round(first),
    pass_p50_ms: middle(pass),
    byte_pass_p50_ms: middle(bytePass),
    scan_over_memory_pass: over(pass),
    scan_over_byte_pass: over(bytePass),
    set_mean_us: round((setTimes.reduce((sum, time) => sum + time, 0) / rows) * 1000),
    bytes_per_row: round(table.bytes / rows),
    ...measureCandidates(table, queries, vectors),
    calls: scan.length,
  }
  table.free()
  return figures
}

interface ScanTimes {
  readonly first: number
  readonly scan: readonly number[]
  readonly pass: readonly number[]
  readonly bytePass: readonly number[]
}

function timeScans(
  arena: VectorArena,
  table: VectorTable,
  queries: readonly Float32Array[],
  budget: number,
): ScanTimes {
  const out = new Float32Array(table.length)
  const rowBytes = table.length * Math.ceil(table.dimensions / 16) * 16
  const call = (i: number) => {
    const query = queries[i % queries.length] ?? new Float32Array(table.dimensions)
    return timed(() => table.scan(query, out))
  }
  const first = call(0)
  for (let i = 0; i < UNMEASURED; i += 1) call(i)
  const calls = Math.min(MOST_CALLS, Math.max(FEWEST_CALLS, Math.floor(budget / call(0))))
  const times = { first, scan: [] as number[], pass: [] as number[], bytePass: [] as number[] }
  for (let i = -UNMEASURED; i < calls; i += 1) {
    const scan = call(i + UNMEASURED)
    if (i >= 0) times.scan.push(scan)
    if (arena.kernel !== 'simd') continue
    const pass = timed(() => arena.measurePass('words', rowBytes))
    const bytePass = timed(() => arena.measurePass('bytes', rowBytes))
    if (i >= 0) {
      times.pass.push(pass)
      times.bytePass.push(bytePass)
    }
  }
  return times
}

/**
 * What `scan` said its scores may be off by, and what they were off by at most, over all queries and rows; the mean of the
 * candidates to load so that the top 10 is certain: at once, and in two steps (the best 10 by score, then those that could
 * still beat the 10th by exact cosine); and the time to choose them.
 */
function measureCandidates(
  table: VectorTable,
  queries: readonly Float32Array[],
  vectors: readonly Float32Array[],
) {
  const scores = new Float32Array(table.length)
  const total = { bound: 0, seen: 0, oneStep: 0, twoSteps: 0 }
  const times: number[] = []
  for (const query of queries) {
    const bound = table.scan(query, scores)
    const exact = rescore(query, vectors)
    const start = performance.now()
    const candidates = selectCandidates(scores, TOP, bound)
    times.push(performance.now() - start)
    const first = candidates.slice(0, TOP)
    const kthExact = Math.min(...first.map((row) => exact[row] ?? 0))
    const contenders = selectContenders(scores, kthExact, bound)
    total.bound = Math.max(total.bound, bound)
    for (const [row, cosine] of exact.entries())
      total.seen = Math.max(total.seen, Math.abs(cosine - (scores[row] ?? 0)))
    total.oneStep += candidates.length
    total.twoSteps += new Set([...first, ...contenders]).size
  }
  return {
    error_bound: round(total.bound),
    error_seen: round(total.seen),
    candidates_for_top_10: total.oneStep / queries.length,
    candidates_in_two_steps: total.twoSteps / queries.length,
    select_p50_ms: middle(times),
  }
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

function middle(times: readonly number[]): number | null {
  return times.length === 0 ? null : round(median([...times]))
}

import {
  compileKernel,
  KernelMemory,
  LEVEL_BYTES,
  memoryForTable,
  type Kernel,
  type WebAssemblyApi,
} from './kernel-memory.ts'

/** A query, and where its scores go. */
export interface ScanQuery {
  /** `stride` levels, zero where a row holds no component. */
  readonly levels: Int16Array
  readonly scale: number
  readonly out: Float32Array
}

/** What is scanned, and for what. */
export interface ScanJob {
  /** `stride` bytes a row: its components as int8, zeros, and in the last four bytes its scale as float32. */
  readonly rows: Int8Array
  /** Bytes of a row, a multiple of 16. */
  readonly stride: number
  readonly count: number
  /** All are scanned for while some rows are at hand: fetching these takes longer than a scan of them. */
  readonly queries: readonly ScanQuery[]
}

/**
 * Writes each row's score for a query to its `out`: the dot product, exact in 32 bits, times the row's scale, times the query's, rounded to
 * float32 after each step. Every kernel gives the same bits.
 */
export type ScanRows = (job: ScanJob) => void

export type KernelName = 'simd' | 'plain'

/** Code that scans. */
export interface Scanner {
  readonly scan: ScanRows
  /** A memory of its own for a table of so many bytes, from which rows need no copying; `null` where there is none to be had. */
  readonly memoryFor: (stride: number, bytes: number) => KernelMemory | null
}

/** The kernel of that name; `plain` also where the runtime has no WebAssembly or no SIMD in it. */
export function scanKernel(name: KernelName = 'simd'): Scanner {
  return name === 'plain' ? PLAIN : (compiled ??= simdScanner())
}

/** The most components that the window has room for. */
export const MAX_DIMENSIONS = 65_536

/** Of the memory that all small tables share: queries of the most components, and a row of them. */
const WINDOW = { queries: 196_608, rows: 131_072 } as const

/** Compiled at the first call, which takes under a millisecond, and kept. */
let compiled: Scanner | undefined

function simdScanner(): Scanner {
  const kernel: Kernel | null = compileKernel((globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly)
  if (kernel === null) return PLAIN
  const window = new KernelMemory(kernel, WINDOW)
  return {
    scan: (job) => window.scan(job),
    memoryFor: (stride, rows) => memoryForTable(kernel, { queries: stride * LEVEL_BYTES, rows }),
  }
}

/** The same in JavaScript, at a sixth of the speed or less. */
const scanPlainly: ScanRows = (job) => {
  for (const query of job.queries) scanPlainlyFor(query, job)
}

const PLAIN: Scanner = { scan: scanPlainly, memoryFor: () => null }

function scanPlainlyFor(
  { levels: query, scale: queryScale, out }: ScanQuery,
  { rows, stride, count }: ScanJob,
): void {
  const scales = new Float32Array(rows.buffer, rows.byteOffset, rows.length / 4)
  // 32 bits wide, which V8 multiplies twice as fast.
  const levels = Int32Array.from(query)
  const scale = Math.fround(queryScale)
  for (let row = 0; row < count; row += 1) {
    const product = Math.fround(
      Math.fround(dotProduct(rows, row * stride, levels)) * (scales[((row + 1) * stride) / 4 - 1] as number),
    )
    out[row] = Math.fround(product * scale) + 0
  }
}

/** Wraps at 32 bits, as the SIMD kernel does. The query's length is a multiple of 16, so four at a time leaves none over. */
function dotProduct(rows: Int8Array, at: number, query: Int32Array): number {
  let sum = 0
  let other = 0
  for (let i = 0; i < query.length; i += 4) {
    const from = at + i
    sum = (sum + Math.imul(rows[from] as number, query[i] as number)) | 0
    other = (other + Math.imul(rows[from + 1] as number, query[i + 1] as number)) | 0
    sum = (sum + Math.imul(rows[from + 2] as number, query[i + 2] as number)) | 0
    other = (other + Math.imul(rows[from + 3] as number, query[i + 3] as number)) | 0
  }
  return (sum + other) | 0
}

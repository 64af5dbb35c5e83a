import { SCAN_KERNEL_BASE64 } from './scan-kernel-bytes.ts'

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

/** The kernel of that name; `plain` also where the runtime has no WebAssembly or no SIMD in it. */
export function scanKernel(name: KernelName = 'simd'): ScanRows {
  return name === 'plain' ? scanPlainly : simdKernel()
}

/** The most components that the window has room for. */
export const MAX_DIMENSIONS = 65_536

const PAGE_BYTES = 65_536
/** What the kernel reads and writes lies in one fixed stretch of memory: some queries, some rows, and their scores. */
const ROWS_AT = 3 * PAGE_BYTES
const SCORES_AT = ROWS_AT + 2 * PAGE_BYTES
const WINDOW_PAGES = 6
/** Of a query's component. */
const LEVEL_BYTES = 2
/** Rows are copied in so many bytes at a time: within a processor's nearest caches, and enough for the call to cost nothing. */
const BYTES_AT_A_TIME = PAGE_BYTES

/** As much of the WebAssembly API as is used here; neither `lib: es2025` nor Node's types declare it. */
interface WebAssemblyApi {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { window: { memory: { readonly buffer: ArrayBuffer } } },
  ) => { readonly exports: { readonly scan: SimdScan } }
  validate(bytes: Uint8Array): boolean
}
/** As the kernel's source says; all but the scale are addresses, bytes and counts. */
type SimdScan = (
  ...job: [query: number, row: number, stride: number, rows: number, out: number, queryScale: number]
) => void

let compiled: ScanRows | undefined

/** Compiled at the first call, which takes under a millisecond, and kept. */
function simdKernel(): ScanRows {
  return (compiled ??= compileKernel((globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly))
}

function compileKernel(api: WebAssemblyApi | undefined): ScanRows {
  const code = Uint8Array.from(Buffer.from(SCAN_KERNEL_BASE64, 'base64'))
  // Node with --jitless has no WebAssembly; validating is where a processor without SIMD says no.
  if (api === undefined || !api.validate(code)) return scanPlainly
  const memory = new api.Memory({ initial: WINDOW_PAGES, maximum: WINDOW_PAGES })
  const { scan } = new api.Instance(new api.Module(code), { window: { memory } }).exports
  const levels = new Int16Array(memory.buffer)
  const bytes = new Int8Array(memory.buffer)
  const floats = new Float32Array(memory.buffer)
  const window = { levels, bytes, floats, scan }
  return (job) => {
    const together = Math.max(1, Math.floor(ROWS_AT / (job.stride * LEVEL_BYTES)))
    for (let from = 0; from < job.queries.length; from += together)
      scanFor(job.queries.slice(from, from + together), job, window)
  }
}

/** The kernel and its stretch of memory. */
interface KernelWindow {
  readonly levels: Int16Array
  readonly bytes: Int8Array
  readonly floats: Float32Array
  readonly scan: SimdScan
}

/** Scans for as many queries as there is room for. */
function scanFor(
  queries: readonly ScanQuery[],
  { rows, stride, count }: ScanJob,
  { levels, bytes, floats, scan }: KernelWindow,
): void {
  for (const [at, query] of queries.entries()) levels.set(query.levels, at * stride)
  const atATime = Math.max(1, Math.floor(BYTES_AT_A_TIME / stride))
  for (let from = 0; from < count; from += atATime) {
    const some = Math.min(atATime, count - from)
    bytes.set(rows.subarray(from * stride, (from + some) * stride), ROWS_AT)
    for (const [at, { out, scale }] of queries.entries()) {
      scan(at * stride * LEVEL_BYTES, ROWS_AT, stride, some, SCORES_AT, scale)
      out.set(floats.subarray(SCORES_AT / 4, SCORES_AT / 4 + some), from)
    }
  }
}

/** The same in JavaScript, at a sixth of the speed or less. */
const scanPlainly: ScanRows = (job) => {
  for (const query of job.queries) scanPlainlyFor(query, job)
}

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

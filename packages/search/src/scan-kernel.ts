// Compares a query vector with all vectors of an index, in WebAssembly where the runtime has SIMD.
import { SCAN_KERNEL_BASE64 } from './scan-kernel-bytes.ts'

const PAGE_BYTES = 65_536
/** Pages of the memory that all scans share. It holds the query, then one page of scores, then as many rows as fit. */
const QUERY_PAGES = 3
const ROW_PAGES = 2
const SCORES_AT = QUERY_PAGES * PAGE_BYTES
const ROWS_AT = SCORES_AT + PAGE_BYTES
const MAX_SCORES = PAGE_BYTES / 4

/** Maximum components of a vector, by the pages of the query. */
export const MAX_DIMENSIONS = 65_536

/** A scan of some rows with one query. */
export interface ScanJob {
  /** Rows of `stride` bytes: int8 components, zeros, and in the last four bytes the row's scale as float32. */
  readonly rows: Int8Array
  /** Bytes of a row, a multiple of 16. */
  readonly stride: number
  readonly count: number
  /** The quantised components of the query: `stride` of them, and zero beyond the components of rows. */
  readonly query: Int16Array
  readonly queryScale: number
  readonly out: Float32Array
}

/** Writes `dot product × row scale × query scale` of each row to `out`. The dot product is exact in 32 bits. */
export type Scan = (job: ScanJob) => void

/** The used part of the WebAssembly API, which neither TypeScript's `lib` nor Node's types declare. */
interface WebAssemblyApi {
  readonly Memory: new (pages: { initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: { scan: KernelScan } }
  validate(bytes: Uint8Array): boolean
}

/** The function that `scan-kernel.wat` exports. The first five numbers are byte offsets, sizes and counts. */
type KernelScan = (
  ...job: [query: number, row: number, stride: number, rows: number, out: number, queryScale: number]
) => void

let compiled: Scan | undefined

/** Returns the SIMD kernel, compiled at the first call. Without WebAssembly SIMD in the runtime it returns a scan in JavaScript. */
export function scanKernel(): Scan {
  return (compiled ??= compileKernel() ?? scanPlainly)
}

function compileKernel(): Scan | null {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly
  const code = Uint8Array.from(atob(SCAN_KERNEL_BASE64), (character) => character.charCodeAt(0))
  if (api?.validate(code) !== true) return null
  const memory = new api.Memory({ initial: QUERY_PAGES + 1 + ROW_PAGES })
  const { scan } = new api.Instance(new api.Module(code), { window: { memory } }).exports
  const levels = new Int16Array(memory.buffer, 0, SCORES_AT / 2)
  const scores = new Float32Array(memory.buffer, SCORES_AT, MAX_SCORES)
  const window = new Int8Array(memory.buffer, ROWS_AT)
  return ({ rows, stride, count, query, queryScale, out }) => {
    const rowsPerCall = Math.min(MAX_SCORES, Math.max(1, Math.floor(PAGE_BYTES / stride)))
    levels.set(query)
    for (let from = 0; from < count; from += rowsPerCall) {
      const rowCount = Math.min(rowsPerCall, count - from)
      window.set(rows.subarray(from * stride, (from + rowCount) * stride))
      scan(0, ROWS_AT, stride, rowCount, SCORES_AT, queryScale)
      out.set(scores.subarray(0, rowCount), from)
    }
  }
}

/** Scans in JavaScript, at a tenth of the kernel's speed. */
export const scanPlainly: Scan = ({ rows, stride, count, query, queryScale, out }) => {
  const scales = new Float32Array(rows.buffer, rows.byteOffset, rows.length / 4)
  const scale = Math.fround(queryScale)
  for (let row = 0; row < count; row++) {
    let sum = 0
    for (let i = 0, cell = row * stride; i < query.length; i++, cell++)
      sum = (sum + Math.imul(rows[cell] as number, query[i] as number)) | 0
    const product = Math.fround(Math.fround(sum) * (scales[((row + 1) * stride) / 4 - 1] as number))
    out[row] = Math.fround(product * scale) + 0
  }
}

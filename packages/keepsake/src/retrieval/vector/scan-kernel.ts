import type { ArenaMemory } from './arena-memory.ts'
import { SCAN_KERNEL_BASE64 } from './scan-kernel-bytes.ts'
import {
  findWebAssembly,
  webAssembly,
  type WebAssemblyMemory,
  type WebAssemblyModule,
} from './web-assembly.ts'

/** Rows to score against the query, all positions being byte addresses in the arena. */
export interface ScanJob {
  /** The quantised query: `stride` int16, in each group of 16 the even components before the odd ones. */
  query: number
  /** The first row; each is `stride` bytes, a component as int8 + 128. */
  rows: number
  /** Bytes of a row, a multiple of 16. */
  stride: number
  count: number
  /** A float32 scale a row. */
  scales: number
  /** Where a float32 score a row is written. */
  out: number
  /** 128 × the sum of the quantised query, wrapped to 32 bits. */
  bias: number
  queryScale: number
}

/**
 * score = (Σ (byte − 128) · query) × row scale × query scale, the sum exact in 32 bits, the products rounded
 * to float32 one after the other. Every kernel gives the same bits.
 */
export type ScanKernel = (job: ScanJob) => void

/** What the assembled module exports. The two sums are for measuring: a plain pass over the same bytes. */
export interface SimdExports {
  readonly scan: ScanKernel
  readonly sumWords: (at: number, bytes: number) => number
  readonly sumBytes: (at: number, bytes: number) => number
}

/** `undefined`: not tried yet; `null`: this runtime cannot. */
let compiled: WebAssemblyModule | null | undefined

function compileKernel(): WebAssemblyModule | null {
  if (compiled !== undefined) return compiled
  const api = findWebAssembly()
  const bytes = Uint8Array.from(Buffer.from(SCAN_KERNEL_BASE64, 'base64'))
  // Validation is where a runtime without SIMD says no.
  compiled = api === undefined || !api.validate(bytes) ? null : new api.Module(bytes)
  return compiled
}

/** Whether this runtime can run the SIMD kernel. Compiles it (under a millisecond) at the first call. */
export function hasSimd(): boolean {
  return compileKernel() !== null
}

/**
 * The SIMD kernel over a memory.
 * @throws TypeError when the runtime has no WebAssembly SIMD; ask `hasSimd` first.
 */
export function instantiateSimd(memory: WebAssemblyMemory): SimdExports {
  const module = compileKernel()
  if (module === null) throw new TypeError('This runtime has no WebAssembly SIMD.')
  const { exports } = new (webAssembly().Instance)(module, { arena: { memory } })
  const { scan, sumWords, sumBytes } = exports
  if (!scan || !sumWords || !sumBytes) throw new TypeError('The scan kernel lacks an export.')
  return {
    scan: ({ query, rows, stride, count, scales, out, bias, queryScale }) => {
      scan(query, rows, stride, count, scales, out, bias, queryScale)
    },
    sumWords,
    sumBytes,
  }
}

/** The same in JavaScript, over the same bytes. */
export function plainKernel(memory: ArenaMemory): ScanKernel {
  return ({ query, rows, stride, count, scales, out, bias, queryScale }) => {
    const { bytes, words, floats } = memory
    const inOrder = interleaved(words, query / 2, stride)
    const scale = Math.fround(queryScale)
    let at = rows
    for (let row = 0; row < count; row += 1, at += stride) {
      const dot = (dotProduct(bytes, at, inOrder, stride) - bias) | 0
      const product = Math.fround(Math.fround(dot) * (floats[scales / 4 + row] as number))
      floats[out / 4 + row] = Math.fround(product * scale) + 0
    }
  }
}

/** The query's components back in the order of a row's bytes; 32 bits wide, which V8 multiplies twice as fast. */
function interleaved(words: Int16Array, query: number, stride: number): Int32Array {
  const inOrder = new Int32Array(stride)
  for (let group = 0; group < stride; group += 16) {
    for (let pair = 0; pair < 8; pair += 1) {
      inOrder[group + 2 * pair] = words[query + group + pair] as number
      inOrder[group + 2 * pair + 1] = words[query + group + 8 + pair] as number
    }
  }
  return inOrder
}

/** Wraps at 32 bits, as the SIMD kernel does. `stride` is a multiple of 16, so four at a time leaves none over. */
function dotProduct(bytes: Uint8Array, at: number, query: Int32Array, stride: number): number {
  let sum = 0
  let other = 0
  for (let i = 0; i < stride; i += 4) {
    const row = at + i
    sum = (sum + Math.imul(bytes[row] as number, query[i] as number)) | 0
    other = (other + Math.imul(bytes[row + 1] as number, query[i + 1] as number)) | 0
    sum = (sum + Math.imul(bytes[row + 2] as number, query[i + 2] as number)) | 0
    other = (other + Math.imul(bytes[row + 3] as number, query[i + 3] as number)) | 0
  }
  return (sum + other) | 0
}

import { SCAN_KERNEL_BASE64 } from './scan-kernel-bytes.ts'
import type { ScanJob, ScanQuery } from './scan-rows.ts'

const PAGE_BYTES = 65_536
/** Of a query's component. */
export const LEVEL_BYTES = 2
const SCORE_BYTES = 4
/** What one page holds. */
const MOST_SCORES = PAGE_BYTES / SCORE_BYTES
/** Rows that lie elsewhere are copied in so many bytes at a time: within a processor's nearest caches, and enough for the call to cost nothing. */
const BYTES_AT_A_TIME = PAGE_BYTES
/** Four gigabytes, all that 32 bits address. */
const MOST_PAGES = 65_536
/**
 * V8 sets aside ten gigabytes of addresses for each memory, whatever it holds, of the 128 terabytes that a process has. Who comes later
 * goes through the window.
 */
const MOST_MEMORIES = 512

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** As much of the WebAssembly API as is used here; neither `lib: es2025` nor Node's types declare it. */
export interface WebAssemblyApi {
  readonly Memory: new (pages: { initial: number; maximum: number }) => Memory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { window: { memory: Memory } },
  ) => { readonly exports: { readonly scan: SimdScan } }
  validate(bytes: Uint8Array): boolean
}

/** As the kernel's source says; all but the scale are addresses, bytes and counts. */
type SimdScan = (
  ...job: [query: number, row: number, stride: number, rows: number, out: number, queryScale: number]
) => void

/** The compiled kernel, of which each memory has an instance. */
export interface Kernel {
  readonly api: WebAssemblyApi
  readonly module: object
}

/** Compiles the kernel; `null` where the runtime has no WebAssembly (Node with --jitless) or its processor no SIMD. */
export function compileKernel(api: WebAssemblyApi | undefined): Kernel | null {
  const code = Uint8Array.from(Buffer.from(SCAN_KERNEL_BASE64, 'base64'))
  return api?.validate(code) === true ? { api, module: new api.Module(code) } : null
}

/** How much room a memory has, in bytes. */
interface Room {
  readonly queries: number
  readonly rows: number
}

/**
 * What the kernel reads and writes: some queries, their scores for some rows, and rows. A table's rows may live here, and are then read
 * where they lie; rows that live elsewhere are copied in, some at a time.
 */
export class KernelMemory {
  /** The room for rows; another array once it has grown. */
  rows: Int8Array
  readonly #memory: Memory
  readonly #scan: SimdScan
  readonly #scoresAt: number
  readonly #rowsAt: number
  #levels: Int16Array
  #scores: Float32Array

  /** @throws RangeError where the system gives no more memory, or no more addresses. */
  constructor({ api, module }: Kernel, { queries, rows }: Room) {
    this.#scoresAt = pagesOf(queries) * PAGE_BYTES
    this.#rowsAt = this.#scoresAt + PAGE_BYTES
    this.#memory = new api.Memory({ initial: pagesOf(this.#rowsAt + rows), maximum: MOST_PAGES })
    this.#scan = new api.Instance(module, { window: { memory: this.#memory } }).exports.scan
    this.rows = new Int8Array(this.#memory.buffer, this.#rowsAt)
    this.#levels = new Int16Array(this.#memory.buffer, 0, this.#scoresAt / LEVEL_BYTES)
    this.#scores = new Float32Array(this.#memory.buffer, this.#scoresAt, MOST_SCORES)
  }

  /** Bytes taken, rows and all. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Makes room for so many bytes of rows, which stay as they are. @throws RangeError as when it was made; nothing has changed then. */
  grow(bytes: number): void {
    this.#memory.grow(Math.max(0, pagesOf(this.#rowsAt + bytes) - pagesOf(this.bytes)))
    this.rows = new Int8Array(this.#memory.buffer, this.#rowsAt)
    this.#levels = new Int16Array(this.#memory.buffer, 0, this.#scoresAt / LEVEL_BYTES)
    this.#scores = new Float32Array(this.#memory.buffer, this.#scoresAt, MOST_SCORES)
  }

  scan(job: ScanJob): void {
    const together = Math.max(1, Math.floor(this.#scoresAt / (job.stride * LEVEL_BYTES)))
    for (let from = 0; from < job.queries.length; from += together)
      this.#scanFor(job.queries.slice(from, from + together), job)
  }

  /** Scans for as many queries as there is room for. */
  #scanFor(queries: readonly ScanQuery[], { rows, stride, count }: ScanJob): void {
    for (const [at, query] of queries.entries()) this.#levels.set(query.levels, at * stride)
    const isHere = rows === this.rows
    const atATime =
      isHere && queries.length === 1 ? MOST_SCORES : Math.max(1, Math.floor(BYTES_AT_A_TIME / stride))
    for (let from = 0; from < count; from += atATime) {
      const some = Math.min(atATime, count - from)
      if (!isHere) this.rows.set(rows.subarray(from * stride, (from + some) * stride))
      const at = isHere ? this.#rowsAt + from * stride : this.#rowsAt
      for (const [place, { out, scale }] of queries.entries()) {
        this.#scan(place * stride * LEVEL_BYTES, at, stride, some, this.#scoresAt, scale)
        out.set(this.#scores.subarray(0, some), from)
      }
    }
  }
}

function pagesOf(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES)
}

/** Memories of tables that are there yet; one is let go of when the engine clears the heap. */
let memories = 0
let mostMemories = MOST_MEMORIES
const cleared = new FinalizationRegistry<null>(() => {
  memories -= 1
})

/** A memory for the rows of one table; `null` where there are as many as there may be, or the system gives none. */
export function memoryForTable(kernel: Kernel, room: Room): KernelMemory | null {
  if (memories >= mostMemories) return null
  try {
    const memory = new KernelMemory(kernel, room)
    memories += 1
    cleared.register(memory, null)
    return memory
  } catch {
    // Before it refuses, the engine clears the whole heap of what is not used, so it is asked no more.
    mostMemories = memories
    return null
  }
}

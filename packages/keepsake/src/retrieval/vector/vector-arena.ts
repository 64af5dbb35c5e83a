import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import {
  ADDRESSABLE_BYTES,
  CHUNK_BYTES,
  PlainArenaMemory,
  WebAssemblyArenaMemory,
  type ArenaMemory,
} from './arena-memory.ts'
import { hasSimd, instantiateSimd, plainKernel, type ScanKernel, type SimdExports } from './scan-kernel.ts'
import { SlabAllocator } from './slab-allocator.ts'
import { MAX_DIMENSIONS, VectorTable } from './vector-table.ts'
import { findWebAssembly } from './web-assembly.ts'

export interface VectorArenaOptions {
  /** `simd` where the runtime has it, unless `plain` is asked for. Both give the same scores, bit for bit. */
  readonly kernel?: 'simd' | 'plain'
  /** The most memory to take, in bytes, from 1 MiB to 4 GiB (the default); rounded down to whole MiB. */
  readonly maxBytes?: number
}

/** What a table needs of its arena. */
export interface ArenaAccess {
  readonly memory: ArenaMemory
  readonly slabs: SlabAllocator
  readonly scan: ScanKernel
  /** The address of at least so many bytes, good until the next call. */
  scratch(bytes: number): number
}

/**
 * Vectors of many people in one run of memory, each person's in a table of its own, scanned exactly. Nothing
 * is compiled or reserved before the first arena is made.
 *
 * @example
 * const arena = new VectorArena()
 * const table = arena.createTable(384)
 * table.set(0, vector)
 * const cosines = new Float32Array(table.length)
 * table.scan(query, cosines)
 */
export class VectorArena {
  /** The kernel in use: `plain` also where `simd` was wished for and the runtime has none. */
  readonly kernel: 'simd' | 'plain'
  readonly #access: ArenaAccess
  readonly #simd: SimdExports | undefined

  /** @throws InvalidInputError for a limit out of range; KeepsakeError `not-possible` when address space cannot be had. */
  constructor(options: VectorArenaOptions = {}) {
    const maxBytes = wholeChunks(options.maxBytes ?? ADDRESSABLE_BYTES)
    this.kernel = options.kernel !== 'plain' && hasSimd() ? 'simd' : 'plain'
    const memory = findWebAssembly() ? new WebAssemblyArenaMemory(maxBytes) : new PlainArenaMemory(maxBytes)
    if (this.kernel === 'simd' && memory instanceof WebAssemblyArenaMemory) {
      this.#simd = instantiateSimd(memory.memory)
    }
    this.#access = createAccess(memory, this.#simd?.scan ?? plainKernel(memory))
  }

  /** Bytes taken from the system; the most there ever were in use, rounded up to MiB. */
  get bytes(): number {
    return this.#access.memory.byteLength
  }

  /** Bytes in tables at present (and a little scratch). What `free()` gives back is reused, not returned to the system. */
  get usedBytes(): number {
    return this.#access.slabs.usedBytes
  }

  /**
   * An empty table for vectors of `dimensions` components.
   * @throws InvalidInputError unless 1 ≤ dimensions ≤ 65,536; KeepsakeError `not-possible` when there is no memory left.
   */
  createTable(dimensions: number): VectorTable {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
      throw new InvalidInputError(
        `A vector must have 1 to ${MAX_DIMENSIONS} dimensions, not ${dimensions}. Check the embedding model.`,
        { dimensions },
      )
    }
    return new VectorTable(this.#access, dimensions)
  }

  /**
   * For measurements: adds up all bytes taken from the system in the kernel's own language, as 32-bit words
   * (the least a pass can do) or byte by byte. `undefined` without SIMD.
   */
  measurePass(by: 'words' | 'bytes', bytes: number = this.bytes): number | undefined {
    const whole = Math.floor(Math.min(bytes, this.bytes) / 64) * 64
    return by === 'words' ? this.#simd?.sumWords(0, whole) : this.#simd?.sumBytes(0, whole)
  }
}

function wholeChunks(maxBytes: number): number {
  if (!(maxBytes >= CHUNK_BYTES && maxBytes <= ADDRESSABLE_BYTES)) {
    throw new InvalidInputError(
      `The limit on vectors in memory must lie between ${CHUNK_BYTES} and ${ADDRESSABLE_BYTES} bytes, not ${maxBytes}.`,
      { maxBytes },
    )
  }
  return Math.floor(maxBytes / CHUNK_BYTES) * CHUNK_BYTES
}

function createAccess(memory: ArenaMemory, scan: ScanKernel): ArenaAccess {
  let isFirst = true
  const slabs = new SlabAllocator(CHUNK_BYTES, () => {
    const address = isFirst ? 0 : memory.byteLength
    if (!isFirst) memory.grow()
    isFirst = false
    return address
  })
  let scratch = { address: 0, bytes: 0 }
  return {
    memory,
    slabs,
    scan,
    scratch: (bytes) => {
      if (bytes > scratch.bytes) {
        const size = slabs.blockSize(bytes)
        const address = slabs.allocate(size)
        if (scratch.bytes > 0) slabs.release(scratch.address, scratch.bytes)
        scratch = { address, bytes: size }
      }
      return scratch.address
    },
  }
}

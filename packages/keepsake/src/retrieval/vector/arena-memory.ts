import { KeepsakeError } from '../../errors/keepsake-error.ts'
import { webAssembly, type WebAssemblyMemory } from './web-assembly.ts'

/** Memory grows by this much at a time, and it is the largest block that can be asked for. */
export const CHUNK_BYTES = 1 << 20

/** What 32-bit addresses reach. */
export const ADDRESSABLE_BYTES = 2 ** 32

const PAGE_BYTES = 65_536

/**
 * One growable run of bytes with views over it. Growing may replace the buffer, so a view is read from here
 * each time and never kept across a call that may allocate.
 */
export interface ArenaMemory {
  readonly byteLength: number
  readonly bytes: Uint8Array
  readonly words: Int16Array
  readonly floats: Float32Array
  /** Adds CHUNK_BYTES. @throws KeepsakeError `not-possible` when there is no more to be had; nothing has changed then. */
  grow(): void
}

/** The views over one buffer. */
interface Views {
  bytes: Uint8Array
  words: Int16Array
  floats: Float32Array
}

function viewsOver(buffer: ArrayBuffer): Views {
  const length = buffer.byteLength
  return {
    bytes: new Uint8Array(buffer, 0, length),
    words: new Int16Array(buffer, 0, length / 2),
    floats: new Float32Array(buffer, 0, length / 4),
  }
}

abstract class GrowingMemory implements ArenaMemory {
  #views: Views
  readonly #maxBytes: number

  protected constructor(buffer: ArrayBuffer, maxBytes: number) {
    this.#views = viewsOver(buffer)
    this.#maxBytes = maxBytes
  }

  get byteLength(): number {
    return this.#views.bytes.length
  }

  get bytes(): Uint8Array {
    return this.#views.bytes
  }

  get words(): Int16Array {
    return this.#views.words
  }

  get floats(): Float32Array {
    return this.#views.floats
  }

  grow(): void {
    const wanted = this.byteLength + CHUNK_BYTES
    if (wanted > this.#maxBytes) throw outOfMemory(this.byteLength, this.#maxBytes)
    try {
      this.#views = viewsOver(this.enlarge(wanted))
    } catch (cause) {
      throw outOfMemory(this.byteLength, this.#maxBytes, cause)
    }
  }

  /** Makes the memory `byteLength` bytes long and returns its buffer. Throws a RangeError when it cannot. */
  protected abstract enlarge(byteLength: number): ArrayBuffer
}

/** Memory that WebAssembly code can read. */
export class WebAssemblyArenaMemory extends GrowingMemory {
  readonly memory: WebAssemblyMemory

  constructor(maxBytes: number) {
    const memory = reserve(maxBytes, () => {
      const { Memory } = webAssembly()
      return new Memory({ initial: CHUNK_BYTES / PAGE_BYTES, maximum: maxBytes / PAGE_BYTES })
    })
    super(memory.buffer, maxBytes)
    this.memory = memory
  }

  protected enlarge(byteLength: number): ArrayBuffer {
    this.memory.grow((byteLength - this.byteLength) / PAGE_BYTES)
    return this.memory.buffer
  }
}

/**
 * Memory where there is no WebAssembly at all. Elsewhere the plain kernel works on WebAssembly memory too: V8
 * reads a resizable buffer 2.6 times as slowly.
 */
export class PlainArenaMemory extends GrowingMemory {
  readonly #buffer: ArrayBuffer

  constructor(maxBytes: number) {
    const buffer = reserve(maxBytes, () => new ArrayBuffer(CHUNK_BYTES, { maxByteLength: maxBytes }))
    super(buffer, maxBytes)
    this.#buffer = buffer
  }

  protected enlarge(byteLength: number): ArrayBuffer {
    this.#buffer.resize(byteLength)
    return this.#buffer
  }
}

function reserve<T>(maxBytes: number, allocate: () => T): T {
  try {
    return allocate()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new KeepsakeError(
      'not-possible',
      `Could not reserve ${maxBytes} bytes of address space for the vectors held in memory. ` +
        'Give the process a higher limit on virtual memory (ulimit -v), or open with a lower vector limit.',
      { cause, details: { maxBytes } },
    )
  }
}

function outOfMemory(byteLength: number, maxBytes: number, cause?: unknown): KeepsakeError {
  const why = cause === undefined ? 'that is the limit set' : 'the system gives no more'
  return new KeepsakeError(
    'not-possible',
    `The vectors held in memory take ${byteLength} bytes and ${why}. Nothing stored is lost: let go of ` +
      'people not in use, give the process more memory, or raise the limit.',
    { cause, details: { byteLength, maxBytes } },
  )
}

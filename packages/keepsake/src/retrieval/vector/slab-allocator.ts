/** Smallest block: ten rows of 384 components, so that a person with little to remember costs little. */
export const SMALLEST_BLOCK_BYTES = 4096

/**
 * Hands out blocks of an address space whose sizes are powers of two, and takes them back (a buddy allocator:
 * Knuth, The Art of Computer Programming 1, §2.5). A freed block joins its free other half, so that what
 * small tables leave behind serves large ones, and the other way round. Blocks are aligned to their size.
 */
export class SlabAllocator {
  readonly #largest: number
  readonly #grow: () => number
  /** Free addresses by size. */
  readonly #free = new Map<number, Set<number>>()
  #usedBytes = 0

  /**
   * @param largest Bytes of the largest block, a power of two ≥ SMALLEST_BLOCK_BYTES.
   * @param grow Called when nothing fits: returns the address of `largest` fresh bytes, aligned to `largest`, or throws.
   */
  constructor(largest: number, grow: () => number) {
    this.#largest = largest
    this.#grow = grow
    for (let size = SMALLEST_BLOCK_BYTES; size <= largest; size *= 2) this.#free.set(size, new Set())
  }

  /** Bytes of all blocks handed out. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** The size of the block that `allocate(bytes)` gives. */
  blockSize(bytes: number): number {
    let size = SMALLEST_BLOCK_BYTES
    while (size < bytes) size *= 2
    if (size > this.#largest)
      throw new RangeError(`A block of ${bytes} bytes is above the largest, ${this.#largest}.`)
    return size
  }

  /** The address of a block of at least `bytes` bytes. Its content is whatever was there. */
  allocate(bytes: number): number {
    const size = this.blockSize(bytes)
    let found = size
    while (found <= this.#largest && this.#freeOf(found).size === 0) found *= 2
    const address = found > this.#largest ? this.#grow() : this.#take(found)
    for (let half = Math.min(found, this.#largest) / 2; half >= size; half /= 2) {
      this.#freeOf(half).add(address + half)
    }
    this.#usedBytes += size
    return address
  }

  /** Takes back what `allocate(bytes)` gave. */
  release(address: number, bytes: number): void {
    let size = this.blockSize(bytes)
    this.#usedBytes -= size
    let start = address
    while (size < this.#largest) {
      // Addresses pass 2^31, where the bitwise operators would go negative.
      const buddy = (start / size) % 2 === 0 ? start + size : start - size
      if (!this.#freeOf(size).delete(buddy)) break
      start = Math.min(start, buddy)
      size *= 2
    }
    this.#freeOf(size).add(start)
  }

  #take(size: number): number {
    const free = this.#freeOf(size)
    for (const address of free) {
      free.delete(address)
      return address
    }
    throw new RangeError(`No free block of ${size} bytes.`)
  }

  #freeOf(size: number): Set<number> {
    const free = this.#free.get(size)
    if (free === undefined) throw new RangeError(`${size} is no size of block.`)
    return free
  }
}

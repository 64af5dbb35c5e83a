import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import { NotPossibleError } from '../../errors/not-possible-error.ts'
import { CHUNK_BYTES } from './arena-memory.ts'
import {
  measureVector,
  quantiseQuery,
  quantiseRow,
  ROW_OFFSET,
  scoreError,
  worstQueryError,
} from './quantise-vector.ts'
import { SMALLEST_BLOCK_BYTES } from './slab-allocator.ts'
import type { ArenaAccess } from './vector-arena.ts'

/** So that a slab of 1 MiB holds several rows. */
export const MAX_DIMENSIONS = 65_536

/** Keeps the scores of one slab, on their way out, within a few pages. */
const MOST_ROWS_IN_SLAB = 4096

/** A new slab is at most this share of what the table has, so that at most a fifth of a large one stands empty. */
const GROWTH = 1 / 4

const FLOAT_BYTES = 4
const WORD_BYTES = 2

/** A run of rows: their bytes, then their scales. */
interface Slab {
  readonly address: number
  readonly bytes: number
  readonly firstRow: number
  readonly rows: number
  readonly scales: number
}

/**
 * One person's vectors, quantised to a byte a component with a scale a row. Rows have the caller's own
 * numbers, which should be dense: a row takes its place in memory, and so does every row below it.
 */
export class VectorTable {
  readonly dimensions: number
  readonly #access: ArenaAccess
  readonly #stride: number
  #slabs: Slab[] = []
  #capacity = 0
  #length = 0
  #bytes = 0
  #rowError = 0
  #isFreed = false

  /** Use `VectorArena.createTable`. */
  constructor(access: ArenaAccess, dimensions: number) {
    this.#access = access
    this.dimensions = dimensions
    this.#stride = Math.ceil(dimensions / 16) * 16
    // Had now, so that a scan cannot run out of memory.
    access.scratch(this.#scratchBytes)
  }

  /** One more than the highest row ever set. */
  get length(): number {
    return this.#length
  }

  /** Bytes of memory the table takes, empty places included. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * The most by which any score of any query can differ from the exact cosine: about 0.007 at 384 dimensions.
   * `scan` returns a closer one for its own query. It rises with the worst row ever set, and does not fall
   * when that row goes.
   */
  get errorBound(): number {
    return scoreError(this.#rowError, worstQueryError(this.dimensions))
  }

  /**
   * Puts a vector into a row, in place of what was there; `null` empties it. Only its direction is kept.
   * @param row 0 or more.
   * @throws InvalidInputError for a vector of another length or with a component that is not finite.
   * @throws KeepsakeError `not-possible` when there is no more memory; the table is as it was.
   */
  set(row: number, vector: Float32Array | null): void {
    if (vector === null) return this.remove(row)
    const extent = this.#measure(vector, 'vector')
    this.#mustBeRow(row)
    while (row >= this.#capacity) this.#addSlab()
    const slab = this.#slabOf(row)
    const place = row - slab.firstRow
    const { bytes, floats } = this.#access.memory
    const { scale, error } = quantiseRow(vector, extent, bytes, slab.address + place * this.#stride)
    floats[slab.scales / FLOAT_BYTES + place] = scale
    if (error > this.#rowError) this.#rowError = error
    if (row >= this.#length) this.#length = row + 1
  }

  /** Empties a row and overwrites its bytes. It keeps its number and scores 0. Nothing happens to a row never set. */
  remove(row: number): void {
    this.#mustBeRow(row)
    if (row >= this.#length) return
    const slab = this.#slabOf(row)
    const place = row - slab.firstRow
    const { bytes, floats } = this.#access.memory
    const at = slab.address + place * this.#stride
    bytes.fill(ROW_OFFSET, at, at + this.#stride)
    floats[slab.scales / FLOAT_BYTES + place] = 0
  }

  /** Whether a row holds a vector other than zeros. */
  has(row: number): boolean {
    this.#mustBeRow(row)
    if (row >= this.#length) return false
    const slab = this.#slabOf(row)
    return this.#access.memory.floats[slab.scales / FLOAT_BYTES + row - slab.firstRow] !== 0
  }

  /**
   * Writes the cosine of the query with each row to `out[0 … length − 1]`; 0 for an empty row, and for every
   * row when the query is all zeros.
   * @returns the most by which any of these scores differs from the exact cosine.
   * @throws InvalidInputError for a query of another length, not finite, or an `out` shorter than the table.
   */
  scan(query: Float32Array, out: Float32Array): number {
    const extent = this.#measure(query, 'query')
    if (out.length < this.#length) {
      throw new InvalidInputError(`The scores of ${this.#length} rows do not fit into ${out.length} places.`)
    }
    const address = this.#access.scratch(this.#scratchBytes)
    const { scale, error, bias } = quantiseQuery(
      query,
      extent,
      this.#access.memory.words,
      address / WORD_BYTES,
    )
    const scores = address + this.#stride * WORD_BYTES
    const copyOut = (from: number, to: number) => {
      const { floats } = this.#access.memory
      out.set(floats.subarray(scores / FLOAT_BYTES, scores / FLOAT_BYTES + to - from), from)
    }
    let copied = 0
    let scored = 0
    for (const slab of this.#slabs) {
      const count = Math.min(slab.rows, this.#length - slab.firstRow)
      if (count <= 0) break
      // Small slabs share one copy: views cost more than a few rows do.
      if (scored - copied + count > MOST_ROWS_IN_SLAB) {
        copyOut(copied, scored)
        copied = scored
      }
      this.#access.scan({
        query: address,
        rows: slab.address,
        stride: this.#stride,
        count,
        scales: slab.scales,
        out: scores + (scored - copied) * FLOAT_BYTES,
        bias,
        queryScale: scale,
      })
      scored += count
    }
    copyOut(copied, scored)
    return scoreError(this.#rowError, error)
  }

  /** Overwrites the table's bytes and gives them back to the arena. The table cannot be used any more; a second call does nothing. */
  free(): void {
    const { memory, slabs } = this.#access
    for (const { address, bytes } of this.#slabs) {
      memory.bytes.fill(0, address, address + bytes)
      slabs.release(address, bytes)
    }
    this.#slabs = []
    this.#capacity = 0
    this.#length = 0
    this.#bytes = 0
    this.#isFreed = true
  }

  /** The quantised query, then the scores of a slab. */
  get #scratchBytes(): number {
    return this.#stride * WORD_BYTES + MOST_ROWS_IN_SLAB * FLOAT_BYTES
  }

  #addSlab(): void {
    const rowBytes = this.#stride + FLOAT_BYTES
    const { memory, slabs } = this.#access
    const bytes = slabBytes(rowBytes, this.#bytes)
    const address = slabs.allocate(bytes)
    const rows = Math.min(Math.floor(bytes / rowBytes), MOST_ROWS_IN_SLAB)
    const scales = address + rows * this.#stride
    memory.floats.fill(0, scales / FLOAT_BYTES, scales / FLOAT_BYTES + rows)
    this.#slabs.push({ address, bytes, firstRow: this.#capacity, rows, scales })
    this.#capacity += rows
    this.#bytes += bytes
  }

  #slabOf(row: number): Slab {
    let low = 0
    let high = this.#slabs.length - 1
    const last = this.#slabs[high]
    if (last !== undefined && row >= last.firstRow) return last
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#slabs[middle] as Slab).firstRow <= row) low = middle
      else high = middle - 1
    }
    return this.#slabs[low] as Slab
  }

  #measure(vector: Float32Array, what: 'vector' | 'query') {
    if (this.#isFreed)
      throw new NotPossibleError('This table of vectors was freed. Make another with createTable().')
    if (vector.length !== this.dimensions) {
      throw new InvalidInputError(
        `The ${what} has ${vector.length} dimensions; this table holds ${this.dimensions}. ` +
          'Vectors of two embedding models cannot be mixed.',
        { dimensions: vector.length, expected: this.dimensions },
      )
    }
    const extent = measureVector(vector)
    if (!Number.isFinite(extent.norm)) {
      throw new InvalidInputError(
        `The ${what} has a component that is not a finite number. Check the embedding model.`,
      )
    }
    return extent
  }

  #mustBeRow(row: number): void {
    if (Number.isInteger(row) && row >= 0) return
    throw new InvalidInputError(`A row's number must be a whole number from 0 on, not ${row}.`, { row })
  }
}

/** The next slab's size: a power of two that holds a row or more, a quarter of the table, within bounds. */
function slabBytes(rowBytes: number, tableBytes: number): number {
  const most = Math.min(
    CHUNK_BYTES,
    Math.max(floorPowerOfTwo(rowBytes * MOST_ROWS_IN_SLAB), SMALLEST_BLOCK_BYTES),
  )
  const grown = Math.min(most, floorPowerOfTwo(Math.max(tableBytes * GROWTH, 1)))
  let bytes = Math.max(grown, SMALLEST_BLOCK_BYTES)
  while (bytes < rowBytes) bytes *= 2
  return bytes
}

function floorPowerOfTwo(value: number): number {
  return 2 ** Math.floor(Math.log2(value))
}

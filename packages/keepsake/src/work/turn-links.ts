import type { Memory } from '../memories/memory.ts'
import { isAsked, type KnownFilter } from './known-filter.ts'
import { turnsOf } from './read-memories.ts'
import type { MemoryTable } from './memory-table.ts'

/** What the links of packed memories are made of, one after another: memories by the turn's row. */
interface PackedLinks {
  readonly starts: Uint32Array
  readonly memories: Int32Array
}

/** The turns' rows in the index. */
interface TurnRows {
  readonly rowOf: (turn: string) => number | undefined
  /** Rows ever used. */
  readonly rows: () => number
}

/** Which memories rest on which turns; made when first asked for, since a recall seldom does. */
export class TurnLinks {
  readonly #memories: MemoryTable
  readonly #turns: TurnRows
  #packed: PackedLinks | null = null
  /** Of memories that came or changed since: most turns have one. */
  readonly #since = new Map<string, number | Set<number>>()

  constructor(memories: MemoryTable, turns: TurnRows) {
    this.#memories = memories
    this.#turns = turns
  }

  /** Takes note of a memory that came or changed. */
  add(row: number, memory: Memory): void {
    if (this.#packed !== null) this.#link(row, memory)
  }

  /** The memories that rest on a turn now; those that are not asked for are not made to be looked at. */
  *of(turn: string, filter: KnownFilter): Generator<Memory> {
    for (const row of this.#rowsOf(turn)) {
      if (!isAsked(this.#memories, row, filter)) continue
      const memory = this.#memories.at(row)
      if (memory.evidence.some((one) => one.turn === turn)) yield memory
    }
  }

  /** Rows of the memories that rest on a turn, or did. */
  #rowsOf(turn: string): Iterable<number> {
    const { starts, memories } = (this.#packed ??= this.#linkAll())
    const at = this.#turns.rowOf(turn)
    const packed = at === undefined ? [] : memories.subarray(starts[at] ?? 0, starts[at + 1] ?? 0)
    const since = this.#since.get(turn)
    if (since === undefined && packed.length < 2) return packed
    return new Set([...packed, ...(typeof since === 'number' ? [since] : (since ?? []))])
  }

  #link(row: number, memory: Memory): void {
    for (const turn of turnsOf(memory)) {
      const known = this.#since.get(turn)
      if (known === undefined) this.#since.set(turn, row)
      else if (typeof known === 'object') known.add(row)
      else if (known !== row) this.#since.set(turn, new Set([known, row]))
    }
  }

  #linkAll(): PackedLinks {
    const { length } = this.#memories
    const turns = this.#turns.rows()
    const starts = new Uint32Array(turns + 2)
    for (let row = 0; row < length; row++)
      if (this.#memories.isPacked(row))
        for (const turn of this.#memories.turnsAt(row)) starts[turn + 2] = (starts[turn + 2] ?? 0) + 1
    for (let turn = 2; turn < starts.length; turn++)
      starts[turn] = (starts[turn] ?? 0) + (starts[turn - 1] ?? 0)
    const memories = new Int32Array(starts.at(-1) ?? 0)
    for (let row = 0; row < length; row++) {
      if (!this.#memories.isPacked(row)) this.#link(row, this.#memories.at(row))
      else
        for (const turn of this.#memories.turnsAt(row)) {
          const at = starts[turn + 1] ?? 0
          memories[at] = row
          starts[turn + 1] = at + 1
        }
    }
    return { starts, memories }
  }
}

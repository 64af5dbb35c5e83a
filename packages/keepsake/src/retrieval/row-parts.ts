import type { DocumentTable } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import type { RetrievalPart } from './retrieval-recipe.ts'
import type { ActivePart } from './score-parts.ts'
import type { SearchHit } from './search-types.ts'

/** What the parts of a recipe gave some rows, a column a part; rows are told by their place among them. */
export class RowParts {
  readonly rows: Int32Array
  /** The sum of each one's parts, in their order. */
  readonly scores: Float64Array
  readonly #table: DocumentTable
  readonly #names: readonly RetrievalPart[]
  readonly #columns: readonly Float64Array[]
  /** What neighbours lend; `undefined` where the recipe has no such part. */
  readonly #borrowed: Float64Array | undefined
  /** 1 where it was given another value, which may be none. */
  readonly #changed: Uint8Array

  constructor(matches: Matches, active: readonly ActivePart[], rows: readonly number[]) {
    this.rows = Int32Array.from(rows)
    this.#table = matches.table
    this.#names = active.map(({ name }) => name)
    this.#columns = columnsOf(active.length, this.rows.length)
    for (const [part, { add, weight }] of active.entries())
      add(matches, weight, { at: this.rows, sums: this.#columns[part] ?? NO_ROWS })
    this.#borrowed = this.#columns[this.#names.indexOf('neighbours')]
    this.#changed = new Uint8Array(this.rows.length)
    this.scores = new Float64Array(this.rows.length)
    for (let place = 0; place < this.rows.length; place++) this.scores[place] = this.#sumOf(place)
  }

  /** What neighbours lend. */
  borrowed(place: number): number {
    return this.#borrowed?.[place] ?? 0
  }

  /** Gives what neighbours lend another value. */
  setBorrowed(place: number, value: number): void {
    if (this.#borrowed === undefined) return
    this.#borrowed[place] = value
    this.#changed[place] = 1
    this.scores[place] = this.#sumOf(place)
  }

  #sumOf(place: number): number {
    let sum = 0
    for (const column of this.#columns) sum += column[place] ?? 0
    return sum
  }

  /** The parts that gave something. */
  partsOf(place: number): Partial<Record<RetrievalPart, number>> {
    const parts: Partial<Record<RetrievalPart, number>> = {}
    for (let part = 0; part < this.#names.length; part++) {
      const name = this.#names[part] as RetrievalPart
      const value = this.#columns[part]?.[place] ?? 0
      if (value !== 0 || (name === 'neighbours' && this.#changed[place] === 1)) parts[name] = value
    }
    return parts
  }

  hit(place: number): SearchHit {
    return new RankedRow(this, this.#table, place)
  }
}

const NO_ROWS = new Float64Array(0)

/** In one piece of memory: to get it takes longer than to fill it. */
function columnsOf(count: number, length: number): Float64Array[] {
  const all = new Float64Array(count * length)
  return Array.from({ length: count }, (_, column) => all.subarray(column * length, (column + 1) * length))
}

/** A row that was found. Of many only the first are looked at, so its id and parts are made when they are asked for. */
class RankedRow implements SearchHit {
  readonly row: number
  readonly score: number
  readonly #of: RowParts
  readonly #table: DocumentTable
  readonly #place: number

  constructor(of: RowParts, table: DocumentTable, place: number) {
    this.row = of.rows[place] ?? 0
    this.score = of.scores[place] ?? 0
    this.#of = of
    this.#table = table
    this.#place = place
  }

  get id(): string {
    return this.#table.idOf(this.row)
  }

  get parts(): SearchHit['parts'] {
    return this.#of.partsOf(this.#place)
  }
}

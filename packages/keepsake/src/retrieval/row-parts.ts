import type { DocumentTable } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import type { RetrievalPart } from './retrieval-recipe.ts'
import type { ActivePart } from './score-parts.ts'
import type { SearchHit } from './search-types.ts'

/** What the parts of a recipe gave some rows, a column a part; rows are told by their place among them. */
export class RowParts {
  readonly rows: Int32Array
  readonly #table: DocumentTable
  readonly #names: readonly RetrievalPart[]
  readonly #columns: readonly Float64Array[]
  /** 1 where a part was given another value, which may be none. */
  readonly #changed: Uint8Array

  constructor(matches: Matches, active: readonly ActivePart[], rows: readonly number[]) {
    this.rows = Int32Array.from(rows)
    this.#table = matches.table
    this.#names = active.map(({ name }) => name)
    this.#columns = active.map(({ add, weight }) => {
      const sums = new Float64Array(this.rows.length)
      add(matches, weight, { at: this.rows, sums })
      return sums
    })
    this.#changed = new Uint8Array(this.rows.length)
  }

  /** What a part gave; 0 where the recipe has no such part. */
  valueOf(name: RetrievalPart, place: number): number {
    return this.#columns[this.#names.indexOf(name)]?.[place] ?? 0
  }

  /** Gives the part that neighbours lend another value. */
  setBorrowed(place: number, value: number): void {
    const column = this.#columns[this.#names.indexOf('neighbours')]
    if (column === undefined) return
    column[place] = value
    this.#changed[place] = 1
  }

  /** The sum of the parts, in their order. */
  scoreOf(place: number): number {
    let score = 0
    for (const column of this.#columns) score += column[place] ?? 0
    return score
  }

  /** The parts that gave something. */
  partsOf(place: number): Partial<Record<RetrievalPart, number>> {
    const parts: Partial<Record<RetrievalPart, number>> = {}
    for (const [index, name] of this.#names.entries()) {
      const value = this.#columns[index]?.[place] ?? 0
      if (value !== 0 || (name === 'neighbours' && this.#changed[place] === 1)) parts[name] = value
    }
    return parts
  }

  hit(place: number): SearchHit {
    return new RankedRow(this, this.#table, place)
  }
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
    this.score = of.scoreOf(place)
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

import { createHash } from 'node:crypto'
import type { ExportRow } from '../store/store.ts'

/** Rows of a person, counted and hashed as they go by. */
export interface Tally {
  readonly rows: number
  readonly hash: string
}

/** Reads rows to their end. */
export async function drain(rows: AsyncIterable<ExportRow>): Promise<void> {
  for await (const _ of rows);
}

/** Counts rows and hashes what they say, in whatever order a store gives their fields. */
export class RowCounter {
  readonly #hash = createHash('sha256')
  #rows = 0

  async *over(rows: AsyncIterable<ExportRow>): AsyncGenerator<ExportRow> {
    for await (const row of rows) {
      this.#rows += 1
      this.#hash.update(JSON.stringify(inOrder(row)))
      yield row
    }
  }

  tally(): Tally {
    return { rows: this.#rows, hash: this.#hash.digest('hex') }
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    fields.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, inOrder(inner)]),
  )
}

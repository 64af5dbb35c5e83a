import type { SqlValue } from './sql.ts'

/**
 * The conditions of a query and their values, in order. What is not asked for is left out rather than made optional, so that
 * one person's rows are found by an index among everybody's. Conditions are texts of the code, never data.
 */
export class Where {
  readonly values: SqlValue[] = []
  readonly #conditions: string[] = []

  and(condition: string, ...values: SqlValue[]): this {
    this.#conditions.push(condition)
    this.values.push(...values)
    return this
  }

  /** Unless it is `undefined`: not asked for. */
  equal(column: string, value: string | number | undefined): this {
    return value === undefined ? this : this.and(`${column} = ?`, value)
  }

  /** Unless it is `undefined`. An empty list holds for no row. */
  among(column: string, list: readonly (string | number)[] | undefined): this {
    if (list === undefined) return this
    const [only] = list
    if (only !== undefined && list.length === 1) return this.equal(column, only)
    return this.and(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(list))
  }

  get text(): string {
    return this.#conditions.length === 0 ? 'TRUE' : this.#conditions.join(' AND ')
  }
}

import type { Transactions } from './connection/transactions.ts'

/**
 * Numbers that stand for names repeated in many rows: an embedder's, an analyser's, an operation's origin; never a person's
 * words. A number is a name's for good, so each is read once a process.
 */
export class Names {
  readonly #transactions: Transactions
  readonly #numbers = new Map<string, number>()
  readonly #names = new Map<number, string>()

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  /** Makes those that are not there, ahead of the transaction that needs them. */
  async know(names: Iterable<string | null>): Promise<void> {
    const missing = [...new Set(names)].filter(
      (name) => name !== null && !this.#numbers.has(name),
    ) as string[]
    if (missing.length === 0) return
    const made = await this.#transactions.write('all', async (sql) => {
      await sql.run`INSERT INTO names (name) SELECT * FROM unnest(${missing}::text[]) ON CONFLICT DO NOTHING`
      return sql.cells<readonly [number, string]>`SELECT number, name FROM names WHERE name = ANY(${missing})`
    })
    // Not before they are stored for good.
    this.#learn(made)
  }

  /** The number of a name that is known. */
  numberOf(name: string): number {
    const number = this.#numbers.get(name)
    if (number === undefined) throw new Error(`"${name}" was not asked for before it was used`)
    return number
  }

  /** The name with a number; all are read again when another process has made new ones. */
  async nameAll(numbers: Iterable<number | null>): Promise<(number: number | null) => string | null> {
    if ([...numbers].some((number) => number !== null && !this.#names.has(number)))
      await this.#transactions.read('all', async (sql) =>
        this.#learn(await sql.cells`SELECT number, name FROM names`),
      )
    return (number) => (number === null ? null : (this.#names.get(number) ?? null))
  }

  #learn(rows: readonly (readonly [number, string])[]): void {
    for (const [number, name] of rows) {
      this.#numbers.set(name, number)
      this.#names.set(number, name)
    }
  }
}

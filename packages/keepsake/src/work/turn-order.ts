import { ROLE_CODES, type DocumentTable } from '../retrieval/document-table.ts'

/** One scope's turns by their positions. */
interface ScopeOrder {
  /** Rows of the index by position. */
  readonly rows: number[]
  /** Positions of the user's turns, rising. */
  readonly users: number[]
}

/** In which order turns were said, scope by scope: from the index, when first asked for. */
export class TurnOrder {
  readonly #table: Readonly<DocumentTable>
  #scopes: Map<number, ScopeOrder> | null = null

  constructor(table: Readonly<DocumentTable>) {
    this.#table = table
  }

  /** Takes note of a turn that the index did not hold before. */
  add(row: number): void {
    if (this.#scopes !== null) this.#place(this.#scopes, row)
  }

  /** The row of the turn at a position. */
  rowAt(scope: number, position: number): number | undefined {
    return this.#all().get(scope)?.rows[position]
  }

  /** The last position there is. */
  lastAt(scope: number): number {
    return (this.#all().get(scope)?.rows.length ?? 1) - 1
  }

  /** How many of the user's turns stand up to a position. */
  usersUpTo(scope: number, position: number): number {
    return countUpTo(this.#all().get(scope)?.users ?? [], position)
  }

  /** The position of the user's turn nearest before one. */
  userBefore(scope: number, position: number): number | undefined {
    return (this.#all().get(scope)?.users ?? []).findLast((one) => one < position)
  }

  #all(): Map<number, ScopeOrder> {
    if (this.#scopes !== null) return this.#scopes
    const scopes = new Map<number, ScopeOrder>()
    const { length, isTurn } = this.#table
    for (let row = 0; row < length; row++) if (isTurn[row] === 1) this.#place(scopes, row)
    this.#scopes = scopes
    return scopes
  }

  #place(scopes: Map<number, ScopeOrder>, row: number): void {
    const scope = this.#table.scopes[row] ?? 0
    const position = this.#table.position[row] ?? 0
    const order = scopes.get(scope) ?? { rows: [], users: [] }
    scopes.set(scope, order)
    order.rows[position] = row
    if (this.#table.roles[row] !== ROLE_CODES.user) return
    // Rows come in order of their last writing: what was indexed anew comes later than its place.
    if ((order.users.at(-1) ?? 0) < position) order.users.push(position)
    else order.users.splice(countUpTo(order.users, position), 0, position)
  }
}

function countUpTo(rising: readonly number[], position: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}

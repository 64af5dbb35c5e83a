/**
 * Collects the rows with the highest scores, in a binary heap. Rows of equal scores keep their order, so that results repeat.
 *
 * @example
 * const top = new TopRows(scores, 10)
 * for (let row = 0; row < scores.length; row++) if (scores[row] > top.worst) top.add(row)
 * top.best() // the ten best
 */
export class TopRows {
  /** The lowest of the best scores. A row with this or a lower score need not be added. */
  worst: number = Number.NEGATIVE_INFINITY
  readonly #scores: Float64Array
  readonly #limit: number
  readonly #heap: number[] = []

  constructor(scores: Float64Array, limit: number) {
    this.#scores = scores
    this.#limit = limit
    if (limit <= 0) this.worst = Number.POSITIVE_INFINITY
  }

  /** Adds a row that scores higher than the worst. Callers add rows in rising order. */
  add(row: number): void {
    const heap = this.#heap
    if (heap.length < this.#limit) this.#raise(row)
    else this.#lower(row)
    if (heap.length === this.#limit) this.worst = this.#scores[heap[0] as number] as number
  }

  /** Removes all rows and returns them, best first. */
  best(): number[] {
    const worstFirst: number[] = []
    for (let last = this.#heap.pop(); last !== undefined; last = this.#heap.pop()) {
      worstFirst.push(this.#heap[0] ?? last)
      if (this.#heap.length > 0) this.#lower(last)
    }
    return worstFirst.reverse()
  }

  /** Adds a row at the end of the heap and moves it up while its parent is better: the worst row is the root. */
  #raise(row: number): void {
    const heap = this.#heap
    let slot = heap.push(row) - 1
    while (slot > 0) {
      const parent = (slot - 1) >> 1
      if (!this.#isWorse(row, heap[parent] as number)) break
      heap[slot] = heap[parent] as number
      slot = parent
    }
    heap[slot] = row
  }

  /** Replaces the worst row, the root, and moves the new row down while a child is worse. */
  #lower(row: number): void {
    const heap = this.#heap
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#isWorse(heap[child + 1] as number, heap[child] as number)) child++
      if (!this.#isWorse(heap[child] as number, row)) break
      heap[index] = heap[child] as number
      index = child
    }
    heap[index] = row
  }

  /** Reports whether a row ranks below another: by a lower score, or by an equal score and a later row. */
  #isWorse(row: number, otherRow: number): boolean {
    const score = this.#scores[row] as number
    const otherScore = this.#scores[otherRow] as number
    return score < otherScore || (score === otherScore && row > otherRow)
  }
}

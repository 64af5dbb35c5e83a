/**
 * The rows of the highest scores: equal scores in order of row, so that results repeat. A heap of the best so far.
 *
 * @example
 * const top = new TopRows(scores, 10)
 * for (let row = 0; row < scores.length; row++) if ((scores[row] ?? 0) > top.worst) top.add(row)
 * top.best() // the ten best
 */
export class TopRows {
  /** Only what scores higher comes among them. */
  worst: number = Number.NEGATIVE_INFINITY
  readonly #scores: Float32Array
  readonly #limit: number
  readonly #heap: number[] = []

  constructor(scores: Float32Array, limit: number) {
    this.#scores = scores
    this.#limit = limit
    if (limit <= 0) this.worst = Number.POSITIVE_INFINITY
  }

  /** Takes in a row that scores higher than the worst; rows come in rising order. */
  add(row: number): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push(row)
      siftUp(heap, heap.length - 1, this.#scores)
    } else {
      heap[0] = row
      siftDown(heap, this.#scores)
    }
    if (heap.length === this.#limit) this.worst = this.#scores[heap[0] ?? 0] ?? this.worst
  }

  /** Best first. */
  best(): number[] {
    const scores = this.#scores
    return this.#heap.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  }
}

/**
 * The rows of the `limit` highest scores, best first. Rows scoring −Infinity are no candidates. Takes O(n log limit).
 */
export function selectTop(scores: Float32Array, length: number, limit: number): number[] {
  const top = new TopRows(scores, limit)
  for (let row = 0; row < length; row++) if ((scores[row] ?? top.worst) > top.worst) top.add(row)
  return top.best()
}

/** Whether `a` ranks below `b`: a lower score, or the same and a later row. */
function isWorse(a: number, b: number, scores: Float32Array): boolean {
  const scoreA = scores[a] ?? 0
  const scoreB = scores[b] ?? 0
  return scoreA < scoreB || (scoreA === scoreB && a > b)
}

function siftUp(heap: number[], from: number, scores: Float32Array): void {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(heap[at] ?? 0, heap[parent] ?? 0, scores)) return
    swap(heap, at, parent)
    at = parent
  }
}

function siftDown(heap: number[], scores: Float32Array): void {
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const right = left + 1
    let worst = at
    if (left < heap.length && isWorse(heap[left] ?? 0, heap[worst] ?? 0, scores)) worst = left
    if (right < heap.length && isWorse(heap[right] ?? 0, heap[worst] ?? 0, scores)) worst = right
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

function swap(heap: number[], a: number, b: number): void {
  const held = heap[a] ?? 0
  heap[a] = heap[b] ?? 0
  heap[b] = held
}

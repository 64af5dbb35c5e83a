/**
 * The rows of the `limit` highest scores, best first; equal scores in order of row, so that results repeat.
 * Rows scoring −Infinity are no candidates. Takes O(n log limit) by a heap of the best so far.
 */
export function selectTop(scores: Float32Array, length: number, limit: number): number[] {
  const heap: number[] = []
  if (limit <= 0) return heap
  let worst = Number.NEGATIVE_INFINITY
  for (let row = 0; row < length; row++) {
    if ((scores[row] ?? worst) <= worst) continue
    if (heap.length < limit) {
      heap.push(row)
      siftUp(heap, heap.length - 1, scores)
    } else {
      heap[0] = row
      siftDown(heap, scores)
    }
    if (heap.length === limit) worst = scores[heap[0] ?? 0] ?? worst
  }
  return heap.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
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

/**
 * How well a score tells positives from negatives: the share of (positive, negative) pairs in which the positive
 * scores higher, ties counting a half. 0.5 is chance. NaN when either side is empty.
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  const sorted = negatives.toSorted((a, b) => a - b)
  let wins = 0
  for (const score of positives)
    wins += (countBelow(sorted, score, false) + countBelow(sorted, score, true)) / 2
  return wins / (positives.length * negatives.length)
}

function countBelow(sorted: readonly number[], score: number, inclusive: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const value = sorted[middle] ?? Number.POSITIVE_INFINITY
    if (value < score || (inclusive && value === score)) low = middle + 1
    else high = middle
  }
  return low
}

import { wilcoxonRankSum } from 'simple-statistics'

/** The share of pairs in which the positive case has the higher score. Ties count a half; NaN when a side is empty. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) return Number.NaN
  const rankSum = wilcoxonRankSum([...positives], [...negatives])
  // The rank sum of positives that all stand below every negative, and so win no pair.
  const lowestRankSum = (positives.length * (positives.length + 1)) / 2
  return (rankSum - lowestRankSum) / (positives.length * negatives.length)
}

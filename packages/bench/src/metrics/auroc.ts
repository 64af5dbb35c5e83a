import { wilcoxonRankSum } from 'simple-statistics'

/** Computes in which share of pairs the positive case has the higher score. Ties count a half. NaN if a side is empty. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) return Number.NaN
  const rankSum = wilcoxonRankSum([...positives], [...negatives])
  // The rank sum if every positive ranks below every negative, so that none wins a pair.
  const lowestRankSum = (positives.length * (positives.length + 1)) / 2
  return (rankSum - lowestRankSum) / (positives.length * negatives.length)
}

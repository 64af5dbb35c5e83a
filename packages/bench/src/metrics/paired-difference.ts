import type { BootstrapOptions, Interval } from './bootstrap-interval.ts'
import { bootstrapSums, sumByCluster, totalOf, type ClusterSums } from './cluster-sums.ts'
import { seededRandom } from './seeded-random.ts'

/** The values of one item in two runs. */
export interface Pair {
  /** Person or conversation. Items of one cluster depend on each other. */
  readonly cluster: string
  readonly a: number
  readonly b: number
  /** The item's weight. Default 1. */
  readonly weight?: number
}

export interface Difference {
  /** Weighted means of `a`, of `b` and of their difference. `null`: there are no pairs. */
  readonly a: number | null
  readonly b: number | null
  readonly difference: number | null
  /** The 95 % interval by resampling clusters. `null`: there are fewer than two clusters. */
  readonly interval: Interval | null
  /** The two-sided p-value of no difference. `null`: there are fewer than two clusters. With k clusters it is at least 2 / 2^k. */
  readonly p: number | null
  readonly pairs: number
  readonly clusters: number
}

interface DifferenceOptions extends BootstrapOptions {
  /** Maximum number of sign patterns that the test tries. Default 10,000. */
  readonly flips?: number
}

/** Computes the lead of `a` over `b`: the mean difference, its interval, and p of a sign-flip test over clusters (Phipson and Smyth 2010). */
export function pairedDifference(pairs: readonly Pair[], options: DifferenceOptions): Difference {
  const clusters = sumByCluster(
    pairs,
    (pair) => pair.cluster,
    ({ a, b, weight = 1 }) => [a * weight, b * weight, weight],
  )
  const [a = 0, b = 0, weight = 0] = totalOf(clusters)
  const counts = { pairs: pairs.length, clusters: clusters.length }
  if (weight === 0) return { a: null, b: null, difference: null, interval: null, p: null, ...counts }
  const means = { a: a / weight, b: b / weight, difference: (a - b) / weight }
  if (clusters.length < 2) return { ...means, interval: null, p: null, ...counts }
  const meanDifference = ([sumA = 0, sumB = 0, weights = 0]: readonly number[]): number =>
    (sumA - sumB) / weights
  const interval = bootstrapSums(clusters, meanDifference, options)
  return { ...means, interval, p: signFlipP(clusters, options), ...counts }
}

/** Sums that differ by less than this share count as equal, because the order of additions changes the last digits. */
const TOLERANCE = 1e-9

/** Computes how often the difference would be as large if the sign of each cluster's difference were random. */
function signFlipP(clusters: ClusterSums, { seed, flips = 10_000 }: DifferenceOptions): number {
  const differences = clusters.map(([a = 0, b = 0]) => a - b)
  const scale = differences.reduce((sum, difference) => sum + Math.abs(difference), 0)
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0))
  const isAsLarge = (signed: number): boolean => Math.abs(signed) >= observed - TOLERANCE * scale
  const patterns = 2 ** differences.length
  if (patterns <= flips) {
    let large = 0
    for (let pattern = 0; pattern < patterns; pattern++) {
      if (isAsLarge(signedSum(differences, (i) => ((pattern >> i) & 1) === 1))) large++
    }
    return large / patterns
  }
  const random = seededRandom(seed)
  let large = 1
  for (let i = 0; i < flips; i++) if (isAsLarge(signedSum(differences, () => random() < 0.5))) large++
  return large / (flips + 1)
}

function signedSum(differences: readonly number[], isFlipped: (index: number) => boolean): number {
  let sum = 0
  for (const [i, difference] of differences.entries()) sum += isFlipped(i) ? -difference : difference
  return sum
}

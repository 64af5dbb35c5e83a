import type { BootstrapOptions, Interval } from './bootstrap-interval.ts'
import { bootstrapSums, sumByCluster, totalOf, type ClusterSums } from './cluster-sums.ts'
import { seededRandom } from './seeded-random.ts'

/** One item under two systems. */
export interface Pair {
  /** Person or conversation: items of one are not independent. */
  readonly cluster: string
  readonly a: number
  readonly b: number
  /** The item's weight. Default 1. */
  readonly weight?: number
}

export interface Difference {
  /** Mean of `a`, of `b`, and of `a − b`, weighted; `null` without pairs. */
  readonly a: number | null
  readonly b: number | null
  readonly difference: number | null
  /** 95 %, over clusters; `null` for fewer than two. */
  readonly interval: Interval | null
  /** Two-sided, for no difference; `null` for fewer than two clusters. With k clusters it is 2 / 2^k or more. */
  readonly p: number | null
  readonly pairs: number
  readonly clusters: number
}

interface DifferenceOptions extends BootstrapOptions {
  /** Flips of the test. Default 10,000. */
  readonly flips?: number
}

/**
 * The lead of `a` over `b`, item by item: the mean difference with a bootstrap interval over clusters, and the p of a sign-flip permutation
 * test over clusters. Under no difference, every cluster's sign is arbitrary; p is the share of sign patterns with an equal or larger
 * difference. All patterns are tried where there are no more than flips, else that many are drawn, and the observed one counts as one more
 * (Phipson and Smyth 2010). simple-statistics' `permutationTest` shuffles unpaired samples without clusters.
 */
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
  const interval = bootstrapSums(
    clusters,
    ([ours = 0, theirs = 0, over = 0]) => (ours - theirs) / over,
    options,
  )
  return { ...means, interval, p: signFlipP(clusters, options), ...counts }
}

/** The order of addition changes a sum's last digits: a sum this near counts as equal. */
const TOLERANCE = 1e-9

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

import { resampleClusters, type BootstrapOptions, type Interval } from './bootstrap-interval.ts'

interface ScoredCase {
  readonly cluster: string
  readonly score: number
  readonly isPositive: boolean
}

interface Placed {
  readonly cluster: number
  readonly isPositive: boolean
  /** Whether its score is above the previous one. */
  readonly rises: boolean
}

/**
 * AUROC: the share of (positive, negative) pairs in which the positive scores higher, ties counting a half. 0.5 is chance. NaN when either
 * side is empty.
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  const cases = [
    ...positives.map((score) => ({ cluster: '', score, isPositive: true })),
    ...negatives.map((score) => ({ cluster: '', score, isPositive: false })),
  ]
  return weightedAuroc(placeCases(cases).placed, [1])
}

/**
 * The interval of an AUROC by resampling whole clusters, as `bootstrapInterval` with `auroc` would give it: sorted once, a resample only
 * counts its clusters. NaN when no resample has both kinds.
 */
export function aurocInterval(cases: readonly ScoredCase[], options: BootstrapOptions): Interval {
  const { placed, clusters } = placeCases(cases)
  const valueOf = (drawn: readonly number[]): number => {
    const counts = Array.from<number>({ length: clusters }).fill(0)
    for (const place of drawn) counts[place] = (counts[place] ?? 0) + 1
    return weightedAuroc(placed, counts)
  }
  return resampleClusters(clusters, valueOf, options)
}

function placeCases(cases: readonly ScoredCase[]): { placed: Placed[]; clusters: number } {
  const numbers = new Map<string, number>()
  for (const { cluster } of cases) if (!numbers.has(cluster)) numbers.set(cluster, numbers.size)
  const sorted = cases.toSorted((a, b) => a.score - b.score)
  const placed = sorted.map(({ cluster, score, isPositive }, i) => ({
    cluster: numbers.get(cluster) ?? 0,
    isPositive,
    rises: score !== sorted[i - 1]?.score,
  }))
  return { placed, clusters: numbers.size }
}

/** AUROC of sorted cases, each weighted by its cluster's count; ties count a half. */
function weightedAuroc(placed: readonly Placed[], drawn: readonly number[]): number {
  let below = 0
  let positives = 0
  let wins = 0
  let tiedPositives = 0
  let tiedNegatives = 0
  const close = (): void => {
    wins += tiedPositives * (below + tiedNegatives / 2)
    positives += tiedPositives
    below += tiedNegatives
    tiedPositives = tiedNegatives = 0
  }
  for (const { cluster, isPositive, rises } of placed) {
    if (rises) close()
    const weight = drawn[cluster] ?? 0
    if (isPositive) tiedPositives += weight
    else tiedNegatives += weight
  }
  close()
  return wins / (positives * below)
}

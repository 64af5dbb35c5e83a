import { resampleClusters, type BootstrapOptions, type Interval } from './bootstrap-interval.ts'

interface ScoredCase {
  readonly cluster: string
  readonly score: number
  readonly isPositive: boolean
}

interface RankedCase {
  readonly cluster: number
  readonly isPositive: boolean
  /** Whether its score is higher than that of the case before. If not, they tie. */
  readonly startsTie: boolean
}

/** The share of pairs in which the positive case has the higher score. Ties count a half; NaN when a side is empty. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  const cases = [
    ...positives.map((score) => ({ cluster: '', score, isPositive: true })),
    ...negatives.map((score) => ({ cluster: '', score, isPositive: false })),
  ]
  return weightedAuroc(rankCases(cases).ranked, [1])
}

/** The AUROC's interval by resampling clusters. It equals that of `bootstrapInterval`, but sorts the cases only once. */
export function aurocInterval(cases: readonly ScoredCase[], options: BootstrapOptions): Interval {
  const { ranked, clusters } = rankCases(cases)
  const valueOf = (drawn: readonly number[]): number => {
    const counts = Array.from<number>({ length: clusters }).fill(0)
    for (const place of drawn) counts[place] = (counts[place] ?? 0) + 1
    return weightedAuroc(ranked, counts)
  }
  return resampleClusters(clusters, valueOf, options)
}

function rankCases(cases: readonly ScoredCase[]): { ranked: RankedCase[]; clusters: number } {
  const numbers = new Map<string, number>()
  for (const { cluster } of cases) if (!numbers.has(cluster)) numbers.set(cluster, numbers.size)
  const sorted = cases.toSorted((a, b) => a.score - b.score)
  const ranked = sorted.map(({ cluster, score, isPositive }, i) => ({
    cluster: numbers.get(cluster) ?? 0,
    isPositive,
    startsTie: score !== sorted[i - 1]?.score,
  }))
  return { ranked, clusters: numbers.size }
}

/** The AUROC of sorted cases. Each case has the count of its cluster as weight. */
function weightedAuroc(ranked: readonly RankedCase[], drawn: readonly number[]): number {
  let negativesBelow = 0
  let positives = 0
  let wins = 0
  let tiedPositives = 0
  let tiedNegatives = 0
  const countTies = (): void => {
    wins += tiedPositives * (negativesBelow + tiedNegatives / 2)
    positives += tiedPositives
    negativesBelow += tiedNegatives
    tiedPositives = tiedNegatives = 0
  }
  for (const { cluster, isPositive, startsTie } of ranked) {
    if (startsTie) countTies()
    const weight = drawn[cluster] ?? 0
    if (isPositive) tiedPositives += weight
    else tiedNegatives += weight
  }
  countTies()
  return wins / (positives * negativesBelow)
}

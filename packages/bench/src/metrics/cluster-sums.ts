import { resampleClusters, type BootstrapOptions, type Interval } from './bootstrap-interval.ts'

/** Sums of each cluster's items: one row a cluster, all rows of one length. */
export type ClusterSums = readonly (readonly number[])[]

/**
 * Sums the items of each cluster, in order of appearance.
 *
 * @param add an item's summands
 */
export function sumByCluster<T>(
  items: readonly T[],
  clusterOf: (item: T) => string,
  add: (item: T) => readonly number[],
): ClusterSums {
  const clusters = new Map<string, number[]>()
  for (const item of items) {
    const own = clusters.get(clusterOf(item))
    const added = add(item)
    if (own === undefined) clusters.set(clusterOf(item), [...added])
    else for (const [i, value] of added.entries()) own[i] = (own[i] ?? 0) + value
  }
  return [...clusters.values()]
}

/** The sums of all clusters; empty without any. */
export function totalOf(clusters: ClusterSums): number[] {
  const total: number[] = []
  for (const own of clusters) for (const [i, value] of own.entries()) total[i] = (total[i] ?? 0) + value
  return total
}

/**
 * `bootstrapInterval` for a statistic that depends on sums alone (a mean, a ratio, an F1): the same draws and the same interval, but a
 * resample adds one row per cluster instead of pooling every item.
 */
export function bootstrapSums(
  clusters: ClusterSums,
  statistic: (sums: readonly number[]) => number,
  options: BootstrapOptions,
): Interval {
  const width = clusters[0]?.length ?? 0
  const valueOf = (drawn: readonly number[]): number => {
    const sums = Array.from<number>({ length: width }).fill(0)
    for (const place of drawn)
      for (let at = 0; at < width; at++) sums[at] = (sums[at] ?? 0) + (clusters[place]?.[at] ?? 0)
    return statistic(sums)
  }
  return resampleClusters(clusters.length, valueOf, options)
}

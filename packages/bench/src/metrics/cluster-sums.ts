import { resampleClusters, type BootstrapOptions, type Interval } from './bootstrap-interval.ts'

/** One row of sums for each cluster. All rows have the same length. */
export type ClusterSums = readonly (readonly number[])[]

/** Sums the summands of each cluster's items. Clusters are in the order of their first items. */
export function sumByCluster<T>(
  items: readonly T[],
  clusterOf: (item: T) => string,
  add: (item: T) => readonly number[],
): ClusterSums {
  const clusters = new Map<string, number[]>()
  for (const item of items) {
    const clusterSums = clusters.get(clusterOf(item))
    const added = add(item)
    if (clusterSums === undefined) clusters.set(clusterOf(item), [...added])
    else for (const [i, value] of added.entries()) clusterSums[i] = (clusterSums[i] ?? 0) + value
  }
  return [...clusters.values()]
}

/** The sums over all clusters. Empty without clusters. */
export function totalOf(clusters: ClusterSums): number[] {
  const total: number[] = []
  for (const clusterSums of clusters)
    for (const [i, value] of clusterSums.entries()) total[i] = (total[i] ?? 0) + value
  return total
}

/** The interval of a statistic of sums. It equals that of `bootstrapInterval`, but a resample adds one row per cluster. */
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

import { bootstrapInterval, type BootstrapOptions, type Interval } from './bootstrap-interval.ts'

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

/** Adds up the sums of all clusters. Empty if there are no clusters. */
export function totalOf(clusters: ClusterSums): number[] {
  const total: number[] = []
  for (const clusterSums of clusters)
    for (const [i, value] of clusterSums.entries()) total[i] = (total[i] ?? 0) + value
  return total
}

/** Computes the interval of a statistic of sums, by resampling clusters. */
export function bootstrapSums(
  clusters: ClusterSums,
  statistic: (sums: readonly number[]) => number,
  options: BootstrapOptions,
): Interval {
  const oneRowEach = clusters.map((sums) => [sums])
  return bootstrapInterval(oneRowEach, (drawn) => statistic(totalOf(drawn)), options)
}

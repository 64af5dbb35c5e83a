/** Returns 1 if any of the first `k` items is relevant, else 0. */
export function hitAt(k: number, ranking: readonly string[], relevant: ReadonlySet<string>): number {
  return ranking.slice(0, k).some((id) => relevant.has(id)) ? 1 : 0
}

/** Computes the share of relevant items that is among the first `k`. NaN if nothing is relevant. */
export function recallAt(k: number, ranking: readonly string[], relevant: ReadonlySet<string>): number {
  let hits = 0
  for (const id of ranking.slice(0, k)) if (relevant.has(id)) hits++
  return hits / relevant.size
}

/** Computes the normalised discounted cumulative gain (nDCG) of the first `k`. A relevant item gains 1 / log2(rank + 1). */
export function ndcgAt(k: number, ranking: readonly string[], relevant: ReadonlySet<string>): number {
  let gain = 0
  for (const [i, id] of ranking.slice(0, k).entries()) if (relevant.has(id)) gain += 1 / Math.log2(i + 2)
  let ideal = 0
  for (let i = 0; i < Math.min(k, relevant.size); i++) ideal += 1 / Math.log2(i + 2)
  return gain / ideal
}

/** Returns one divided by the rank of the first relevant item. 0 if there is none. */
export function reciprocalRank(ranking: readonly string[], relevant: ReadonlySet<string>): number {
  const first = ranking.findIndex((id) => relevant.has(id))
  return first < 0 ? 0 : 1 / (first + 1)
}

/** Returns 1 if all relevant items are among the first `k`, else 0. NaN if nothing is relevant. */
export function allAt(k: number, ranking: readonly string[], relevant: ReadonlySet<string>): number {
  return relevant.size === 0 ? Number.NaN : Number(recallAt(k, ranking, relevant) === 1)
}

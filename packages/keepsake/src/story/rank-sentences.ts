/** Damping of PageRank, as TextRank uses it (Mihalcea and Tarau, 2004). */
const DAMPING = 0.85
const ITERATIONS = 30

/**
 * TextRank: how central each of a set is, by its likeness to the others. Scores have a mean of 1.
 *
 * @param likeness symmetric, 0 to 1; the diagonal is ignored
 */
export function rankByLikeness(likeness: readonly (readonly number[])[]): number[] {
  const count = likeness.length
  const shares = sharesOf(likeness)
  let scores = new Float64Array(count).fill(1)
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const next = new Float64Array(count)
    for (let to = 0; to < count; to++) {
      let incoming = 0
      for (let from = 0; from < count; from++)
        incoming += (shares[to * count + from] ?? 0) * (scores[from] ?? 0)
      next[to] = 1 - DAMPING + DAMPING * incoming
    }
    scores = next
  }
  return [...scores]
}

/** Which share of its likeness each has to another, by the other and then by itself: the same in every iteration. */
function sharesOf(likeness: readonly (readonly number[])[]): Float64Array {
  const count = likeness.length
  const shares = new Float64Array(count * count)
  for (const [from, row] of likeness.entries()) {
    const outgoing = row.reduce((sum, value, to) => (to === from ? sum : sum + value), 0)
    if (outgoing <= 0) continue
    for (let to = 0; to < count; to++) if (from !== to) shares[to * count + from] = (row[to] ?? 0) / outgoing
  }
  return shares
}

/** Share of relevance against novelty in maximal marginal relevance (Carbonell and Goldstein, 1998, use 0.7 for summaries of few sentences). */
const RELEVANCE_SHARE = 0.7

/**
 * Picks by maximal marginal relevance until nothing more fits.
 *
 * @returns positions of those picked, in the order picked
 */
export function pickVaried(
  scores: readonly number[],
  likeness: readonly (readonly number[])[],
  fits: (picked: readonly number[], next: number) => boolean,
): number[] {
  const best = Math.max(...scores, Number.MIN_VALUE)
  const left = new Set(scores.keys())
  const picked: number[] = []
  /** How like each is to the likest that was picked. */
  const redundant = new Float64Array(scores.length)
  while (left.size > 0) {
    let next = -1
    let nextGain = -Infinity
    for (const at of left) {
      const gain = (RELEVANCE_SHARE * (scores[at] ?? 0)) / best - (1 - RELEVANCE_SHARE) * (redundant[at] ?? 0)
      if (gain > nextGain) [next, nextGain] = [at, gain]
    }
    left.delete(next)
    if (!fits(picked, next)) continue
    picked.push(next)
    for (const at of left) redundant[at] = Math.max(redundant[at] ?? 0, likeness[at]?.[next] ?? 0)
  }
  return picked
}

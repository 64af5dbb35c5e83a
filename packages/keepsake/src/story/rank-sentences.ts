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
  const outgoing = likeness.map((row, at) =>
    row.reduce((sum, value, to) => (to === at ? sum : sum + value), 0),
  )
  let scores = Array.from({ length: count }, () => 1)
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    scores = scores.map((_, to) => {
      let incoming = 0
      for (let from = 0; from < count; from++) {
        const out = outgoing[from] ?? 0
        if (from !== to && out > 0) incoming += ((likeness[from]?.[to] ?? 0) / out) * (scores[from] ?? 0)
      }
      return 1 - DAMPING + DAMPING * incoming
    })
  }
  return scores
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
  while (left.size > 0) {
    let next = -1
    let nextGain = -Infinity
    for (const at of left) {
      const redundant = picked.reduce((most, one) => Math.max(most, likeness[at]?.[one] ?? 0), 0)
      const gain = (RELEVANCE_SHARE * (scores[at] ?? 0)) / best - (1 - RELEVANCE_SHARE) * redundant
      if (gain > nextGain) [next, nextGain] = [at, gain]
    }
    left.delete(next)
    if (fits(picked, next)) picked.push(next)
  }
  return picked
}

/**
 * The rows that must be rescored so that the best `k` of them are the best `k` of all, for certain: those whose
 * score is no more than 2 × `errorBound` below the k-th best score. For the k rows with the best scores each have an exact
 * cosine of at least (k-th best score − bound), and a row left out has one below that.
 *
 * @param scores What `VectorTable.scan` wrote; it may be longer than the table when `isEligible` says no to the rest.
 * @param k How many are wanted, 1 or more.
 * @param errorBound What `scan` returned, or the table's own.
 * @param isEligible Leaves rows out: empty ones, forgotten ones. All are taken when absent.
 * @returns row numbers, best score first, equal scores in order of row.
 *
 * @example
 * const bound = table.scan(query, scores)
 * const rows = selectCandidates(scores, 10, bound, (row) => table.has(row))
 * const exact = rescore(query, await store.loadVectors(rows))
 */
export function selectCandidates(
  scores: Float32Array,
  k: number,
  errorBound: number,
  isEligible: (row: number) => boolean = () => true,
): number[] {
  return rowsFrom(scores, kthBest(scores, k, isEligible) - 2 * errorBound, isEligible)
}

/**
 * The same in two steps, which load far fewer rows: rescore `selectCandidates(scores, k, 0)` first, then whatever this
 * returns and was not among them. A row left out has an exact cosine below `kthExact`, which k rows reach.
 *
 * @param kthExact The k-th best exact cosine found so far.
 * @returns as `selectCandidates`.
 *
 * @example
 * const first = selectCandidates(scores, k, 0)
 * const kthExact = rescore(query, await load(first)).toSorted().at(-k) ?? -Infinity
 * const rest = selectContenders(scores, kthExact, bound).filter((row) => !first.includes(row))
 */
export function selectContenders(
  scores: Float32Array,
  kthExact: number,
  errorBound: number,
  isEligible: (row: number) => boolean = () => true,
): number[] {
  return rowsFrom(scores, kthExact - errorBound, isEligible)
}

function rowsFrom(scores: Float32Array, floor: number, isEligible: (row: number) => boolean): number[] {
  const rows: number[] = []
  for (let row = 0; row < scores.length; row += 1) {
    if ((scores[row] as number) >= floor && isEligible(row)) rows.push(row)
  }
  return rows.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
}

/** The k-th best score, −Infinity when there are fewer than k. Eligibility is asked only of rows that would count. */
function kthBest(scores: Float32Array, k: number, isEligible: (row: number) => boolean): number {
  // Ascending; a score enters by insertion, which happens about k ln(n / k) times in n.
  const best = new Float32Array(k).fill(-Infinity)
  for (let row = 0; row < scores.length; row += 1) {
    const score = scores[row] as number
    if (score <= (best[0] as number) || !isEligible(row)) continue
    let place = 1
    while (place < k && (best[place] as number) < score) place += 1
    best.copyWithin(0, 1, place)
    best[place - 1] = score
  }
  return best[0] as number
}

// Says what turns lend to the turns around them, and limits it. Used by match-words.ts and rank.ts.
import { NONE } from './documents.ts'
import type { Match } from './match-types.ts'
import { PART, PART_COUNT } from './recipe.ts'
import { DocumentTrait } from './search-types.ts'

/**
 * Shares of a word's score that the turns after and before its turn gain, nearest first. Words count further forward than backward,
 * since answers follow questions and topics continue.
 */
export const FORWARD_SHARES: readonly number[] = [0.8, 0.6, 0.4, 0.3]
export const BACKWARD_SHARES: readonly number[] = [0.5, 0.3]
/** Distance of scores between a neighbour and the turn that borrows from it. Any small number gives the right order. */
const BELOW_LENDER = 1e-6

/**
 * Limits what a turn borrows. The part `neighbours` lends a turn the words and meaning of the turns around it. If the neighbour that lends
 * most matches better by itself, the borrower is lowered below it, so that the turn which matches comes first. A question is no lender,
 * since its answer should come first.
 *
 * @param rows the rows of the hits. `scores` and `parts` belong to them
 * @param allScores scores by row, for lenders that are no hits
 */
export function capBorrowed(
  match: Match,
  rows: readonly number[],
  { scores, parts }: { readonly scores: Float64Array; readonly parts: Float64Array },
  allScores: Float64Array,
): void {
  const isCapped = new Uint8Array(rows.length)
  const cap = (place: number): void => {
    if (isCapped[place] === 1) return
    isCapped[place] = 1
    const index = place * PART_COUNT + PART.neighbours
    const borrowed = parts[index] as number
    const lender = borrowed <= 0 ? NONE : findLender(match, rows[place] as number)
    if (lender === NONE) return
    const lenderPlace = rows.indexOf(lender)
    const isHit = lenderPlace !== -1
    // A lender that borrows is lowered first. The recursion ends, since a lender matches better by itself than its borrower.
    if (isHit) cap(lenderPlace)
    const maxScore = (isHit ? scores[lenderPlace] : allScores[lender]) as number
    const reduction = Math.min(borrowed, (scores[place] as number) - maxScore + BELOW_LENDER)
    if (reduction <= 0) return
    parts[index] = borrowed - reduction
    scores[place] = (scores[place] as number) - reduction
  }
  for (let place = 0; place < rows.length; place++) cap(place)
}

/** Returns the neighbour that lends most, or `NONE` if it matches no better by itself or is a question that the row answers. */
function findLender(match: Match, row: number): number {
  const { previous, next, traits } = match.documents
  let lender = NONE
  let maxLent = 0
  let isBefore = true
  for (const links of [previous, next]) {
    let neighbour = row
    // Words of the turns before count forward for this turn, those of the turns after count backward.
    for (const share of links === previous ? FORWARD_SHARES : BACKWARD_SHARES) {
      neighbour = links[neighbour] ?? NONE
      if (neighbour === NONE) break
      const lent = share * ownScore(match, neighbour)
      if (lent <= maxLent) continue
      maxLent = lent
      lender = neighbour
      isBefore = links === previous
    }
  }
  if (lender === NONE || ownScore(match, lender) <= ownScore(match, row)) return NONE
  const isAnswered = isBefore && ((traits[lender] ?? 0) & DocumentTrait.asks) !== 0
  return isAnswered ? NONE : lender
}

/** Scores a turn by its own words and meaning. */
export function ownScore({ recipe, wordScores, topWords, cosine, topCosine }: Match, row: number): number {
  const { lexical, semantic } = recipe.weights
  return (lexical * (wordScores[row] ?? 0)) / topWords + (semantic * (cosine[row] ?? 0)) / topCosine
}

import { TextTrait } from '../text/text-traits.ts'
import { NONE } from './document-table.ts'
import { FOLLOWING, PRECEDING, type Matches } from './match-documents.ts'
import { withPart } from './score.ts'
import type { SearchHit } from './search-types.ts'

/** By how much a borrower stays behind its lender. */
const BEHIND = 1e-6

/** A hit with its row, before what it borrowed is capped. */
export interface RankedRow {
  readonly row: number
  readonly hit: SearchHit
}

/**
 * Hits anew in order: one that words and meaning of the turns around it carry past the turn that lends them most loses what is too
 * much, so that the turn around which others are found stands before them. A turn that asks is no such lender: what follows it is its
 * answer, and may be what was wanted.
 */
export function capBorrowed(matches: Matches, sums: Float64Array, ranked: readonly RankedRow[]): SearchHit[] {
  const scores = new Map<number, number>()
  const capped = ranked
    .map((one) => ({ ...one, own: ownMatch(matches, one.row) }))
    // Whoever lends has more of its own, and comes to its score first.
    .sort((one, other) => other.own - one.own)
    .map(({ row, hit, own }) => {
      const borrowed = hit.parts['neighbours'] ?? 0
      const lender = borrowed > 0 ? findLender(matches, row, own) : NONE
      const most = lender === NONE ? Number.POSITIVE_INFINITY : (scores.get(lender) ?? sums[lender] ?? 0)
      const less = Math.min(borrowed, hit.score - most + BEHIND)
      const kept = less > 0 ? withPart(hit, 'neighbours', borrowed - less) : hit
      scores.set(row, kept.score)
      return kept
    })
  return capped.sort((one, other) => other.score - one.score)
}

/**
 * The turn around a row that gives it most; `NONE` where it matches no better by itself, or where the row follows it and it asks.
 */
function findLender(matches: Matches, row: number, own: number): number {
  const { previous, next, traits } = matches.table
  let lender = NONE
  let most = 0
  let answers = false
  const look = (links: Int32Array, shares: readonly number[]): void => {
    let at = row
    for (const share of shares) {
      at = links[at] ?? NONE
      if (at === NONE) return
      const lends = share * ownMatch(matches, at)
      if (lends <= most) continue
      most = lends
      lender = at
      answers = links === previous && ((traits[at] ?? 0) & TextTrait.asks) !== 0
    }
  }
  look(previous, FOLLOWING)
  look(next, PRECEDING)
  return answers || lender === NONE || ownMatch(matches, lender) <= own ? NONE : lender
}

/** What a turn's own words and meaning are worth. */
function ownMatch({ recipe, own, topWords, cosine, topCosine }: Matches, row: number): number {
  const { lexical, semantic } = recipe.weights
  return (lexical * (own[row] ?? 0)) / topWords + (semantic * (cosine?.[row] ?? 0)) / topCosine
}

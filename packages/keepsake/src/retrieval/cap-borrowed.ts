import { TextTrait } from '../text/text-traits.ts'
import { NONE } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import { FOLLOWING, PRECEDING } from './match-words.ts'
import type { RowParts } from './row-parts.ts'
import type { SearchHit } from './search-types.ts'

/** By how much a borrower stays behind its lender. */
const BEHIND = 1e-6

/**
 * Hits anew in order: one that words and meaning of the turns around it carry past the turn that lends them most loses what is too
 * much, so that the turn around which others are found stands before them. A turn that asks is no such lender: what follows it is its
 * answer, and may be what was wanted.
 */
export function capBorrowed(matches: Matches, sums: Float64Array, parts: RowParts): SearchHit[] {
  const { rows } = parts
  const scores = new Map<number, number>()
  const own = Float64Array.from(rows, (row) => ownMatch(matches, row))
  // Whoever lends has more of its own, and comes to its score first.
  const places = Array.from(own.keys()).sort((one, other) => (own[other] ?? 0) - (own[one] ?? 0))
  const capped = places.map((place) => {
    const row = rows[place] ?? NONE
    const borrowed = parts.valueOf('neighbours', place)
    const lender = borrowed > 0 ? findLender(matches, row, own[place] ?? 0) : NONE
    const most = lender === NONE ? Number.POSITIVE_INFINITY : (scores.get(lender) ?? sums[lender] ?? 0)
    const less = Math.min(borrowed, parts.scoreOf(place) - most + BEHIND)
    if (less > 0) parts.setBorrowed(place, borrowed - less)
    const hit = parts.hit(place)
    scores.set(row, hit.score)
    return hit
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

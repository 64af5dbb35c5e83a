import { TextTrait } from '@keepsake/text'
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
  const { rows, scores } = parts
  const own = new Float64Array(rows.length)
  for (let place = 0; place < rows.length; place++) own[place] = ownMatch(matches, rows[place] ?? NONE)
  // Whoever lends has more of its own, and comes to its score first.
  const places = Array.from(own, (_, place) => place)
  places.sort((one, other) => (own[other] ?? 0) - (own[one] ?? 0))
  for (const place of places) {
    const borrowed = parts.borrowed(place)
    if (borrowed <= 0) continue
    const lender = findLender(matches, rows[place] ?? NONE, own[place] ?? 0)
    if (lender === NONE) continue
    const found = rows.indexOf(lender)
    const most = (found < 0 ? sums[lender] : scores[found]) ?? 0
    const less = Math.min(borrowed, (scores[place] ?? 0) - most + BEHIND)
    if (less > 0) parts.setBorrowed(place, borrowed - less)
  }
  return places
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
    .map((place) => parts.hit(place))
}

/**
 * The turn around a row that gives it most; `NONE` where it matches no better by itself, or where the row follows it and it asks.
 */
function findLender(matches: Matches, row: number, own: number): number {
  const { previous, next, traits } = matches.table
  const before = mostLent(matches, row, previous, FOLLOWING)
  const after = mostLent(matches, row, next, PRECEDING)
  const isBefore = after.most <= before.most
  const { lender } = isBefore ? before : after
  if (lender === NONE || ownMatch(matches, lender) <= own) return NONE
  const isAnswered = isBefore && ((traits[lender] ?? 0) & TextTrait.asks) !== 0
  return isAnswered ? NONE : lender
}

/** Of the turns that stand before a row or after it, the one that gives it most; `NONE` where none gives anything. */
function mostLent(
  matches: Matches,
  row: number,
  links: Int32Array,
  shares: readonly number[],
): { readonly lender: number; readonly most: number } {
  let lender = NONE
  let most = 0
  let at = row
  for (const share of shares) {
    at = links[at] ?? NONE
    if (at === NONE) break
    const lends = share * ownMatch(matches, at)
    if (lends <= most) continue
    most = lends
    lender = at
  }
  return { lender, most }
}

/** What a turn's own words and meaning are worth. */
function ownMatch({ recipe, own, topWords, cosine, topCosine }: Matches, row: number): number {
  const { lexical, semantic } = recipe.weights
  return (lexical * (own[row] ?? 0)) / topWords + (semantic * (cosine?.[row] ?? 0)) / topCosine
}

import { TextTrait } from '../text/text-traits.ts'
import { NONE } from './document-table.ts'
import { FOLLOWING, PRECEDING, type Matches } from './match-documents.ts'
import { withPart } from './score.ts'
import type { SearchHit } from './search-types.ts'

/** By how much a borrower stays behind its lender. */
const BEHIND = 1e-6

/**
 * A hit whose borrowed words and meaning carry it past the turn that lends them loses what is too much: the turn around which others
 * are found stands before them. A turn that asks is no such lender: what follows it is its answer, and may be what was wanted.
 */
export function withinLender(matches: Matches, sums: Float64Array, row: number, hit: SearchHit): SearchHit {
  const borrowed = hit.parts['neighbours'] ?? 0
  if (borrowed <= 0) return hit
  const lender = findLender(matches, row)
  const most = sums[lender] ?? Number.POSITIVE_INFINITY
  if (hit.score < most || asksBefore(matches, lender, row)) return hit
  return withPart(hit, 'neighbours', borrowed - Math.min(borrowed, hit.score - most + BEHIND))
}

function asksBefore({ table }: Matches, lender: number, row: number): boolean {
  return ((table.traits[lender] ?? 0) & TextTrait.asks) !== 0 && table.isEarlier(lender, row)
}

/** The turn around a row that gives it most. */
function findLender(matches: Matches, row: number): number {
  const { previous, next } = matches.table
  let lender = NONE
  let most = 0
  const look = (links: Int32Array, shares: readonly number[]): void => {
    let at = row
    for (const share of shares) {
      at = links[at] ?? NONE
      if (at === NONE) return
      const gives = share * givesOf(matches, at)
      if (gives > most) {
        most = gives
        lender = at
      }
    }
  }
  look(previous, FOLLOWING)
  look(next, PRECEDING)
  return lender
}

function givesOf({ recipe, own, topWords, cosine, topCosine }: Matches, row: number): number {
  const { lexical, semantic } = recipe.weights
  return (lexical * (own[row] ?? 0)) / topWords + (semantic * (cosine?.[row] ?? 0)) / topCosine
}

import type { PlacedFact } from '../facts/placed-fact.ts'

/** Reciprocal rank fusion: how much a first place is worth above a second (Cormack et al. use 60, for lists of thousands). */
const RANK_OFFSET = 8
/** So many of each list are looked at first, and then as many times more. */
const LOOKED_AT = 48
const TIMES = 4

/** Facts, the best first, of which the head is read and single places are looked up: the whole list is never made. */
export interface RankedList {
  /** How much it counts to stand in it. */
  readonly weight: number
  /** The first so many of those that are accepted. */
  readonly head: (count: number, accepts: Accepts) => readonly PlacedFact[]
  /** The places that facts have in it, from 0, whether accepted or not; −1 for one that is not in it. */
  readonly ranksOf: (facts: readonly PlacedFact[]) => readonly number[]
}

/** Asked of a fact by its place. */
export type Accepts = (place: number) => boolean

/** A fact with what its places are worth together, and the first list in which it stands, with its place there. */
interface Fused {
  readonly fact: PlacedFact
  readonly worth: number
  readonly list: number
  readonly rank: number
}

/**
 * Best first by the sum of what each place in each list is worth; equals as the lists name them. As many heads are read as are
 * asked for (Fagin's threshold algorithm): whatever stands in no head is worth no more than the places behind all of them.
 *
 * @param accepts asked when it is a fact's turn, or before. What is refused once must be refused from then on.
 */
export function* fuseLists(lists: readonly RankedList[], accepts: Accepts): Generator<PlacedFact> {
  const told = new Set<number>()
  const isOpen: Accepts = (place) => accepts(place) && !told.has(place)
  for (let count = LOOKED_AT; ; count *= TIMES) {
    const heads = lists.map((list) => list.head(count, isOpen))
    const { fused, behind } = fuseHeads(lists, heads, count)
    for (const { fact, worth } of fused) {
      if (worth <= behind) break
      told.add(fact.place)
      if (accepts(fact.place)) yield fact
    }
    if (behind === 0) return
  }
}

/** @returns `behind`: what whoever stands in no head is worth at most */
function fuseHeads(
  lists: readonly RankedList[],
  heads: readonly (readonly PlacedFact[])[],
  count: number,
): { readonly fused: readonly Fused[]; readonly behind: number } {
  const facts = [...new Set(heads.flat())]
  const places = new Map(facts.map((fact, at) => [fact, at]))
  const ranks = lists.map((list) => list.ranksOf(facts))
  let behind = 0
  for (const [at, head] of heads.entries()) {
    const last = head.at(-1)
    if (head.length < count || last === undefined) continue
    behind += worthOf(lists[at], (ranks[at]?.[places.get(last) ?? 0] ?? 0) + 1)
  }
  const fused = facts.map((fact, at): Fused => {
    const own = ranks.map((ofList) => ofList[at] ?? -1)
    const list = own.findIndex((rank) => rank >= 0)
    const worth = own.reduce((sum, rank, of) => (rank < 0 ? sum : sum + worthOf(lists[of], rank)), 0)
    return { fact, worth, list, rank: own[list] ?? 0 }
  })
  return { fused: fused.sort(byWorth), behind }
}

function worthOf(list: RankedList | undefined, rank: number): number {
  return (list?.weight ?? 0) / (RANK_OFFSET + rank)
}

function byWorth(one: Fused, other: Fused): number {
  return other.worth - one.worth || one.list - other.list || one.rank - other.rank
}

/** A list that is as short as it is long to write down. */
export function shortList(weight: number, facts: readonly PlacedFact[]): RankedList {
  const ranks = new Map(facts.map((fact, rank) => [fact, rank]))
  return {
    weight,
    head: (count, accepts) => facts.filter(({ place }) => accepts(place)).slice(0, count),
    ranksOf: (asked) => asked.map((fact) => ranks.get(fact) ?? -1),
  }
}

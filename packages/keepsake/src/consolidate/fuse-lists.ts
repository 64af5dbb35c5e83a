import type { PlacedFact } from '../facts/placed-fact.ts'

/** Offset of reciprocal rank fusion (Cormack et al. use 60, for lists of thousands). */
const RANK_OFFSET = 8
/** Hits read from each list at first; the factor by which this grows. */
const LOOKED_AT = 48
const TIMES = 4

/** A ranked list that yields its head and looks up single ranks, without being built as a whole. */
export interface RankedList {
  readonly weight: number
  /** The first `count` accepted facts. */
  readonly head: (count: number, accepts: Accepts) => readonly PlacedFact[]
  /** Ranks of facts from 0, whether accepted or not; −1 for absent facts. */
  readonly ranksOf: (facts: readonly PlacedFact[]) => readonly number[]
}

/** Accepts or refuses a fact by its place. */
export type Accepts = (place: number) => boolean

/** A fact with its fused score, and the first list that has it, with its rank there. */
interface Fused {
  readonly fact: PlacedFact
  readonly worth: number
  readonly list: number
  readonly rank: number
}

/**
 * Yields facts by the sum of their reciprocal ranks; ties in list order. Reads only as much of each list as is needed
 * (Fagin's threshold algorithm).
 *
 * @param accepts called when a fact is due, or earlier. A fact once refused must stay refused.
 */
export function* fuseLists(lists: readonly RankedList[], accepts: Accepts): Generator<PlacedFact> {
  const yielded = new Set<number>()
  const isOpen: Accepts = (place) => accepts(place) && !yielded.has(place)
  for (let count = LOOKED_AT; ; count *= TIMES) {
    const heads = lists.map((list) => list.head(count, isOpen))
    const { fused, behind } = fuseHeads(lists, heads, count)
    for (const { fact, worth } of fused) {
      if (worth <= behind) break
      yielded.add(fact.place)
      if (accepts(fact.place)) yield fact
    }
    if (behind === 0) return
  }
}

/** @returns `behind`: the upper bound for facts in no head */
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
  const byWorth = (one: Fused, other: Fused): number =>
    other.worth - one.worth || one.list - other.list || one.rank - other.rank
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

/** Makes a ranked list of an array. */
export function shortList(weight: number, facts: readonly PlacedFact[]): RankedList {
  const ranks = new Map(facts.map((fact, rank) => [fact, rank]))
  return {
    weight,
    head: (count, accepts) => facts.filter(({ place }) => accepts(place)).slice(0, count),
    ranksOf: (asked) => asked.map((fact) => ranks.get(fact) ?? -1),
  }
}

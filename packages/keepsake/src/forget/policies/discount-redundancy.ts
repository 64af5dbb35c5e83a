/**
 * How many of a text's rarest terms are looked up for texts like it. One that says the same shares nearly all terms,
 * the rarest among them; looking up common ones would find everything and take quadratic time.
 */
const PROBED_TERMS = 8
/** Holders looked at per term, the strongest first. */
const HOLDERS = 32
/** Of the texts found so, those that hold the most of the rarest terms are compared in full. */
const EXAMINED = 4

/** A text that competes with others. */
export interface Competitor {
  /** Its strength by itself, above 0. */
  readonly alone: number
  /** Its distinct terms. */
  readonly terms: readonly string[]
}

export interface Discounted {
  readonly value: number
  /** The greatest share of its terms held by one text that is stronger after its own discount, 0 to 1. */
  readonly redundancy: number
}

/**
 * Takes from each strength in proportion to how much of the text a stronger one says too: value = alone · (1 −
 * weight · redundancy). The strongest is settled first, then the strongest of the rest given what is settled, and so
 * on (maximal marginal relevance, Carbonell and Goldstein 1998, with shared terms as the likeness). A text's value
 * only falls as others are settled, so it is reckoned anew only when its turn comes: ten thousand texts take
 * under half a second, fifty thousand some three.
 *
 * @param competitors of equals, the later is settled first
 * @param weight the share that a wholly redundant text loses, 0 to 1
 * @returns in the order given
 * @example
 * discountRedundancy([{ alone: 5, terms: ['cat'] }, { alone: 6, terms: ['cat', 'milo'] }], 0.5)
 * // [{ value: 2.5, redundancy: 1 }, { value: 6, redundancy: 0 }]
 */
export function discountRedundancy(competitors: readonly Competitor[], weight: number): Discounted[] {
  const probes = chooseProbes(competitors)
  const settled = new Map<string, number[]>()
  const sets = competitors.map(({ terms }) => new Set(terms))
  const results: Discounted[] = competitors.map(({ alone }) => ({ value: alone, redundancy: 0 }))
  const waiting = competitors.map((_, place) => place).sort((a, b) => compare(results, a, b))
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { alone, terms } = competitors[place] ?? { alone: 0, terms: [] }
    const redundancy = greatestShare(terms, probes[place] ?? [], settled, sets)
    results[place] = { value: alone * (1 - weight * redundancy), redundancy }
    const next = waiting.at(-1)
    if (next !== undefined && compare(results, place, next) < 0) {
      waiting.splice(findPlace(waiting, results, place), 0, place)
      continue
    }
    for (const term of terms) addHolder(settled, term, place)
  }
  return results
}

/** Weaker before stronger; of equals, the earlier before the later. */
function compare(results: readonly Discounted[], a: number, b: number): number {
  return (results[a]?.value ?? 0) - (results[b]?.value ?? 0) || a - b
}

function findPlace(waiting: readonly number[], results: readonly Discounted[], place: number): number {
  let low = 0
  let high = waiting.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(results, waiting[middle] ?? 0, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Each text's rarest terms that another text has too. */
function chooseProbes(competitors: readonly Competitor[]): string[][] {
  const counts = new Map<string, number>()
  for (const { terms } of competitors) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const countOf = (term: string): number => counts.get(term) ?? 0
  return competitors.map(({ terms }) =>
    terms
      .filter((term) => countOf(term) > 1)
      .toSorted((a, b) => countOf(a) - countOf(b))
      .slice(0, PROBED_TERMS),
  )
}

function greatestShare(
  terms: readonly string[],
  probes: readonly string[],
  settled: ReadonlyMap<string, readonly number[]>,
  sets: readonly ReadonlySet<string>[],
): number {
  let greatest = 0
  for (const other of findLikeliest(probes, settled)) {
    let shared = 0
    for (const term of terms) if (sets[other]?.has(term) === true) shared++
    greatest = Math.max(greatest, shared)
  }
  return terms.length === 0 ? 0 : greatest / terms.length
}

/** The settled texts that hold the most of the probes. */
function findLikeliest(probes: readonly string[], settled: ReadonlyMap<string, readonly number[]>): number[] {
  const hits = new Map<number, number>()
  for (const probe of probes) {
    for (const holder of settled.get(probe) ?? []) hits.set(holder, (hits.get(holder) ?? 0) + 1)
  }
  const byHits: number[][] = []
  for (const [holder, count] of hits) (byHits[count] ??= []).push(holder)
  const likeliest: number[] = []
  for (let count = byHits.length - 1; count > 0 && likeliest.length < EXAMINED; count--) {
    likeliest.push(...(byHits[count] ?? []))
  }
  return likeliest.slice(0, EXAMINED)
}

function addHolder(settled: Map<string, number[]>, term: string, place: number): void {
  const list = settled.get(term)
  if (list === undefined) settled.set(term, [place])
  else if (list.length < HOLDERS) list.push(place)
}

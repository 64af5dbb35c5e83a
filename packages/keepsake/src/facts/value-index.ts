import { readValue, type ReadValue } from '@keepsake/text'
import type { Nearness } from './fact-lookup.ts'
import type { PlacedFact } from './placed-fact.ts'

/** A value with the term under which it is found by values that say more. */
interface Indexed extends ReadValue {
  readonly leader: string | undefined
}

/**
 * Values of one key by their words, so that a new one is compared with those that it may be, and not with all. One that says less
 * than a known one shares its rarest word with it; one that says more holds the known one's leader, its rarest word when it came.
 */
export class ValueIndex {
  readonly #read = new Map<PlacedFact, Indexed>()
  readonly #byPlain = new Map<string, Set<PlacedFact>>()
  readonly #byTerms = new Map<string, Set<PlacedFact>>()
  readonly #byTerm = new Map<string, Set<PlacedFact>>()
  readonly #byLeader = new Map<string, Set<PlacedFact>>()

  add(placed: PlacedFact): void {
    const read = readValue(placed.fact.value ?? '')
    const indexed = { ...read, leader: this.#rarest(read.terms) }
    this.#read.set(placed, indexed)
    for (const [sets, name] of this.#setsOf(indexed)) {
      const known = sets.get(name)
      if (known === undefined) sets.set(name, new Set([placed]))
      else known.add(placed)
    }
  }

  delete(placed: PlacedFact): void {
    const indexed = this.#read.get(placed)
    if (indexed === undefined) return
    this.#read.delete(placed)
    for (const [sets, name] of this.#setsOf(indexed)) {
      const known = sets.get(name)
      known?.delete(placed)
      if (known?.size === 0) sets.delete(name)
    }
  }

  /** Those that say the same, and where asked for those that say more or less. */
  near(value: string, nearness: Nearness): Set<PlacedFact> {
    const { plain, terms } = readValue(value)
    const found = new Set(this.#byPlain.get(plain))
    if (terms.size === 0) return found
    for (const one of this.#byTerms.get(nameOf(terms)) ?? []) found.add(one)
    if (nearness === 'same') return found
    const rarest = this.#rarest(terms)
    for (const one of this.#byTerm.get(rarest ?? '') ?? [])
      if (holdsAll(this.#read.get(one)?.terms, terms)) found.add(one)
    for (const term of terms)
      for (const one of this.#byLeader.get(term) ?? [])
        if (holdsAll(terms, this.#read.get(one)?.terms)) found.add(one)
    return found
  }

  #setsOf({ plain, terms, leader }: Indexed): [Map<string, Set<PlacedFact>>, string][] {
    if (leader === undefined) return [[this.#byPlain, plain]]
    return [
      [this.#byPlain, plain],
      [this.#byTerms, nameOf(terms)],
      [this.#byLeader, leader],
      ...Array.from(terms, (term): [Map<string, Set<PlacedFact>>, string] => [this.#byTerm, term]),
    ]
  }

  #rarest(terms: ReadonlySet<string>): string | undefined {
    let rarest: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const term of terms) {
      const size = this.#byTerm.get(term)?.size ?? 0
      if (size < least) [rarest, least] = [term, size]
    }
    return rarest
  }
}

/** The same for values of the same words, whatever their order. */
function nameOf(terms: ReadonlySet<string>): string {
  return [...terms].sort().join(' ')
}

function holdsAll(terms: ReadonlySet<string> | undefined, others: ReadonlySet<string> | undefined): boolean {
  if (terms === undefined || others === undefined) return false
  for (const term of others) if (!terms.has(term)) return false
  return true
}

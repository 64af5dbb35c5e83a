import { type ReadValue, readValue } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { fingerprintOf } from './compare-statements.ts'
import type { Nearness } from './fact-lookup.ts'
import { type PlacedFact, byPlace, inOrder } from './placed-fact.ts'
import { SortedList } from './sorted-list.ts'

/** A value with the term by which longer values find it. */
interface IndexedValue extends ReadValue {
  readonly leader: string | undefined
}

/**
 * Indexes the values of one key by their words. A shorter value shares its rarest word with a known one; a longer one
 * contains the known one's leader, its rarest word on insertion.
 */
export class ValueIndex {
  readonly #read = new Map<PlacedFact, IndexedValue>()
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

  /** Finds values that say the same, and if asked those that say more or less. */
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

  #setsOf({ plain, terms, leader }: IndexedValue): [Map<string, Set<PlacedFact>>, string][] {
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

/** Names a set of words, regardless of order. */
function nameOf(terms: ReadonlySet<string>): string {
  return [...terms].sort().join(' ')
}

function holdsAll(terms: ReadonlySet<string> | undefined, others: ReadonlySet<string> | undefined): boolean {
  if (terms === undefined || others === undefined) return false
  for (const term of others) if (!terms.has(term)) return false
  return true
}

/** Up to this many facts are searched without an index. */
const FEW = 4

function byEnd(one: PlacedFact, other: PlacedFact): number {
  return (one.fact.validUntil ?? 0) - (other.fact.validUntil ?? 0) || byPlace(one, other)
}

function byBeginning(one: PlacedFact, other: PlacedFact): number {
  return one.fact.validFrom - other.fact.validFrom || byPlace(one, other)
}

/** Facts with a value under one key of one subject. */
export class FactsOfKey {
  readonly #all = new SortedList(byPlace)
  readonly #current = new SortedList(byPlace)
  readonly #ended = new SortedList(byEnd)
  readonly #begun = new SortedList(byBeginning)
  #values: ValueIndex | null = null

  get size(): number {
    return this.#all.items.length
  }

  add(placed: PlacedFact): void {
    this.#all.add(placed)
    this.#begun.add(placed)
    if (placed.fact.validUntil === null) this.#current.add(placed)
    else this.#ended.add(placed)
    this.#values?.add(placed)
  }

  delete(placed: PlacedFact): void {
    this.#all.delete(placed)
    this.#begun.delete(placed)
    this.#ended.delete(placed)
    this.#current.delete(placed)
    this.#values?.delete(placed)
  }

  get all(): Memory[] {
    return this.#all.items.map(({ fact }) => fact)
  }

  /** Returns the active facts, at most the last `most`. */
  current(most = Number.POSITIVE_INFINITY): Memory[] {
    return this.#current.items.slice(-most).map(({ fact }) => fact)
  }

  near(value: string, nearness: Nearness): Memory[] {
    if (this.size <= FEW) return this.all
    if (this.#values === null) {
      this.#values = new ValueIndex()
      for (const placed of this.#all.items) this.#values.add(placed)
    }
    return inOrder(this.#values.near(value, nearness))
  }

  /** See `FactLookup.around`. */
  around(at: number, passesOver: (id: string) => boolean): Memory[] {
    if (this.size <= FEW) return this.all.filter(({ id }) => !passesOver(id))
    const found = new Set(this.#current.items.filter(({ fact }) => !passesOver(fact.id)))
    const counts = ({ fact }: PlacedFact): boolean => !passesOver(fact.id)
    const heldThen = this.#ended.firstFrom(({ fact }) => (fact.validUntil ?? 0) > at)
    for (const placed of this.#ended.items.slice(heldThen)) if (counts(placed)) found.add(placed)
    const { items } = this.#begun
    const last = items.findLast(counts)
    if (last !== undefined) found.add(last)
    for (
      let next = this.#begun.firstFrom(({ fact }) => fact.validFrom > at);
      next < items.length;
      next += 1
    ) {
      const placed = items[next]
      if (placed === undefined || !counts(placed)) continue
      found.add(placed)
      break
    }
    return inOrder(found)
  }
}

function byLearning(one: PlacedFact, other: PlacedFact): number {
  return one.fact.learnedAt - other.fact.learnedAt || byPlace(one, other)
}

/** Live facts about one subject. */
export class FactsOfSubject {
  readonly #all = new Set<PlacedFact>()
  readonly #keys = new Map<string, FactsOfKey>()
  readonly #current = new SortedList(byLearning)
  #keyless = 0
  /** Facts by fingerprint; built on first use. */
  #statements: Map<number, Set<PlacedFact>> | null = null

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  get hasKeyless(): boolean {
    return this.#keyless > 0
  }

  get all(): Memory[] {
    return inOrder(this.#all)
  }

  add(placed: PlacedFact): void {
    this.#all.add(placed)
    if (placed.fact.validUntil === null) this.#current.add(placed)
    if (this.#statements !== null) addStatement(this.#statements, placed)
    const { key, value } = placed.fact
    if (key === null) this.#keyless += 1
    if (key === null || value === null) return
    const ofKey = this.#keys.get(key) ?? new FactsOfKey()
    this.#keys.set(key, ofKey)
    ofKey.add(placed)
  }

  /** Removes a fact that is unchanged since it was added. */
  delete(placed: PlacedFact): void {
    if (this.#all.delete(placed) && placed.fact.key === null) this.#keyless -= 1
    this.#current.delete(placed)
    this.#statements?.get(fingerprintOf(placed.fact.text))?.delete(placed)
    const { key } = placed.fact
    const ofKey = key === null ? undefined : this.#keys.get(key)
    ofKey?.delete(placed)
    if (key !== null && ofKey?.size === 0) this.#keys.delete(key)
  }

  ofKey(key: string): FactsOfKey | undefined {
    return this.#keys.get(key)
  }

  /** Finds facts whose statement may be the same as a text. */
  saying(text: string): Memory[] {
    if (this.#statements === null) {
      this.#statements = new Map()
      for (const placed of this.#all) addStatement(this.#statements, placed)
    }
    return inOrder(this.#statements.get(fingerprintOf(text)) ?? [])
  }

  /** Yields active facts, last learned first. */
  *latest(): Generator<PlacedFact> {
    const { items } = this.#current
    for (let at = items.length - 1; at >= 0; at -= 1) {
      const placed = items[at]
      if (placed !== undefined) yield placed
    }
  }
}

function addStatement(statements: Map<number, Set<PlacedFact>>, placed: PlacedFact): void {
  const fingerprint = fingerprintOf(placed.fact.text)
  const known = statements.get(fingerprint)
  if (known === undefined) statements.set(fingerprint, new Set([placed]))
  else known.add(placed)
}

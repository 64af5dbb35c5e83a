import type { Memory } from '../memories/memory.ts'
import type { Nearness } from './fact-lookup.ts'
import { byPlace, inOrder, type PlacedFact } from './placed-fact.ts'
import { SortedList } from './sorted-list.ts'
import { ValueIndex } from './value-index.ts'

/** So few are looked through sooner than an index of them is made. */
const FEW = 4

/** Facts that ended, the last to end last. */
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

  /** Those that still hold; the last so many where that is asked. */
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

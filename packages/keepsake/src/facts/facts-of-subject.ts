import type { Memory } from '../memories/memory.ts'
import { fingerprintOf } from './compare-statements.ts'
import { FactsOfKey } from './facts-of-key.ts'
import { byPlace, inOrder, type PlacedFact } from './placed-fact.ts'
import { SortedList } from './sorted-list.ts'

/** The last learned last. */
function byLearning(one: PlacedFact, other: PlacedFact): number {
  return one.fact.learnedAt - other.fact.learnedAt || byPlace(one, other)
}

/** Live facts about one subject. */
export class FactsOfSubject {
  readonly #all = new Set<PlacedFact>()
  readonly #keys = new Map<string, FactsOfKey>()
  /** Those that still hold. */
  readonly #current = new SortedList(byLearning)
  #keyless = 0
  /** By what their statements say; made when first asked for, since reading is what takes the time. */
  #statements: Map<number, Set<PlacedFact>> | null = null

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /** Whether any fits no key. */
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

  /** With the fact still in it that was added. */
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

  /** Those whose statement may say the same as a text. */
  saying(text: string): Memory[] {
    if (this.#statements === null) {
      this.#statements = new Map()
      for (const placed of this.#all) addStatement(this.#statements, placed)
    }
    return inOrder(this.#statements.get(fingerprintOf(text)) ?? [])
  }

  /** Those that still hold, the last learned first. */
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

import type { FactLookup, KeyPlace, KnownFact, Nearness } from './fact-lookup.ts'

/** Facts with uncommitted changes applied. A changed fact keeps its place; new ones follow in insertion order. */
export class ChangedFacts<Fact extends KnownFact> implements FactLookup<Fact> {
  readonly #base: FactLookup<Fact>
  readonly #changed: ReadonlyMap<string, Fact | null>

  /** @param changed current facts; `null` for removed ones. Read at every call. */
  constructor(base: FactLookup<Fact>, changed: ReadonlyMap<string, Fact | null>) {
    this.#base = base
    this.#changed = changed
  }

  get end(): number {
    return this.#base.end + this.#changed.size
  }

  get(id: string): Fact | undefined {
    const changed = this.#changed.get(id)
    return changed === undefined ? this.#base.get(id) : (changed ?? undefined)
  }

  placeOf(id: string): number | undefined {
    const known = this.#base.placeOf(id)
    if (known !== undefined || !this.#changed.has(id)) return known
    return this.#base.end + [...this.#changed.keys()].indexOf(id)
  }

  about(subject: string): readonly Fact[] {
    return this.#with(this.#base.about(subject), (fact) => fact.subject === subject)
  }

  saying(subject: string, text: string): readonly Fact[] {
    return this.#with(this.#base.saying(subject, text), (fact) => fact.subject === subject)
  }

  ofKey(subject: string, key: string): readonly Fact[] {
    return this.#with(this.#base.ofKey(subject, key), isUnder({ subject, key }))
  }

  near(place: KeyPlace, value: string, nearness: Nearness): readonly Fact[] {
    return this.#with(this.#base.near(place, value, nearness), isUnder(place))
  }

  current(place: KeyPlace, most?: number): readonly Fact[] {
    const isIn = isUnder(place)
    return this.#with(this.#base.current(place, most), (fact) => isIn(fact) && fact.validUntil === null)
  }

  around(place: KeyPlace, at: number, passesOver = (_id: string): boolean => false): readonly Fact[] {
    const isChanged = (id: string): boolean => this.#changed.has(id) || passesOver(id)
    const isIn = isUnder(place)
    return this.#with(this.#base.around(place, at, isChanged), (fact) => isIn(fact) && !passesOver(fact.id))
  }

  /** Merges found and changed facts, in order. */
  #with(found: readonly Fact[], accepts: (fact: Fact) => boolean): readonly Fact[] {
    if (this.#changed.size === 0) return found
    const placed: { fact: Fact; place: number }[] = []
    for (const fact of found)
      if (!this.#changed.has(fact.id)) placed.push({ fact, place: this.#base.placeOf(fact.id) ?? 0 })
    let behind = this.#base.end
    for (const [id, fact] of this.#changed) {
      const place = this.#base.placeOf(id) ?? behind
      behind += 1
      if (fact !== null && accepts(fact)) placed.push({ fact, place })
    }
    return placed.sort((one, other) => one.place - other.place).map(({ fact }) => fact)
  }
}

function isUnder({ subject, key }: KeyPlace): (fact: KnownFact) => boolean {
  return (fact) => fact.subject === subject && fact.key === key && fact.value !== null
}

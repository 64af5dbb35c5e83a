import type { FactLookup, KeyPlace, KnownFact } from './fact-lookup.ts'

/** A short list of facts: it is looked through. */
export class ListedFacts<Fact extends KnownFact> implements FactLookup<Fact> {
  readonly #facts: readonly Fact[]
  readonly #places: ReadonlyMap<string, number>

  constructor(facts: readonly Fact[]) {
    this.#facts = [...new Map(facts.map((fact) => [fact.id, fact])).values()]
    this.#places = new Map(this.#facts.map(({ id }, place) => [id, place]))
  }

  get end(): number {
    return this.#facts.length
  }

  get(id: string): Fact | undefined {
    return this.#facts[this.#places.get(id) ?? -1]
  }

  placeOf(id: string): number | undefined {
    return this.#places.get(id)
  }

  about(subject: string): Fact[] {
    return this.#facts.filter((fact) => fact.subject === subject)
  }

  saying(subject: string): Fact[] {
    return this.about(subject)
  }

  ofKey(subject: string, key: string): Fact[] {
    return this.about(subject).filter((fact) => fact.key === key && fact.value !== null)
  }

  near({ subject, key }: KeyPlace): Fact[] {
    return this.ofKey(subject, key)
  }

  current({ subject, key }: KeyPlace): Fact[] {
    return this.ofKey(subject, key).filter((fact) => fact.validUntil === null)
  }

  around({ subject, key }: KeyPlace, _at: number, passesOver = (_id: string): boolean => false): Fact[] {
    return this.ofKey(subject, key).filter(({ id }) => !passesOver(id))
  }
}

import { compareRead, type ReadValue, readValue, type ValueRelation } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { fingerprintOf } from './compare-statements.ts'

/** A fact in a merge: a live memory, or one added earlier in the same merge. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** Finds known facts that a new statement may concern. Results are in insertion order. */
export interface FactLookup<Fact extends KnownFact = KnownFact> {
  get(id: string): Fact | undefined
  /** The place in insertion order. */
  placeOf(id: string): number | undefined
  /** Above every place. */
  readonly end: number
  /** All of a subject. */
  about(subject: string): readonly Fact[]
  /** Those with a value under a key of a subject. */
  ofKey(subject: string, key: string): readonly Fact[]
}

/** Computes something of a fact on first use. The result is released with the fact. */
export function oncePerFact<Fact extends object, Result>(
  compute: (fact: Fact) => Result,
): (fact: Fact) => Result {
  const known = new WeakMap<Fact, { readonly result: Result }>()
  return (fact) => {
    const computed = known.get(fact) ?? { result: compute(fact) }
    known.set(fact, computed)
    return computed.result
  }
}

const valueOf = oncePerFact(({ value }: KnownFact) => readValue(value ?? ''))
const statementOf = oncePerFact(({ text }: KnownFact) => fingerprintOf(text))

/** A new value; `exact` where it is compared letter by letter. */
export interface FreshValue extends ReadValue {
  readonly exact?: string
}

export function compareToFact(value: FreshValue, fact: KnownFact): ValueRelation {
  if (value.exact !== undefined) return value.exact === fact.value ? 'same' : 'different'
  return compareRead(value, valueOf(fact))
}

/** Finds facts about a subject whose statement may be the same as a text; hashes may collide. */
export function factsSaying<Fact extends KnownFact>(
  facts: FactLookup<Fact>,
  subject: string,
  text: string,
): readonly Fact[] {
  const fingerprint = fingerprintOf(text)
  return facts.about(subject).filter((fact) => statementOf(fact) === fingerprint)
}

/** Facts with uncommitted changes applied. A changed fact keeps its place; new ones follow in insertion order. */
export class ChangedFacts<Fact extends KnownFact> implements FactLookup<Fact> {
  readonly #base: FactLookup<Fact> | null
  readonly #changed: ReadonlyMap<string, Fact | null>

  /** @param changed current facts; `null` for removed ones. Read at every call. */
  constructor(base: FactLookup<Fact> | null, changed: ReadonlyMap<string, Fact | null>) {
    this.#base = base
    this.#changed = changed
  }

  get end(): number {
    return this.#baseEnd + this.#changed.size
  }

  get #baseEnd(): number {
    return this.#base?.end ?? 0
  }

  get(id: string): Fact | undefined {
    const changed = this.#changed.get(id)
    return changed === undefined ? this.#base?.get(id) : (changed ?? undefined)
  }

  placeOf(id: string): number | undefined {
    const known = this.#base?.placeOf(id)
    if (known !== undefined || !this.#changed.has(id)) return known
    return this.#baseEnd + [...this.#changed.keys()].indexOf(id)
  }

  about(subject: string): readonly Fact[] {
    return this.#with(this.#base?.about(subject) ?? [], (fact) => fact.subject === subject)
  }

  ofKey(subject: string, key: string): readonly Fact[] {
    return this.#with(
      this.#base?.ofKey(subject, key) ?? [],
      (fact) => fact.subject === subject && fact.key === key && fact.value !== null,
    )
  }

  /** Merges found and changed facts, in order. */
  #with(found: readonly Fact[], accepts: (fact: Fact) => boolean): readonly Fact[] {
    if (this.#changed.size === 0) return found
    const placed: { fact: Fact; place: number }[] = []
    for (const fact of found)
      if (!this.#changed.has(fact.id)) placed.push({ fact, place: this.#base?.placeOf(fact.id) ?? 0 })
    let behind = this.#baseEnd
    for (const [id, fact] of this.#changed) {
      const index = this.#base?.placeOf(id) ?? behind
      behind += 1
      if (fact !== null && accepts(fact)) placed.push({ fact, place: index })
    }
    return placed.sort((a, b) => a.place - b.place).map(({ fact }) => fact)
  }
}

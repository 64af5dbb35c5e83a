// Finds known facts by subject, key and statement.
import { compareRead, type ReadValue, readValue, type ValueRelation } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { fingerprintOf } from './compare-statements.ts'

/** The fields of a fact that a merge compares: a live memory, or a statement that the same merge adds. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** Finds the known facts of a scope by id, subject and key. Results are in insertion order. */
export interface FactLookup<Fact extends KnownFact = KnownFact> {
  get(id: string): Fact | undefined
  /** Returns the place of a fact in insertion order. */
  placeOf(id: string): number | undefined
  /** A number greater than every place. */
  readonly end: number
  about(subject: string): readonly Fact[]
  /** Returns the facts about a subject with a value under a key. */
  ofKey(subject: string, key: string): readonly Fact[]
}

/** Returns a function that computes its result once per fact. The result is released with the fact. */
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

/** A new value after parsing. With `exact`, it is compared letter by letter. */
export interface FreshValue extends ReadValue {
  readonly exact?: string
}

/** Compares a new value to the value of a known fact. */
export function compareToFact(value: FreshValue, fact: KnownFact): ValueRelation {
  if (value.exact !== undefined) return value.exact === fact.value ? 'same' : 'different'
  return compareRead(value, valueOf(fact))
}

/** Finds the facts about a subject that may repeat a text. Compares hashes, so callers must compare the texts. */
export function factsSaying<Fact extends KnownFact>(
  facts: FactLookup<Fact>,
  subject: string,
  text: string,
): readonly Fact[] {
  const fingerprint = fingerprintOf(text)
  return facts.about(subject).filter((fact) => statementOf(fact) === fingerprint)
}

/** Facts with uncommitted changes. A changed fact keeps its place. New facts follow in the order of their addition. */
export class ChangedFacts<Fact extends KnownFact> implements FactLookup<Fact> {
  readonly #base: FactLookup<Fact> | null
  readonly #changed: ReadonlyMap<string, Fact | null>

  /** @param changed the changed facts by id; `null` for removed ones. The map may change between calls. */
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

  /** Merges found facts with the changed facts that a test accepts, in order. */
  #with(found: readonly Fact[], accepts: (fact: Fact) => boolean): readonly Fact[] {
    if (this.#changed.size === 0) return found
    const placed: { fact: Fact; place: number }[] = []
    for (const fact of found)
      if (!this.#changed.has(fact.id)) placed.push({ fact, place: this.#base?.placeOf(fact.id) ?? 0 })
    let placeOfNew = this.#baseEnd
    for (const [id, fact] of this.#changed) {
      const place = this.#base?.placeOf(id) ?? placeOfNew
      placeOfNew += 1
      if (fact !== null && accepts(fact)) placed.push({ fact, place })
    }
    return placed.sort((a, b) => a.place - b.place).map(({ fact }) => fact)
  }
}

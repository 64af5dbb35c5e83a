// Finds known facts by subject, key and statement.
import { compareRead, type ReadValue, readValue, type ValueRelation } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { fingerprintOf } from './compare-statements.ts'

/** The fields of a fact that a merge compares: a live memory, or a statement that the same merge adds. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** The known facts of a scope, in order of creation. */
export class FactLookup<Fact extends KnownFact = KnownFact> {
  readonly #facts: ReadonlyMap<string, Fact>

  /** @param facts the live facts by id. The map may change between calls. */
  constructor(facts: ReadonlyMap<string, Fact>) {
    this.#facts = facts
  }

  get(id: string): Fact | undefined {
    return this.#facts.get(id)
  }

  live(): Iterable<Fact> {
    return this.#facts.values()
  }

  about(subject: string): Fact[] {
    return [...this.#facts.values()].filter((fact) => fact.subject === subject)
  }

  /** Returns the facts about a subject with a value under a key. */
  ofKey(subject: string, key: string): Fact[] {
    return this.about(subject).filter((fact) => fact.key === key && fact.value !== null)
  }
}

/** Makes a lookup of the live ones among facts. */
export function lookUpLive(facts: Iterable<Memory>): FactLookup<Memory> {
  const live = Array.from(facts).filter(({ status }) => status === 'live')
  return new FactLookup(new Map(live.map((fact) => [fact.id, fact])))
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
  return facts.about(subject).filter((fact) => fingerprintOf(fact.text) === fingerprint)
}

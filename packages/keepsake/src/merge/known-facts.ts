import { ChangedFacts } from '../facts/changed-facts.ts'
import type { FactLookup, KeyPlace, KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { type Evidence, evidenceWith } from '../memories/evidence.ts'
import type { MemoryChange } from '../memories/operation.ts'

/** A short list of facts, searched linearly. */
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

/** A merge decision. `memory` is a known memory's id or the `ref` of an earlier `add` of the same merge. */
export type MergeDecision =
  | { readonly kind: 'add'; readonly ref: string; readonly candidate: Candidate; readonly why: string }
  | { readonly kind: 'modify'; readonly memory: string; readonly change: MemoryChange; readonly why: string }
  | {
      readonly kind: 'delete'
      readonly memory: string
      readonly validUntil: number
      /** The words by which the user asked to drop it; `null` when something else made it untrue. */
      readonly asked: readonly Evidence[] | null
      readonly why: string
    }
  | {
      readonly kind: 'none'
      readonly memory: string
      readonly evidence: readonly Evidence[]
      readonly why: string
    }

/** Facts as the decisions so far leave them, so that each sees what those before it did. */
export class KnownFacts {
  readonly decisions: MergeDecision[] = []
  readonly #changed = new Map<string, KnownFact | null>()
  readonly now: FactLookup

  constructor(facts: readonly KnownFact[] | FactLookup) {
    this.now = new ChangedFacts('get' in facts ? facts : new ListedFacts(facts), this.#changed)
  }

  get(id: string): KnownFact | undefined {
    return this.now.get(id)
  }

  decide(decision: MergeDecision): void {
    this.decisions.push(decision)
    if (decision.kind === 'add') {
      const { ref, candidate } = decision
      this.#changed.set(ref, { ...candidate, id: ref, past: [], pinned: false })
      return
    }
    const fact = this.get(decision.memory)
    if (fact === undefined) return
    if (decision.kind === 'delete') this.#changed.set(fact.id, null)
    if (decision.kind === 'modify') this.#changed.set(fact.id, { ...fact, ...decision.change, id: fact.id })
    if (decision.kind === 'none')
      this.#changed.set(fact.id, { ...fact, evidence: evidenceWith(fact, decision.evidence) })
  }
}

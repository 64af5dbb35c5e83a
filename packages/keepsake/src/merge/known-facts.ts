import { ChangedFacts, type FactLookup, type KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { type Evidence, evidenceWith } from '../memories/evidence.ts'
import type { MemoryChange } from '../memories/operation.ts'

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
    const listed =
      'get' in facts ? facts : new ChangedFacts(null, new Map(facts.map((fact) => [fact.id, fact])))
    this.now = new ChangedFacts(listed, this.#changed)
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

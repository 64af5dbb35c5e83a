import type { Candidate } from '../memories/candidate.ts'
import { evidenceWith, type Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'

/** A fact that takes part in a merge: a live memory, or one made a moment before in the same merge. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** What to do. `memory` is a known memory's id or the `ref` of an earlier `add` of the same merge. */
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
  readonly #facts: Map<string, KnownFact>

  constructor(facts: readonly KnownFact[]) {
    this.#facts = new Map(facts.map((fact) => [fact.id, fact]))
  }

  get(id: string): KnownFact | undefined {
    return this.#facts.get(id)
  }

  all(): KnownFact[] {
    return [...this.#facts.values()]
  }

  decide(decision: MergeDecision): void {
    this.decisions.push(decision)
    if (decision.kind === 'add') {
      const { ref, candidate } = decision
      this.#facts.set(ref, { ...candidate, id: ref, past: [], pinned: false })
      return
    }
    const fact = this.#facts.get(decision.memory)
    if (fact === undefined) return
    if (decision.kind === 'delete') this.#facts.delete(fact.id)
    if (decision.kind === 'modify') this.#facts.set(fact.id, { ...fact, ...decision.change, id: fact.id })
    if (decision.kind === 'none')
      this.#facts.set(fact.id, { ...fact, evidence: evidenceWith(fact, decision.evidence) })
  }
}

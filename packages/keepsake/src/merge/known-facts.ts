// Describes what a merge knows and decides: facts that are there, those just drawn, and the user's own name.
import { ChangedFacts, type FactLookup, type KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { type Evidence, evidenceWith } from '../memories/evidence.ts'
import type { MemoryChange } from '../memories/operation.ts'
import type { Extraction, Extractor, Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Memory } from '../memories/memory.ts'
import type { IsAlike } from './value-likeness.ts'
import { speakerNames } from '../retrieval/search-question.ts'
import type { ScopeView } from '../work/scope-view.ts'

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

/** The extraction of a segment with all model answers. Nothing is decided yet, so it can be applied to another revision. */
export interface ExtractedSegment {
  readonly segment: Segment
  readonly extractor: Extractor
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
  /** The memories that the extractor was shown, in the order of their numbers. */
  readonly related: readonly Memory[]
  readonly mergeComplex: MergeComplex | null
  /** Whether values under opposed keys mean the same, by the memory's embedder. */
  readonly isAlike: IsAlike
  /** What is never kept, for statements made of the user's own words. */
  readonly never?: readonly string[]
}

/** Decides a complex key in place of the rule; returns `null` to leave it to the rule. */
export type MergeComplex = (
  candidate: Candidate,
  known: readonly KnownFact[],
) => readonly MergeDecision[] | null

/**
 * Returns the subject that a scope's facts about its user have. Some turns may name their speaker and others not:
 * while the user has only one name, both are one person, who keeps the subject of the first facts.
 */
export function ownSubject({ state }: ScopeView, facts: FactLookup<Memory>): (subject: string) => string {
  const [name] = speakerNames(state.index).self
  if (name === undefined) return (subject) => subject
  const isUnnamed = facts.about(name).length === 0 && facts.about('user').length > 0
  return (subject) => (subject === 'user' || subject === name ? (isUnnamed ? 'user' : name) : subject)
}

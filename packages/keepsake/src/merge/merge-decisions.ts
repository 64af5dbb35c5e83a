// The decisions of a merge, one function for each, and the facts as the decisions so far leave them.
import { ChangedFacts, type FactLookup, type KnownFact } from '../facts/fact-lookup.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import type { Candidate } from '../memories/candidate.ts'
import { evidenceWith, freshEvidence, type Evidence } from '../memories/evidence.ts'
import { isOver, type PastVersion } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'

/** A merge decision. `memory` is a known memory's id or the `ref` of an earlier `add` of the same merge. */
export type MergeDecision =
  | { readonly kind: 'add'; readonly ref: string; readonly candidate: Candidate }
  | { readonly kind: 'modify'; readonly memory: string; readonly change: MemoryChange }
  | {
      readonly kind: 'delete'
      readonly memory: string
      readonly validUntil: number
      /** The words by which the user asked to forget it; `null` if something else made it untrue. */
      readonly asked: readonly Evidence[] | null
      /** Why it is deleted, for the log. */
      readonly reason: string
    }
  | { readonly kind: 'none'; readonly memory: string; readonly evidence: readonly Evidence[] }

/** Adds a statement beside the known facts. */
export function addFact(ref: string, candidate: Candidate): MergeDecision {
  return { kind: 'add', ref, candidate }
}

/** Confirms a fact: only evidence is added, each piece once. */
export function confirmFact(fact: KnownFact, evidence: readonly Evidence[]): MergeDecision {
  return { kind: 'none', memory: fact.id, evidence: freshEvidence(fact, evidence) }
}

/**
 * Merges a repeated statement. It confirms the fact, expires it, sets an end in the future, or starts it again after its end.
 *
 * @param statedAt time of the statement: an end after it lies in the future; without it every end has come
 */
export function repeatFact(
  fact: KnownFact,
  candidate: Candidate,
  statedAt = Number.POSITIVE_INFINITY,
): MergeDecision {
  const { validUntil, evidence } = candidate
  if (validUntil !== null && isOver(candidate, statedAt))
    return expireFact(fact, validUntil, evidence, statedAt)
  if (fact.validUntil !== null && candidate.validFrom >= fact.validUntil)
    return supersedeFact(fact, candidate)
  if (validUntil === null || validUntil === fact.validUntil || isOver(fact, statedAt))
    return confirmFact(fact, evidence)
  return modify(fact, { validUntil, evidence: evidenceWith(fact, evidence) })
}

/** Refines a fact: the statement says the same in more words, and the fact keeps its start. */
export function refineFact(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, validUntil } = candidate
  const evidence = evidenceWith(fact, candidate.evidence)
  const end = validUntil === null ? {} : { validUntil }
  return modify(fact, { ...fieldsOfStatement(candidate), text, value, evidence, ...end })
}

/**
 * Expires a fact, which stays with its end date. Nothing ends before it began, or twice.
 *
 * @param statedAt time of the statement: it moves an end that was in the future then
 */
export function expireFact(
  fact: KnownFact,
  end: number,
  evidence: readonly Evidence[],
  statedAt = end,
): MergeDecision {
  if (isOver(fact, statedAt)) return confirmFact(fact, evidence)
  if (end < fact.validFrom) return confirmFact(fact, [])
  return modify(fact, { validUntil: end, evidence: evidenceWith(fact, evidence) })
}

/** Supersedes a fact: the new statement takes its place, and the old one becomes a past version. */
export function supersedeFact(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom, validUntil } = candidate
  // Without key and value the fact leaves the persona sheet; a bare value stays under the known key.
  const key = candidate.key ?? (value === null ? null : fact.key)
  const old = {
    text: fact.text,
    value: fact.value,
    validFrom: fact.validFrom,
    validUntil: Math.min(fact.validUntil ?? validFrom, validFrom),
    evidence: fact.evidence,
  }
  const statement = { ...fieldsOfStatement(candidate), text, key, value, evidence, validFrom, validUntil }
  return modify(fact, { ...statement, past: [...fact.past, old] })
}

/**
 * Adds a statement from the past to a fact's history. It is valid until the next known version, and shortens the
 * version that covered its time.
 */
export function addPastVersion(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom } = candidate
  const later = [...fact.past, fact].map((version) => version.validFrom).filter((from) => from > validFrom)
  const validUntil = Math.min(...later, candidate.validUntil ?? Number.POSITIVE_INFINITY)
  const isKnown = fact.past.some(
    (version) =>
      sameStatement(version.text, text) && version.validFrom <= validUntil && version.validUntil >= validFrom,
  )
  if (isKnown) return confirmFact(fact, [])
  const added = { text, value, evidence, validFrom, validUntil }
  const past = [...fact.past.flatMap((version) => withoutOverlap(version, added)), added]
  past.sort((a, b) => a.validFrom - b.validFrom || a.validUntil - b.validUntil)
  return modify(fact, { past })
}

/** Returns what remains of a past version before and after another one. */
function withoutOverlap(version: PastVersion, added: PastVersion): PastVersion[] {
  if (version.validUntil <= added.validFrom || version.validFrom > added.validFrom) return [version]
  const before = { ...version, validUntil: added.validFrom }
  return version.validUntil > added.validUntil
    ? [before, { ...version, validFrom: added.validUntil }]
    : [before]
}

/** Deletes a fact: another one contradicts it, or the user asked for it with the given words. */
export function deleteFact(
  fact: KnownFact,
  validUntil: number,
  reason: string,
  asked: readonly Evidence[] | null = null,
): MergeDecision {
  return { kind: 'delete', memory: fact.id, validUntil, asked, reason }
}

export function modify(fact: KnownFact, change: MemoryChange): MergeDecision {
  return { kind: 'modify', memory: fact.id, change }
}

/** Returns what a new text brings with it: its attribution, its category, and why a value for its key was refused. */
function fieldsOfStatement({ label, category, refused }: Candidate): MemoryChange {
  return {
    ...(label === undefined ? {} : { label }),
    ...(category === undefined || category === null ? {} : { metadata: { category } }),
    ...(refused === undefined ? {} : { reason: refused }),
  }
}

/** The decisions of one merge, and the facts as these leave them. Each decision sees those before it. */
export class MergeState {
  readonly decisions: MergeDecision[] = []
  readonly facts: FactLookup
  readonly #changed = new Map<string, KnownFact | null>()

  constructor(known: readonly KnownFact[] | FactLookup) {
    const base =
      'get' in known ? known : new ChangedFacts(null, new Map(known.map((fact) => [fact.id, fact])))
    this.facts = new ChangedFacts(base, this.#changed)
  }

  decide(decision: MergeDecision): void {
    this.decisions.push(decision)
    if (decision.kind === 'add') {
      const { ref, candidate } = decision
      this.#changed.set(ref, { ...candidate, id: ref, past: [], pinned: false })
      return
    }
    const fact = this.facts.get(decision.memory)
    if (fact !== undefined) this.#changed.set(fact.id, afterDecision(fact, decision))
  }
}

function afterDecision(fact: KnownFact, decision: Exclude<MergeDecision, { kind: 'add' }>): KnownFact | null {
  switch (decision.kind) {
    case 'modify':
      return { ...fact, ...decision.change, id: fact.id }
    case 'delete':
      return null
    case 'none':
      return { ...fact, evidence: evidenceWith(fact, decision.evidence) }
  }
}

// Defines the decisions of a merge, and tracks how they change the known facts.
import { FactLookup, type KnownFact } from '../facts/fact-lookup.ts'
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
      /** The user's request to forget it; `null` if the fact is deleted because it is untrue. */
      readonly request: readonly Evidence[] | null
      /** Why it is deleted, for the log. */
      readonly reason: string
    }
  | { readonly kind: 'confirm'; readonly memory: string; readonly evidence: readonly Evidence[] }

export function addFact(ref: string, candidate: Candidate): MergeDecision {
  return { kind: 'add', ref, candidate }
}

/** Confirms a fact. Only its evidence grows, by what it does not contain yet. */
export function confirmFact(fact: KnownFact, evidence: readonly Evidence[]): MergeDecision {
  return { kind: 'confirm', memory: fact.id, evidence: freshEvidence(fact, evidence) }
}

/** Merges a repetition of a fact: confirms it, expires it, sets an end after `statedAt`, or makes an expired fact current again. */
export function repeatFact(
  fact: KnownFact,
  candidate: Candidate,
  statedAt = Number.POSITIVE_INFINITY,
): MergeDecision {
  const { validUntil, evidence } = candidate
  if (validUntil !== null && isOver(candidate, statedAt))
    return expireFact(fact, validUntil, evidence, statedAt)
  const isCurrentAgain = fact.validUntil !== null && candidate.validFrom >= fact.validUntil
  if (isCurrentAgain) return supersedeFact(fact, candidate)
  const hasNewEnd = validUntil !== null && validUntil !== fact.validUntil
  if (!hasNewEnd || isOver(fact, statedAt)) return confirmFact(fact, evidence)
  return modify(fact, { validUntil, evidence: evidenceWith(fact, evidence) })
}

/** Refines a fact by a statement with more detail. The fact keeps its start. */
export function refineFact(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, validUntil } = candidate
  const evidence = evidenceWith(fact, candidate.evidence)
  const end = validUntil === null ? {} : { validUntil }
  return modify(fact, { ...fieldsOfStatement(candidate), text, value, evidence, ...end })
}

/** Expires a fact. A fact that expired before `statedAt`, or would end before its start, is only confirmed. */
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

/** Supersedes a fact by a new statement. The old statement becomes a past version. */
export function supersedeFact(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, searchWords, value, evidence, validFrom, validUntil } = candidate
  // A statement with a value but no key keeps the fact's key. Without a value, the fact leaves the persona sheet.
  const key = candidate.key ?? (value === null ? null : fact.key)
  const old = {
    text: fact.text,
    value: fact.value,
    validFrom: fact.validFrom,
    validUntil: Math.min(fact.validUntil ?? validFrom, validFrom),
    evidence: fact.evidence,
  }
  const statement = { ...fieldsOfStatement(candidate), text, key, value, evidence, validFrom, validUntil }
  const words = searchWords === '' ? {} : { searchWords }
  return modify(fact, { ...statement, ...words, past: [...fact.past, old] })
}

/** Adds an older statement to a fact's history. It ends when the next version begins. The version before it is shortened. */
export function addPastVersion(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom } = candidate
  const starts = [...fact.past, fact].map((version) => version.validFrom)
  const laterStarts = starts.filter((start) => start > validFrom)
  const validUntil = Math.min(...laterStarts, candidate.validUntil ?? Number.POSITIVE_INFINITY)
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

/** Deletes a fact. Another fact contradicts it, or the user's `request` asks to forget it. */
export function deleteFact(
  fact: KnownFact,
  validUntil: number,
  reason: string,
  request: readonly Evidence[] | null = null,
): MergeDecision {
  return { kind: 'delete', memory: fact.id, validUntil, request, reason }
}

/** Makes a decision that changes fields of a fact. */
export function modify(fact: KnownFact, change: MemoryChange): MergeDecision {
  return { kind: 'modify', memory: fact.id, change }
}

/** Returns the attribution, the category and the reason of a refused value, as far as the statement has them. */
function fieldsOfStatement({ label, category, refused }: Candidate): MemoryChange {
  return {
    ...(label === undefined ? {} : { label }),
    ...(category === undefined || category === null ? {} : { metadata: { category } }),
    ...(refused === undefined ? {} : { reason: refused }),
  }
}

/** The decisions of one merge, and the facts as they are after these decisions. */
export class MergeState {
  readonly decisions: MergeDecision[] = []
  readonly facts: FactLookup
  readonly #facts: Map<string, KnownFact>

  constructor(known: Iterable<KnownFact>) {
    this.#facts = new Map(Array.from(known, (fact) => [fact.id, fact]))
    this.facts = new FactLookup(this.#facts)
  }

  /** Records a decision, and applies it to the facts. */
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
    else if (decision.kind === 'modify')
      this.#facts.set(fact.id, { ...fact, ...decision.change, id: fact.id })
    else this.#facts.set(fact.id, { ...fact, evidence: evidenceWith(fact, decision.evidence) })
  }
}

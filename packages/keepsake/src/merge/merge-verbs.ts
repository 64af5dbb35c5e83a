import type { Candidate } from '../memories/candidate.ts'
import { evidenceWith, freshEvidence, type Evidence } from '../memories/evidence.ts'
import type { PastVersion } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { MergeDecision } from './known-facts.ts'

/** Adds it beside the known facts. */
export function append(ref: string, candidate: Candidate, why: string): MergeDecision {
  return { kind: 'add', ref, candidate, why }
}

/** Changes nothing but the evidence: the new statement supports the memory too. */
export function knownAlready(
  fact: KnownFact,
  evidence: readonly Evidence[],
  why = 'known already',
): MergeDecision {
  return { kind: 'none', memory: fact.id, evidence: freshEvidence(fact, evidence), why }
}

/** Merges a repetition: adds evidence, or expires the fact, or revives it after its end. */
export function repeat(fact: KnownFact, candidate: Candidate): MergeDecision {
  if (candidate.validUntil !== null) return end(fact, candidate.validUntil, candidate.evidence)
  if (fact.validUntil !== null && candidate.validFrom >= fact.validUntil) return replace(fact, candidate)
  return knownAlready(fact, candidate.evidence)
}

/** Refines a fact without a change in time. */
export function refine(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value } = candidate
  const evidence = evidenceWith(fact, candidate.evidence)
  const change = { ...labelOf(candidate), text, value, evidence }
  return { kind: 'modify', memory: fact.id, change, why: 'said more exactly' }
}

/** Expires a fact, which stays with its end date. An end before the start has no effect. */
export function end(
  fact: KnownFact,
  at: number,
  given: readonly Evidence[],
  why = 'no longer so',
): MergeDecision {
  if (fact.validUntil !== null) return knownAlready(fact, given)
  if (at < fact.validFrom) return knownAlready(fact, [], 'what is known of it began later')
  const evidence = evidenceWith(fact, given)
  return { kind: 'modify', memory: fact.id, change: { validUntil: at, evidence }, why }
}

/** Closes a fact when a later value of its key begins. */
export function close(fact: KnownFact, at: number): MergeDecision {
  return { kind: 'modify', memory: fact.id, change: { validUntil: at }, why: 'a later value follows it' }
}

/** Supersedes a fact; the old statement becomes past until the new one begins. */
export function replace(
  fact: KnownFact,
  candidate: Candidate,
  why = 'something else is so now',
): MergeDecision {
  const { text, value, evidence, validFrom, validUntil } = candidate
  // A statement without a key leaves the sheet; without a value it keeps the memory's key.
  const key = candidate.key ?? (value === null ? null : fact.key)
  const old = {
    text: fact.text,
    value: fact.value,
    validFrom: fact.validFrom,
    validUntil: Math.min(fact.validUntil ?? validFrom, validFrom),
    evidence: fact.evidence,
  }
  const statement = { ...labelOf(candidate), text, key, value, evidence, validFrom, validUntil }
  return { kind: 'modify', memory: fact.id, change: { ...statement, past: [...fact.past, old] }, why }
}

/** Adds a late statement, valid until the next known one, and shortens the version that covered that time. */
export function keepAsPast(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom } = candidate
  const later = [...fact.past, fact].map((one) => one.validFrom).filter((from) => from > validFrom)
  const validUntil = Math.min(...later, candidate.validUntil ?? Number.POSITIVE_INFINITY)
  const version = { text, value, evidence, validFrom, validUntil }
  const isKnown = fact.past.some(
    (one) => sameStatement(one.text, text) && one.validFrom <= validUntil && one.validUntil >= validFrom,
  )
  if (isKnown) return knownAlready(fact, [], 'known already, as past')
  const past = [...fact.past.flatMap((one) => makeRoom(one, version)), version]
  past.sort((one, other) => one.validFrom - other.validFrom || one.validUntil - other.validUntil)
  return { kind: 'modify', memory: fact.id, change: { past }, why: 'stated late; something newer is known' }
}

/** Deletes a fact that another one contradicts or repeats. */
export function drop(
  fact: KnownFact,
  at: number,
  why: string,
  asked: readonly Evidence[] | null = null,
): MergeDecision {
  return { kind: 'delete', memory: fact.id, validUntil: at, asked, why }
}

/** A new text has the attribution of its speaker. */
function labelOf({ label }: Candidate): Pick<MemoryChange, 'label'> {
  return label === undefined ? {} : { label }
}

/** Returns what remains of a past version before and after another. */
function makeRoom(one: PastVersion, other: PastVersion): PastVersion[] {
  if (one.validUntil <= other.validFrom || one.validFrom > other.validFrom) return [one]
  const before = { ...one, validUntil: other.validFrom }
  return one.validUntil > other.validUntil ? [before, { ...one, validFrom: other.validUntil }] : [before]
}

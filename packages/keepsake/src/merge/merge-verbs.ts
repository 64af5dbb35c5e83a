import type { Candidate } from '../memories/candidate.ts'
import { evidenceWith, freshEvidence, type Evidence } from '../memories/evidence.ts'
import { isOver, type PastVersion } from '../memories/memory.ts'
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

/**
 * Merges a repetition: adds evidence, or expires the fact, sets the end that lies ahead, or revives it after its end.
 *
 * @param at when it was said: an end after it lies ahead; none does when absent
 */
export function repeat(fact: KnownFact, candidate: Candidate, at = Number.POSITIVE_INFINITY): MergeDecision {
  const { validUntil, evidence } = candidate
  if (validUntil !== null && isOver(candidate, at)) return end(fact, validUntil, evidence, { stated: at })
  if (fact.validUntil !== null && candidate.validFrom >= fact.validUntil) return replace(fact, candidate)
  return validUntil === null || isOver(fact, at) ? knownAlready(fact, evidence) : setEnd(fact, candidate)
}

/** Sets the end of a fact that lies ahead, in place of one that was named before. */
export function setEnd(fact: KnownFact, { validUntil, evidence: given }: Candidate): MergeDecision {
  if (validUntil === fact.validUntil) return knownAlready(fact, given)
  const evidence = evidenceWith(fact, given)
  return { kind: 'modify', memory: fact.id, change: { validUntil, evidence }, why: 'its end is named' }
}

/** Refines a fact without a change in time. */
export function refine(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, validUntil } = candidate
  const evidence = evidenceWith(fact, candidate.evidence)
  const until = validUntil === null ? {} : { validUntil }
  const change = { ...labelOf(candidate), text, value, evidence, ...until }
  return { kind: 'modify', memory: fact.id, change, why: 'said more exactly' }
}

/**
 * Expires a fact, which stays with its end date. An end before the start has no effect.
 *
 * @param stated when it was said: an end that was ahead then gives place to this one
 */
export function end(
  fact: KnownFact,
  time: number,
  given: readonly Evidence[],
  { why = 'no longer so', stated = time }: { readonly why?: string; readonly stated?: number } = {},
): MergeDecision {
  if (isOver(fact, stated)) return knownAlready(fact, given)
  if (time < fact.validFrom) return knownAlready(fact, [], 'what is known of it began later')
  const evidence = evidenceWith(fact, given)
  return { kind: 'modify', memory: fact.id, change: { validUntil: time, evidence }, why }
}

/** Closes a fact when a later value of its key begins. */
export function close(fact: KnownFact, time: number): MergeDecision {
  return { kind: 'modify', memory: fact.id, change: { validUntil: time }, why: 'a later value follows it' }
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
    (version) =>
      sameStatement(version.text, text) && version.validFrom <= validUntil && version.validUntil >= validFrom,
  )
  if (isKnown) return knownAlready(fact, [], 'known already, as past')
  const past = [...fact.past.flatMap((one) => makeRoom(one, version)), version]
  past.sort((a, b) => a.validFrom - b.validFrom || a.validUntil - b.validUntil)
  return { kind: 'modify', memory: fact.id, change: { past }, why: 'stated late; something newer is known' }
}

/** Deletes a fact that another one contradicts or repeats. */
export function drop(
  fact: KnownFact,
  time: number,
  why: string,
  asked: readonly Evidence[] | null = null,
): MergeDecision {
  return { kind: 'delete', memory: fact.id, validUntil: time, asked, why }
}

/** A new text has the attribution of its speaker, and what it was filed under. */
function labelOf({ label, category, refused }: Candidate): MemoryChange {
  return {
    ...(label === undefined ? {} : { label }),
    ...(category === undefined || category === null ? {} : { metadata: { category } }),
    ...(refused === undefined ? {} : { reason: refused }),
  }
}

/** Returns what remains of a past version before and after another. */
function makeRoom(first: PastVersion, second: PastVersion): PastVersion[] {
  if (first.validUntil <= second.validFrom || first.validFrom > second.validFrom) return [first]
  const before = { ...first, validUntil: second.validFrom }
  return first.validUntil > second.validUntil
    ? [before, { ...first, validFrom: second.validUntil }]
    : [before]
}

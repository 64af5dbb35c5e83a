import type { Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import { compareValues } from '../persona/compare-values.ts'
import type { KnownFact, MergeDecision } from './merge-snapshot.ts'
import { samePolarity, sameStatement } from './compare-statements.ts'
import type { PastVersion } from '../memories/memory.ts'

/** How a new statement stands to the one that a memory makes. */
export type Meeting = 'same' | 'earlier' | 'more-exact' | 'later'

export function meetStatement(fact: KnownFact, candidate: Candidate): Meeting {
  if (sameStatement(candidate.text, fact.text)) return 'same'
  if (candidate.validFrom < fact.validFrom) return 'earlier'
  return isMoreExact(fact, candidate) ? 'more-exact' : 'later'
}

/** The same value of the same key, in other words or in more: no change in the world. */
function isMoreExact(fact: KnownFact, candidate: Candidate): boolean {
  if (fact.key === null || fact.key !== candidate.key || fact.value === null || candidate.value === null)
    return false
  if (fact.validUntil !== null || candidate.validUntil !== null) return false
  const relation = compareValues(candidate.value, fact.value)
  return (relation === 'same' || relation === 'says-more') && samePolarity(candidate.text, fact.text)
}

/** What becomes of a memory when a new statement is to take its place. */
export function changeStatement(fact: KnownFact, candidate: Candidate): MergeDecision {
  switch (meetStatement(fact, candidate)) {
    case 'same':
      return repeatStatement(fact, candidate)
    case 'earlier':
      return keepAsPast(fact, candidate)
    case 'more-exact': {
      const { text, value } = candidate
      const evidence = [...fact.evidence, ...freshEvidence(fact, candidate.evidence)]
      return { kind: 'modify', memory: fact.id, change: { text, value, evidence }, why: 'said more exactly' }
    }
    case 'later':
      return replaceStatement(fact, candidate)
  }
}

/** The same said again: more evidence, unless it says that it is over, or so again after it was over. */
export function repeatStatement(fact: KnownFact, candidate: Candidate): MergeDecision {
  if (candidate.validUntil !== null) return endStatement(fact, candidate.validUntil, candidate.evidence)
  if (fact.validUntil !== null && candidate.validFrom >= fact.validUntil)
    return replaceStatement(fact, candidate)
  return knownAlready(fact, candidate.evidence)
}

/** It was so, and is over: it stays, with its end. What is told to have ended before it began ends nothing. */
export function endStatement(fact: KnownFact, at: number, told: readonly Evidence[]): MergeDecision {
  if (fact.validUntil !== null) return knownAlready(fact, told)
  if (at < fact.validFrom)
    return { kind: 'none', memory: fact.id, evidence: [], why: 'what is known of it began later' }
  const evidence = [...fact.evidence, ...freshEvidence(fact, told)]
  return { kind: 'modify', memory: fact.id, change: { validUntil: at, evidence }, why: 'no longer so' }
}

function knownAlready(fact: KnownFact, told: readonly Evidence[]): MergeDecision {
  return { kind: 'none', memory: fact.id, evidence: freshEvidence(fact, told), why: 'known already' }
}

/** Evidence that a memory does not rest on yet, each once. */
export function freshEvidence(
  fact: { readonly evidence: readonly Evidence[] },
  told: readonly Evidence[],
): Evidence[] {
  const nameOf = ({ turn, quote }: Evidence): string => JSON.stringify([turn, quote])
  const known = new Set(fact.evidence.map(nameOf))
  return [...new Map(told.map((one) => [nameOf(one), one]))].flatMap(([name, one]) =>
    known.has(name) ? [] : [one],
  )
}

function replaceStatement(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom, validUntil } = candidate
  // Words without a key leave the sheet; a value without one stays under the memory's.
  const key = candidate.key ?? (value === null ? null : fact.key)
  const old = {
    text: fact.text,
    value: fact.value,
    validFrom: fact.validFrom,
    validUntil: Math.min(fact.validUntil ?? validFrom, validFrom),
    evidence: fact.evidence,
  }
  const change = { text, key, value, evidence, validFrom, validUntil, past: [...fact.past, old] }
  return { kind: 'modify', memory: fact.id, change, why: 'something else is so now' }
}

/** Told late: it holds until the next statement that is known, and what was thought to hold then makes room. */
function keepAsPast(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom } = candidate
  const later = [...fact.past, fact].map((one) => one.validFrom).filter((from) => from > validFrom)
  const validUntil = Math.min(...later, candidate.validUntil ?? Number.POSITIVE_INFINITY)
  const version = { text, value, evidence, validFrom, validUntil }
  const isKnown = fact.past.some(
    (one) => sameStatement(one.text, text) && one.validFrom <= validUntil && one.validUntil >= validFrom,
  )
  if (isKnown) return { kind: 'none', memory: fact.id, evidence: [], why: 'known already, as past' }
  const past = [...fact.past.flatMap((one) => makeRoom(one, version)), version]
  past.sort((one, other) => one.validFrom - other.validFrom || one.validUntil - other.validUntil)
  return { kind: 'modify', memory: fact.id, change: { past }, why: 'told late; something newer is known' }
}

/** What is left of a past version before and after another. */
function makeRoom(one: PastVersion, other: PastVersion): PastVersion[] {
  if (one.validUntil <= other.validFrom || one.validFrom > other.validFrom) return [one]
  const before = { ...one, validUntil: other.validFrom }
  return one.validUntil > other.validUntil ? [before, { ...one, validFrom: other.validUntil }] : [before]
}

import type { Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import { sameStatement } from './compare-statements.ts'
import type { MemoryChange } from '../memories/operation.ts'
import { compareValues, type ValueRelation } from '../persona/compare-values.ts'
import type { KeyTable, PersonaKey } from '../persona/key-table.ts'

export { contradictionThreshold } from './contradiction-threshold.ts'

/** A fact that takes part in a merge: a live memory, or one made a moment before in the same snapshot. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** What to do. `memory` is a known memory's id or the `ref` of an earlier `add` of the same answer. */
export type MergeDecision =
  | { readonly kind: 'add'; readonly ref: string; readonly candidate: Candidate; readonly why: string }
  | { readonly kind: 'modify'; readonly memory: string; readonly change: MemoryChange; readonly why: string }
  | { readonly kind: 'delete'; readonly memory: string; readonly validUntil: number; readonly why: string }
  | {
      readonly kind: 'none'
      readonly memory: string
      readonly evidence: readonly Evidence[]
      readonly why: string
    }

/** Decides a complex key in place of the rule; returns `null` to leave it to the rule. */
export type MergeComplex = (
  candidate: Candidate,
  known: readonly KnownFact[],
) => readonly MergeDecision[] | null

export interface MergeOptions {
  readonly table: KeyTable
  /** Cosine of two values, −1 to 1, by the engine's embedder. */
  readonly similarity: (one: string, other: string) => number
  /** Least cosine at which values on opposite sides mean the same thing; see {@link contradictionThreshold}. */
  readonly threshold: number
  readonly mergeComplex?: MergeComplex
}

/**
 * Merges a snapshot of facts into what is known, by each key's class (MOOM, section 3.2). Pure: decides, applies
 * nothing. Candidates are taken in order of the time they hold from, and each sees what those before it did. Facts
 * of different subjects never meet, and an older statement never overwrites a newer one.
 *
 * @example
 * mergeSnapshot([livesInLyon], [movedToParis], options)
 * // [{ kind: 'modify', memory: livesInLyon.id, change: { validUntil: … } }, { kind: 'add', ref: 'new:0', … }]
 */
export function mergeSnapshot(
  known: readonly KnownFact[],
  candidates: readonly Candidate[],
  options: MergeOptions,
): MergeDecision[] {
  const facts = new Map(known.map((fact) => [fact.id, fact]))
  const decisions: MergeDecision[] = []
  const ordered = [...candidates].sort((one, other) => one.validFrom - other.validFrom)
  for (const [index, candidate] of ordered.entries()) {
    const made = mergeOne(candidate, [...facts.values()], `new:${index}`, options)
    for (const decision of made) applyTo(facts, decision)
    decisions.push(...made)
  }
  return decisions
}

function mergeOne(
  candidate: Candidate,
  facts: readonly KnownFact[],
  ref: string,
  options: MergeOptions,
): MergeDecision[] {
  const about = facts.filter((fact) => fact.subject === candidate.subject)
  const key = candidate.key === null ? undefined : options.table.get(candidate.key)
  if (key === undefined || candidate.value === null) return mergeText(candidate, about, ref)
  const ofKey = about.filter((fact) => fact.key === key.id && fact.value !== null)
  switch (key.merge) {
    case 'replace':
      return mergeReplace(candidate, candidate.value, ofKey, ref, key)
    case 'append':
      return mergeAppend(candidate, candidate.value, ofKey, ref, key)
    case 'trajectory':
      return mergeTrajectory(candidate, candidate.value, ofKey, ref)
    case 'contradictory':
      return mergeContradictory(candidate, candidate.value, about, ref, key, options)
    case 'complex':
      return [
        ...(options.mergeComplex?.(candidate, ofKey) ??
          mergeAppend(candidate, candidate.value, ofKey, ref, key)),
      ]
  }
}

/** Facts that fit no key: known when the same sentence is. */
function mergeText(candidate: Candidate, about: readonly KnownFact[], ref: string): MergeDecision[] {
  const same = about.find((fact) => sameStatement(candidate.text, fact.text))
  return same === undefined ? [add(candidate, ref, 'new')] : [reinforce(same, candidate)]
}

function mergeReplace(
  candidate: Candidate,
  value: string,
  ofKey: readonly KnownFact[],
  ref: string,
  key: PersonaKey,
): MergeDecision[] {
  const current = newest(ofKey.filter((fact) => fact.validUntil === null))
  if (candidate.validUntil !== null || current === undefined)
    return mergeAppend(candidate, value, ofKey, ref, key)
  const relation = compareValues(value, current.value ?? '')
  if (relation === 'same' || relation === 'says-less') return [reinforce(current, candidate)]
  if (candidate.validFrom < current.validFrom) return [keepAsPast(current, candidate)]
  if (relation === 'says-more') return [refine(current, candidate)]
  const old = {
    text: current.text,
    value: current.value,
    validFrom: current.validFrom,
    validUntil: candidate.validFrom,
    evidence: current.evidence,
  }
  const change = { ...statementOf(candidate), past: [...current.past, old] }
  return [{ kind: 'modify', memory: current.id, change, why: `${key.id} is replaced by what was said later` }]
}

/** What happened is told again within the day at most as the same; "yesterday" is known to the day. */
const SAME_HAPPENING_MS = 24 * 3_600_000

function mergeAppend(
  candidate: Candidate,
  value: string,
  ofKey: readonly KnownFact[],
  ref: string,
  key: PersonaKey,
): MergeDecision[] {
  for (const fact of ofKey) {
    const relation = compareValues(value, fact.value ?? '')
    if (key.repeats && Math.abs(candidate.validFrom - fact.validFrom) > SAME_HAPPENING_MS) continue
    if (isSameValue(relation, key))
      return [candidate.validUntil === null ? reinforce(fact, candidate) : end(fact, candidate)]
    if (relation === 'says-more' && key.partOf === 'same' && fact.validUntil === null)
      return [refine(fact, candidate)]
  }
  return [add(candidate, ref, `${key.id} takes several values`)]
}

function mergeTrajectory(
  candidate: Candidate,
  value: string,
  ofKey: readonly KnownFact[],
  ref: string,
): MergeDecision[] {
  const inTime = [...ofKey].sort((one, other) => one.validFrom - other.validFrom)
  const current = newest(inTime.filter((fact) => fact.validUntil === null))
  const known = current ?? inTime.at(-1)
  const relation = known === undefined ? 'different' : compareValues(value, known.value ?? '')
  if (known !== undefined && (relation === 'same' || relation === 'says-less'))
    if (candidate.validUntil !== null || known.validUntil === null)
      return [candidate.validUntil === null ? reinforce(known, candidate) : end(known, candidate)]
  if (candidate.validUntil !== null) return [add(candidate, ref, 'told as over')]
  if (current !== undefined && relation === 'says-more' && candidate.validFrom >= current.validFrom)
    return [refine(current, candidate)]
  const next = inTime.find((fact) => fact.validFrom > candidate.validFrom)
  const before = inTime.filter(
    (fact) =>
      fact.validFrom <= candidate.validFrom &&
      (fact.validUntil === null || fact.validUntil > candidate.validFrom),
  )
  const closed = before.map((fact): MergeDecision => ({
    kind: 'modify',
    memory: fact.id,
    change: { validUntil: candidate.validFrom },
    why: 'a later value follows it',
  }))
  const added = next === undefined ? candidate : { ...candidate, validUntil: next.validFrom }
  return [
    ...closed,
    add(added, ref, next === undefined ? 'the latest value' : 'told late; a newer value is known'),
  ]
}

function mergeContradictory(
  candidate: Candidate,
  value: string,
  about: readonly KnownFact[],
  ref: string,
  key: PersonaKey,
  options: MergeOptions,
): MergeDecision[] {
  const against = about.filter(
    (fact) =>
      fact.key === key.opposite &&
      fact.validUntil === null &&
      fact.value !== null &&
      (compareValues(value, fact.value) === 'same' ||
        options.similarity(value, fact.value) >= options.threshold),
  )
  const ofKey = about.filter((fact) => fact.key === key.id && fact.value !== null)
  if (candidate.validUntil !== null) return mergeAppend(candidate, value, ofKey, ref, key)
  const newer = newest(against.filter((fact) => fact.validFrom > candidate.validFrom))
  if (newer !== undefined)
    return [{ kind: 'none', memory: newer.id, evidence: [], why: 'the opposite was said later' }]
  const deleted = against.map((fact): MergeDecision => ({
    kind: 'delete',
    memory: fact.id,
    validUntil: candidate.validFrom,
    why: `${key.id} now holds what ${key.opposite ?? ''} held`,
  }))
  return [...deleted, ...mergeAppend(candidate, value, ofKey, ref, key)]
}

function isSameValue(relation: ValueRelation, key: PersonaKey): boolean {
  return relation === 'same' || (relation === 'says-less' && key.partOf === 'same')
}

function add(candidate: Candidate, ref: string, why: string): MergeDecision {
  return { kind: 'add', ref, candidate, why }
}

function reinforce(fact: KnownFact, candidate: Candidate): MergeDecision {
  return { kind: 'none', memory: fact.id, evidence: freshEvidence(fact, candidate), why: 'known already' }
}

function freshEvidence(fact: KnownFact, candidate: Candidate): Evidence[] {
  return candidate.evidence.filter(
    (one) => !fact.evidence.some((known) => known.turn === one.turn && known.quote === one.quote),
  )
}

/** The same said more exactly: no change in the world, so it holds from when the known one did. */
function refine(fact: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value } = candidate
  const evidence = [...fact.evidence, ...freshEvidence(fact, candidate)]
  return { kind: 'modify', memory: fact.id, change: { text, value, evidence }, why: 'said more exactly' }
}

function end(fact: KnownFact, candidate: Candidate): MergeDecision {
  if (fact.validUntil !== null) return reinforce(fact, candidate)
  const evidence = [...fact.evidence, ...freshEvidence(fact, candidate)]
  const change = { validUntil: candidate.validUntil, evidence }
  return { kind: 'modify', memory: fact.id, change, why: 'told as over' }
}

function keepAsPast(current: KnownFact, candidate: Candidate): MergeDecision {
  const { text, value, evidence, validFrom } = candidate
  const next = [...current.past.map((version) => version.validFrom), current.validFrom].filter(
    (from) => from > validFrom,
  )
  const version = { text, value, evidence, validFrom, validUntil: Math.min(...next) }
  const past = [...current.past, version].sort((one, other) => one.validFrom - other.validFrom)
  return { kind: 'modify', memory: current.id, change: { past }, why: 'told late; a newer value is known' }
}

function statementOf(
  candidate: Candidate,
): MemoryChange & Pick<Memory, 'text' | 'value' | 'evidence' | 'validFrom' | 'validUntil'> {
  const { text, value, evidence, validFrom, validUntil } = candidate
  return { text, value, evidence, validFrom, validUntil }
}

function newest(facts: readonly KnownFact[]): KnownFact | undefined {
  return facts.reduce<KnownFact | undefined>(
    (best, fact) => (best === undefined || fact.validFrom >= best.validFrom ? fact : best),
    undefined,
  )
}

function applyTo(facts: Map<string, KnownFact>, decision: MergeDecision): void {
  switch (decision.kind) {
    case 'add': {
      const { subject, key, value, text, evidence, validFrom, validUntil } = decision.candidate
      facts.set(decision.ref, {
        id: decision.ref,
        subject,
        key,
        value,
        text,
        evidence,
        validFrom,
        validUntil,
        past: [],
        pinned: false,
      })
      return
    }
    case 'modify': {
      const fact = facts.get(decision.memory)
      if (fact !== undefined) facts.set(fact.id, { ...fact, ...decision.change, id: fact.id })
      return
    }
    case 'delete':
      facts.delete(decision.memory)
      return
    case 'none': {
      const fact = facts.get(decision.memory)
      if (fact !== undefined)
        facts.set(fact.id, { ...fact, evidence: [...fact.evidence, ...decision.evidence] })
    }
  }
}

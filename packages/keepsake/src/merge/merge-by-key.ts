import type { Candidate } from '../memories/candidate.ts'
import { compareValues, type ValueRelation } from '../persona/compare-values.ts'
import { opposedKeys, type KeyTable, type PersonaKey } from '../persona/key-table.ts'
import { findTerms } from '../text/analyse-text.ts'
import { sameStatement } from './compare-statements.ts'
import type { IsAlike } from './value-likeness.ts'
import { KnownFacts, type KnownFact, type MergeDecision } from './known-facts.ts'
import {
  append,
  drop,
  end,
  giveWay,
  keepAsPast,
  knownAlready,
  refine,
  repeat,
  replace,
} from './merge-verbs.ts'

/** Decides a complex key in place of the rule; returns `null` to leave it to the rule. */
export type MergeComplex = (
  candidate: Candidate,
  known: readonly KnownFact[],
) => readonly MergeDecision[] | null

export interface MergeOptions {
  readonly table: KeyTable
  /** Whether values under opposed keys mean the same thing; see `value-likeness.ts`. */
  readonly isAlike: IsAlike
  readonly mergeComplex?: MergeComplex
  /**
   * Statements tell whole matters, not values alone: what is told along with a value that is known already, or that is known
   * along with a value that is told more exactly, is not lost with it. `false` when absent.
   */
  readonly keepsMatters?: boolean
}

/** A statement on its way into what is known: under which name it would be added, and the facts of its key. */
interface Meeting {
  readonly ref: string
  readonly candidate: Candidate
  readonly value: string
  readonly key: PersonaKey
  readonly ofKey: readonly KnownFact[]
  readonly keepsMatters: boolean
}

/**
 * Merges a snapshot of facts into what is known, by each key's class (MOOM, section 3.2). Pure: decides, applies
 * nothing. Candidates are taken in order of the time they hold from, and each sees what those before it did. Facts
 * of different subjects never meet, and an older statement never overwrites a newer one.
 *
 * @example
 * mergeByKey([livesInLyon], [movedToParis], options)
 * // [{ kind: 'modify', memory: livesInLyon.id, change: { validUntil: … } }, { kind: 'add', ref: 'new:0', … }]
 */
export function mergeByKey(
  known: readonly KnownFact[],
  candidates: readonly Candidate[],
  options: MergeOptions,
): readonly MergeDecision[] {
  const facts = new KnownFacts(known)
  const ordered = [...candidates].sort((one, other) => one.validFrom - other.validFrom)
  for (const [index, candidate] of ordered.entries()) {
    const about = facts.all().filter((fact) => fact.subject === candidate.subject)
    for (const decision of meet(candidate, about, `new:${index}`, options)) facts.decide(decision)
  }
  return facts.decisions
}

function meet(
  candidate: Candidate,
  about: readonly KnownFact[],
  ref: string,
  options: MergeOptions,
): readonly MergeDecision[] {
  const { value } = candidate
  const key = candidate.key === null ? undefined : options.table.get(candidate.key)
  if (key === undefined || value === null) return [meetText(candidate, about, ref)]
  const ofKey = about.filter((fact) => fact.key === key.id && fact.value !== null)
  const { keepsMatters = false } = options
  const meeting = { ref, candidate, value, key, ofKey, keepsMatters }
  const against = contradictedBy(meeting, about, options)
  const newer = newest(against.filter((fact) => fact.validFrom > candidate.validFrom))
  if (newer !== undefined) return [knownAlready(newer, [], 'the opposite was said later')]
  const dropped = against.map((fact) =>
    drop(fact, candidate.validFrom, `${key.id} now holds what ${fact.key ?? ''} held`),
  )
  return [...dropped, ...meetByClass(meeting, options)]
}

function meetByClass(meeting: Meeting, options: MergeOptions): readonly MergeDecision[] {
  switch (meeting.key.merge) {
    case 'replace':
      return [meetReplace(meeting)]
    case 'append':
    case 'contradictory':
      return [meetAppend(meeting)]
    case 'trajectory':
      return meetTrajectory(meeting)
    case 'complex':
      return options.mergeComplex?.(meeting.candidate, meeting.ofKey) ?? [meetAppend(meeting)]
  }
}

/** Facts that fit no key: known when the same sentence is. */
function meetText(candidate: Candidate, about: readonly KnownFact[], ref: string): MergeDecision {
  const same = about.find((fact) => sameStatement(candidate.text, fact.text))
  return same === undefined ? append(ref, candidate, 'new') : repeat(same, candidate)
}

function meetReplace(meeting: Meeting): MergeDecision {
  const { candidate, value, key, ofKey } = meeting
  const current = newest(ofKey.filter((fact) => fact.validUntil === null))
  if (candidate.validUntil !== null || current === undefined) return meetAppend(meeting)
  const relation = compareValues(value, current.value ?? '')
  if (relation === 'same' || relation === 'says-less') return meetKnown(current, meeting)
  if (candidate.validFrom < current.validFrom) return keepAsPast(current, candidate)
  if (relation === 'says-more') return meetMoreExact(current, meeting)
  return replace(current, candidate, `${key.id} is replaced by what was said later`)
}

/** What happened is told again within the day at most as the same; "yesterday" is known to the day. */
const SAME_HAPPENING_MS = 24 * 3_600_000

function meetAppend(meeting: Meeting): MergeDecision {
  const { ref, candidate, value, key, ofKey } = meeting
  for (const fact of ofKey) {
    const relation = compareValues(value, fact.value ?? '')
    if (key.repeats && Math.abs(candidate.validFrom - fact.validFrom) > SAME_HAPPENING_MS) continue
    if (isSameValue(relation, key)) return meetSame(fact, meeting)
    if (relation === 'says-more' && key.partOf === 'same' && fact.validUntil === null)
      return meetMoreExact(fact, meeting)
  }
  return append(ref, candidate, `${key.id} takes several values`)
}

function meetTrajectory(meeting: Meeting): readonly MergeDecision[] {
  const { ref, candidate, value, ofKey } = meeting
  const inTime = [...ofKey].sort((one, other) => one.validFrom - other.validFrom)
  const current = newest(inTime.filter((fact) => fact.validUntil === null))
  const known = current ?? inTime.at(-1)
  const relation = known === undefined ? 'different' : compareValues(value, known.value ?? '')
  const isSame = relation === 'same' || relation === 'says-less'
  if (known !== undefined && isSame && (candidate.validUntil !== null || known.validUntil === null))
    return [meetSame(known, meeting)]
  if (candidate.validUntil !== null) return [append(ref, candidate, 'told as over')]
  if (current !== undefined && relation === 'says-more' && candidate.validFrom >= current.validFrom)
    return [meetMoreExact(current, meeting)]
  return takePlace(candidate, inTime, ref)
}

/** A value takes its place in time: those that held until then end there, and it ends where the next one begins. */
function takePlace(candidate: Candidate, inTime: readonly KnownFact[], ref: string): MergeDecision[] {
  const { validFrom } = candidate
  const next = inTime.find((fact) => fact.validFrom > validFrom)
  const closed = inTime
    .filter(
      (fact) => fact.validFrom <= validFrom && (fact.validUntil ?? Number.POSITIVE_INFINITY) > validFrom,
    )
    .map((fact) => giveWay(fact, validFrom))
  if (next === undefined) return [...closed, append(ref, candidate, 'the latest value')]
  const until = { ...candidate, validUntil: next.validFrom }
  return [...closed, append(ref, until, 'told late; a newer value is known')]
}

/** Facts that hold the same under a key which cannot stand beside this one (MOOM's contradictory keys). What is told as over contradicts nothing. */
function contradictedBy(
  { candidate, value, key }: Meeting,
  about: readonly KnownFact[],
  { table, isAlike }: MergeOptions,
): readonly KnownFact[] {
  if (candidate.validUntil !== null) return []
  const opposed = opposedKeys(table, key)
  return about.filter(
    (fact) =>
      opposed.has(fact.key ?? '') &&
      fact.validUntil === null &&
      fact.value !== null &&
      (compareValues(value, fact.value) === 'same' || isAlike(value, fact.value)),
  )
}

/** The value that is known, told again: it is so still, or it is over. */
function meetSame(fact: KnownFact, meeting: Meeting): MergeDecision {
  const { validUntil, evidence } = meeting.candidate
  return validUntil === null ? meetKnown(fact, meeting) : end(fact, validUntil, evidence, 'told as over')
}

/** A value that is known is known, whatever else the statement tells. */
function meetKnown(fact: KnownFact, { ref, candidate, keepsMatters }: Meeting): MergeDecision {
  if (!keepsMatters || !tellsMore(candidate.text, fact.text)) return knownAlready(fact, candidate.evidence)
  return append(ref, { ...candidate, key: null, value: null }, 'tells more of what is known')
}

/** The more exact value takes the place of the known one, unless that would lose what the known one tells besides. */
function meetMoreExact(fact: KnownFact, { ref, candidate, keepsMatters }: Meeting): MergeDecision {
  if (!keepsMatters || !tellsMore(fact.text, candidate.text)) return refine(fact, candidate)
  return append(ref, { ...candidate, key: null, value: null }, 'tells more of what is known')
}

/** Content words beyond another statement's that make it a matter of its own: another name or verb is none. */
const A_MATTER = 3

function tellsMore(one: string, other: string): boolean {
  const known = new Set(findTerms(other))
  return new Set(findTerms(one).filter((term) => !known.has(term))).size >= A_MATTER
}

function isSameValue(relation: ValueRelation, key: PersonaKey): boolean {
  return relation === 'same' || (relation === 'says-less' && key.partOf === 'same')
}

function newest(facts: readonly KnownFact[]): KnownFact | undefined {
  return facts.reduce<KnownFact | undefined>(
    (best, fact) => (best === undefined || fact.validFrom >= best.validFrom ? fact : best),
    undefined,
  )
}

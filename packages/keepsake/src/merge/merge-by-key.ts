import type { Candidate } from '../memories/candidate.ts'
import { compareValues, findTerms, opposedKeys, type KeyTable, type PersonaKey } from '@keepsake/text'
import { sameStatement } from '../facts/compare-statements.ts'
import type { IsAlike } from './value-likeness.ts'
import type { FactLookup, KeyPlace, KnownFact } from '../facts/fact-lookup.ts'
import { KnownFacts, type MergeDecision } from './known-facts.ts'
import { append, drop, end, close, keepAsPast, knownAlready, refine, repeat, replace } from './merge-verbs.ts'

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
   * Statements cover whole topics: other content of a statement is kept, though its value is known or refined.
   * `false` when absent.
   */
  readonly keepsMatters?: boolean
  /** Time of a statement; its start of validity when absent. */
  readonly statedAt?: (candidate: Candidate) => number
}

/** A statement being merged: its ref, and where facts of its key are found. */
interface Meeting {
  readonly ref: string
  readonly candidate: Candidate
  readonly value: string
  readonly key: PersonaKey
  readonly facts: FactLookup
  readonly place: KeyPlace
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
  known: readonly KnownFact[] | FactLookup,
  candidates: readonly Candidate[],
  options: MergeOptions,
): readonly MergeDecision[] {
  const facts = new KnownFacts(known)
  const ordered = [...candidates].sort((one, other) => one.validFrom - other.validFrom)
  for (const [index, candidate] of ordered.entries()) {
    for (const decision of meet(candidate, facts.now, `new:${index}`, options)) facts.decide(decision)
  }
  return facts.decisions
}

function meet(
  candidate: Candidate,
  facts: FactLookup,
  ref: string,
  options: MergeOptions,
): readonly MergeDecision[] {
  const { value } = candidate
  const key = candidate.key === null ? undefined : options.table.get(candidate.key)
  if (key === undefined || value === null) return [meetText(candidate, facts, ref)]
  const { keepsMatters = false } = options
  const place = { subject: candidate.subject, key: key.id }
  const met = { ref, candidate, value, key, facts, place, keepsMatters }
  const meeting = { ...met, candidate: asNews(met, options) }
  const against = contradictedBy(meeting, options)
  const newer = newest(against.filter((fact) => fact.validFrom > candidate.validFrom))
  if (newer !== undefined) return [knownAlready(newer, [], 'the opposite was said later')]
  const dropped = against.map((fact) =>
    drop(fact, candidate.validFrom, `${key.id} now holds what ${fact.key ?? ''} held`),
  )
  return [...dropped, ...meetByClass(meeting, options)]
}

/** Maximum age in milliseconds of a change reported as news. Chosen, not measured. */
const NEWS_MS = 92 * 24 * 3_600_000

/**
 * Dates recent news from when it was stated, if an undated older fact would otherwise count as newer: "I live in
 * Lyon" on Monday, "I moved to Paris last week" on Friday.
 */
function asNews({ candidate, value, key, facts, place }: Meeting, { statedAt }: MergeOptions): Candidate {
  const stated = statedAt?.(candidate) ?? candidate.validFrom
  const { validFrom, validUntil } = candidate
  const isNews = stated > validFrom && stated - validFrom <= NEWS_MS && validUntil === null
  if (!isNews || (key.merge !== 'trajectory' && key.merge !== 'replace')) return candidate
  const isOvertaken = facts
    .current(place)
    .some((fact) => fact.validFrom > validFrom && fact.validFrom < stated)
  if (!isOvertaken) return candidate
  const isKnown = facts
    .near(place, value, 'more-or-less')
    .some((fact) => compareValues(value, fact.value ?? '') !== 'different')
  return isKnown ? candidate : { ...candidate, validFrom: stated }
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
      return meetComplex(meeting, options)
  }
}

function meetComplex(meeting: Meeting, { mergeComplex }: MergeOptions): readonly MergeDecision[] {
  const { facts, candidate, place } = meeting
  const merged = mergeComplex?.(candidate, facts.ofKey(place.subject, place.key))
  return merged ?? [meetAppend(meeting)]
}

/** Merges facts without a key by their sentence. */
function meetText(candidate: Candidate, facts: FactLookup, ref: string): MergeDecision {
  const same = facts
    .saying(candidate.subject, candidate.text)
    .find((fact) => sameStatement(candidate.text, fact.text))
  return same === undefined ? append(ref, candidate, 'new') : repeat(same, candidate)
}

function meetReplace(meeting: Meeting): MergeDecision {
  const { candidate, value, key, facts, place } = meeting
  const current = newest(facts.current(place))
  if (candidate.validUntil !== null || current === undefined) return meetAppend(meeting)
  const relation = compareValues(value, current.value ?? '')
  if (relation === 'same' || relation === 'says-less') return meetKnown(current, meeting)
  if (candidate.validFrom < current.validFrom) return keepAsPast(current, candidate)
  if (relation === 'says-more') return meetMoreExact(current, meeting)
  return replace(current, candidate, `${key.id} is replaced by what was said later`)
}

/** Events repeated within a day are the same one; "yesterday" has a precision of one day. */
const SAME_HAPPENING_MS = 24 * 3_600_000

function meetAppend(meeting: Meeting): MergeDecision {
  const { ref, candidate, value, key, facts, place } = meeting
  for (const fact of facts.near(place, value, key.partOf === 'same' ? 'more-or-less' : 'same')) {
    if (key.repeats && Math.abs(candidate.validFrom - fact.validFrom) > SAME_HAPPENING_MS) continue
    const relation = compareValues(value, fact.value ?? '')
    if (relation === 'same' || (relation === 'says-less' && key.partOf === 'same'))
      return meetSame(fact, meeting)
    if (relation === 'says-more' && key.partOf === 'same' && fact.validUntil === null)
      return meetMoreExact(fact, meeting)
  }
  return append(ref, candidate, `${key.id} takes several values`)
}

function meetTrajectory(meeting: Meeting): readonly MergeDecision[] {
  const { ref, candidate, value, facts, place } = meeting
  const inTime = [...facts.around(place, candidate.validFrom)].sort(
    (one, other) => one.validFrom - other.validFrom,
  )
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

/** Inserts a value in time: earlier values end where it begins, and it ends where the next begins. */
function takePlace(candidate: Candidate, inTime: readonly KnownFact[], ref: string): MergeDecision[] {
  const { validFrom } = candidate
  const next = inTime.find((fact) => fact.validFrom > validFrom)
  const closed = inTime
    .filter(
      (fact) => fact.validFrom <= validFrom && (fact.validUntil ?? Number.POSITIVE_INFINITY) > validFrom,
    )
    .map((fact) => close(fact, validFrom))
  if (next === undefined) return [...closed, append(ref, candidate, 'the latest value')]
  const until = { ...candidate, validUntil: next.validFrom }
  return [...closed, append(ref, until, 'told late; a newer value is known')]
}

/** Finds facts with the same value under an opposed key (MOOM's contradictory keys). Ended statements contradict nothing. */
function contradictedBy(meeting: Meeting, { table, isAlike }: MergeOptions): readonly KnownFact[] {
  const { candidate, value, key, facts } = meeting
  if (candidate.validUntil !== null) return []
  const values = [value, ...(isAlike.valuesLike?.(value) ?? [])]
  const found = new Map<string, KnownFact>()
  for (const opposed of opposedKeys(table, key))
    for (const one of values)
      for (const fact of facts.near({ subject: candidate.subject, key: opposed }, one, 'same'))
        if (
          fact.validUntil === null &&
          (compareValues(value, fact.value ?? '') === 'same' || isAlike(value, fact.value ?? ''))
        )
          found.set(fact.id, fact)
  const placeOf = ({ id }: KnownFact): number => facts.placeOf(id) ?? facts.end
  return [...found.values()].sort((one, other) => placeOf(one) - placeOf(other))
}

/** Merges a repeated value: confirmed, or expired. */
function meetSame(fact: KnownFact, meeting: Meeting): MergeDecision {
  const { validUntil, evidence } = meeting.candidate
  return validUntil === null ? meetKnown(fact, meeting) : end(fact, validUntil, evidence, 'told as over')
}

/** Confirms a known value, keeping what else the statement says. */
function meetKnown(fact: KnownFact, { ref, candidate, keepsMatters }: Meeting): MergeDecision {
  if (!keepsMatters || !saysMore(candidate.text, fact.text)) return knownAlready(fact, candidate.evidence)
  return append(ref, { ...candidate, key: null, value: null }, 'tells more of what is known')
}

/** Refines a value, unless that would lose what else the known statement says. */
function meetMoreExact(fact: KnownFact, { ref, candidate, keepsMatters }: Meeting): MergeDecision {
  if (!keepsMatters || !saysMore(fact.text, candidate.text)) return refine(fact, candidate)
  return append(ref, { ...candidate, key: null, value: null }, 'tells more of what is known')
}

/** Minimum number of additional content words that make a statement a topic of its own. */
const A_MATTER = 3

function saysMore(one: string, other: string): boolean {
  const known = new Set(findTerms(other))
  return new Set(findTerms(one).filter((term) => !known.has(term))).size >= A_MATTER
}

function newest(facts: readonly KnownFact[]): KnownFact | undefined {
  return facts.reduce<KnownFact | undefined>(
    (best, fact) => (best === undefined || fact.validFrom >= best.validFrom ? fact : best),
    undefined,
  )
}

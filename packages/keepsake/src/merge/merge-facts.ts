import { findTerms, isUpdate, opposedKeys, readValue, type KeyTable, type PersonaKey } from '@keepsake/text'
import {
  ChangedFacts,
  type FactLookup,
  compareToFact,
  type FreshValue,
  factsSaying,
  type KnownFact,
} from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { carryOut, quarantine } from './carry-out.ts'
import {
  type ExtractedSegment,
  type MergeComplex,
  KnownFacts,
  type MergeDecision,
  ownSubject,
} from './known-facts.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import type { IsAlike } from './value-likeness.ts'
import {
  append,
  drop,
  end,
  close,
  keepAsPast,
  knownAlready,
  refine,
  repeat,
  replace,
  setEnd,
} from './merge-verbs.ts'

export function mergeFacts(unit: UnitOfWork, drawn: ExtractedSegment): void {
  const { segment, extractor, grounded, mergeComplex, isAlike } = drawn
  const { engine } = unit
  const origin = originOf(engine, extractor.id, extractor.prompt)
  const { candidates } = grounded
  for (const candidate of candidates)
    if (candidate.reason !== null) quarantine(unit, candidate, segment, origin)
  const known = knownFacts(unit)
  const subjectOf = ownSubject(unit, known)
  const believed = candidates.flatMap(({ candidate, reason }) => {
    const subject = subjectOf(candidate.subject)
    if (reason !== null) return []
    // A model's merge is found by the very candidate that it was asked for.
    return [subject === candidate.subject ? candidate : { ...candidate, subject }]
  })
  if (believed.length === 0) return
  const decisions = mergeByKey(known, believed, {
    table: engine.preset.keyTable,
    exactKeys: engine.filing.keys,
    isAlike,
    keepsMatters: extractor.tellsMatters === true,
    statedAt: (candidate) => statedAt(candidate, segment),
    ...(mergeComplex === null ? {} : { mergeComplex }),
  })
  carryOut(unit, decisions, segment, origin)
}

function statedAt({ evidence, validFrom }: Candidate, { turns }: Segment): number {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return Math.max(validFrom, ...turns.filter(({ id }) => ids.has(id)).map(({ at }) => at))
}

export function knownFacts(view: ScopeView & { readonly changes?: ChangeSet }): FactLookup<Memory> {
  return new ChangedFacts(view.state.facts(view.row.scope), factsChanged(view))
}

/** Maps the facts that a change set touches to their current state; `null` for those no longer live. */
export function factsChanged({ changes }: { readonly changes?: ChangeSet }): Map<string, Memory | null> {
  const facts = (changes?.memories ?? []).filter(({ form }) => form === 'fact')
  return new Map(facts.map((fact) => [fact.id, fact.status === 'live' ? fact : null]))
}

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
  /** Keys whose values are compared letter by letter. */
  readonly exactKeys?: { has(key: string): boolean }
  /** Time of a statement; its start of validity when absent. */
  readonly statedAt?: (candidate: Candidate) => number
  /** Time by which ends have come, where no `statedAt` is given; all have when absent. */
  readonly now?: number
}

/** A statement being merged, with the known facts of its key. */
interface Meeting {
  readonly ref: string
  readonly candidate: Candidate
  readonly value: FreshValue
  readonly key: PersonaKey
  readonly facts: readonly KnownFact[]
  readonly keepsMatters: boolean
  /** When it was said: ends after it lie ahead. */
  readonly at: number
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
  const ordered = [...candidates].sort((a, b) => a.validFrom - b.validFrom)
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
  const at = options.statedAt?.(candidate) ?? options.now ?? Number.POSITIVE_INFINITY
  if (key === undefined || value === null) return [meetText(candidate, facts, { ref, at })]
  const { keepsMatters = false } = options
  const ofKey = facts.ofKey(candidate.subject, key.id)
  // Values of an own form are the same or not: nothing of a number or a choice is said more exactly.
  const exact = options.exactKeys?.has(key.id) === true ? { exact: value } : {}
  const met = {
    ref,
    candidate,
    value: { ...readValue(value), ...exact },
    key,
    facts: ofKey,
    keepsMatters,
    at,
  }
  const meeting = { ...met, candidate: asNews(met, options) }
  const against = contradictedBy(meeting, facts, options)
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
function asNews({ candidate, value, key, facts, at }: Meeting, { statedAt }: MergeOptions): Candidate {
  const stated = statedAt?.(candidate) ?? candidate.validFrom
  const { validFrom } = candidate
  const isNews = stated > validFrom && stated - validFrom <= NEWS_MS && !isOver(candidate, at)
  if (!isNews || (key.merge !== 'trajectory' && key.merge !== 'replace')) return candidate
  const isOvertaken = facts.some(
    (fact) => !isOver(fact, at) && fact.validFrom > validFrom && fact.validFrom < stated,
  )
  if (!isOvertaken) return candidate
  const isKnown = facts.some((fact) => compareToFact(value, fact) !== 'different')
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
  const merged = mergeComplex?.(meeting.candidate, meeting.facts)
  return merged ?? [meetAppend(meeting)]
}

/** Merges facts without a key by their sentence. */
function meetText(
  candidate: Candidate,
  facts: FactLookup,
  { ref, at }: Pick<Meeting, 'ref' | 'at'>,
): MergeDecision {
  const same = factsSaying(facts, candidate.subject, candidate.text).find((fact) =>
    sameStatement(candidate.text, fact.text),
  )
  return same === undefined ? append(ref, candidate, 'new') : repeat(same, candidate, at)
}

function meetReplace(meeting: Meeting): MergeDecision {
  const { candidate, value, key, facts, at } = meeting
  const current = newest(facts.filter((fact) => !isOver(fact, at)))
  if (isOver(candidate, at) || current === undefined) return meetAppend(meeting)
  const relation = compareToFact(value, current)
  if (relation === 'same' || relation === 'says-less') return meetSame(current, meeting)
  if (candidate.validFrom < current.validFrom) return keepAsPast(current, candidate)
  if (relation === 'says-more') return meetMoreExact(current, meeting)
  return replace(current, candidate, `${key.id} is replaced by what was said later`)
}

/** Events repeated within a day are the same one; "yesterday" has a precision of one day. */
const SAME_HAPPENING_MS = 24 * 3_600_000

function meetAppend(meeting: Meeting): MergeDecision {
  const { ref, candidate, value, key, facts, at } = meeting
  for (const fact of facts) {
    if (key.repeats && Math.abs(candidate.validFrom - fact.validFrom) > SAME_HAPPENING_MS) continue
    const relation = compareToFact(value, fact)
    if (relation === 'same' || (relation === 'says-less' && key.partOf === 'same'))
      return meetSame(fact, meeting)
    if (relation === 'says-more' && key.partOf === 'same' && !isOver(fact, at))
      return meetMoreExact(fact, meeting)
  }
  const [other, more] = facts.filter((fact) => !isOver(fact, at) && isUpdate(candidate, fact))
  if (other !== undefined && more === undefined && candidate.validFrom >= other.validFrom)
    return replace(other, candidate, 'one at a time')
  return append(ref, candidate, `${key.id} takes several values`)
}

function meetTrajectory(meeting: Meeting): readonly MergeDecision[] {
  const { ref, candidate, value, facts, at } = meeting
  const inTime = facts.toSorted((a, b) => a.validFrom - b.validFrom)
  const current = newest(inTime.filter((fact) => !isOver(fact, at)))
  const known = current ?? inTime.at(-1)
  const relation = known === undefined ? 'different' : compareToFact(value, known)
  const isSame = relation === 'same' || relation === 'says-less'
  if (known !== undefined && isSame && (isOver(candidate, at) || !isOver(known, at)))
    return [meetSame(known, meeting)]
  if (isOver(candidate, at)) return [append(ref, candidate, 'stated as over')]
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
  const end = Math.min(candidate.validUntil ?? next.validFrom, next.validFrom)
  const until = { ...candidate, validUntil: end }
  return [...closed, append(ref, until, 'stated late; a newer value is known')]
}

/** Finds facts with the same value under an opposed key (MOOM's contradictory keys). Ended statements contradict nothing. */
function contradictedBy(
  { candidate, value, key, at }: Meeting,
  facts: FactLookup,
  { table, isAlike }: MergeOptions,
): readonly KnownFact[] {
  if (isOver(candidate, at)) return []
  const placeOf = ({ id }: KnownFact): number => facts.placeOf(id) ?? facts.end
  return [...opposedKeys(table, key)]
    .flatMap((opposed) => facts.ofKey(candidate.subject, opposed))
    .filter((fact) => !isOver(fact, at))
    .filter(
      (fact) => compareToFact(value, fact) === 'same' || isAlike(candidate.value ?? '', fact.value ?? ''),
    )
    .sort((a, b) => placeOf(a) - placeOf(b))
}

/** Merges a repeated value: confirmed, expired, so again after its end, or with an end that lies ahead. */
function meetSame(fact: KnownFact, meeting: Meeting): MergeDecision {
  const { candidate, at } = meeting
  const { validFrom, validUntil, evidence } = candidate
  if (validUntil !== null && isOver(candidate, at))
    return end(fact, validUntil, evidence, { why: 'stated as over', stated: at })
  if (fact.validUntil !== null && validFrom >= fact.validUntil) return replace(fact, candidate, 'so again')
  return validUntil === null || isOver(fact, at) ? meetKnown(fact, meeting) : setEnd(fact, candidate)
}

/** Confirms a known value, keeping what else the statement says. */
function meetKnown(fact: KnownFact, { ref, candidate, keepsMatters }: Meeting): MergeDecision {
  if (!keepsMatters || !saysMore(candidate.text, fact.text)) return knownAlready(fact, candidate.evidence)
  return append(ref, { ...candidate, key: null, value: null }, 'adds to what is known')
}

/** Refines a value, unless that would lose what else the known statement says. */
function meetMoreExact(fact: KnownFact, { ref, candidate, keepsMatters }: Meeting): MergeDecision {
  if (!keepsMatters || !saysMore(fact.text, candidate.text)) return refine(fact, candidate)
  return append(ref, { ...candidate, key: null, value: null }, 'adds to what is known')
}

/** Minimum number of additional content words that make a statement a topic of its own. */
const A_MATTER = 3

function saysMore(first: string, second: string): boolean {
  const known = new Set(findTerms(second))
  return new Set(findTerms(first).filter((term) => !known.has(term))).size >= A_MATTER
}

function newest(facts: readonly KnownFact[]): KnownFact | undefined {
  return facts.reduce<KnownFact | undefined>(
    (best, fact) => (best === undefined || fact.validFrom >= best.validFrom ? fact : best),
    undefined,
  )
}

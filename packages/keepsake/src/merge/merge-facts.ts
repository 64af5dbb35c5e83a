// Merges new statements with the known facts, by the merge class of each key.
import { findTerms, isUpdate, opposedKeys, readValue, type KeyTable, type PersonaKey } from '@keepsake/text'
import {
  type FactLookup,
  compareToFact,
  type FreshValue,
  factsSaying,
  type KnownFact,
  lookUpLive,
} from '../facts/fact-lookup.ts'
import { sameStatement } from '../facts/compare-statements.ts'
import type { Extraction, Extractor, Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { speakerNames } from '../retrieval/search-question.ts'
import { originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { applyDecisions, quarantineCandidate } from './apply-decisions.ts'
import {
  addFact,
  addPastVersion,
  confirmFact,
  deleteFact,
  MergeState,
  modify,
  refineFact,
  repeatFact,
  supersedeFact,
  type MergeDecision,
} from './merge-decisions.ts'
import { listsMember, narrowedTo, withoutMembers } from './narrow-list.ts'
import { matchValues, type ValueMatcher } from './value-likeness.ts'

/** The extraction of a segment with all model answers. Nothing is decided yet, so it can be applied to any revision. */
export interface ExtractedSegment {
  readonly segment: Segment
  readonly extractor: Extractor
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
  /** The memories that the extractor was shown, in the order of their numbers. */
  readonly related: readonly Memory[]
  readonly mergeComplex: MergeComplex | null
  /** The application's guidelines on what is never stored. */
  readonly never?: readonly string[]
}

/** Decides by a model how a value of a complex key is merged; returns `null` if the rule for lists is to merge it. */
export type MergeComplex = (
  candidate: Candidate,
  known: readonly KnownFact[],
) => readonly MergeDecision[] | null

/** Merges the grounded candidates of a segment with the known facts; the others go to quarantine. */
export function mergeFacts(unit: UnitOfWork, extracted: ExtractedSegment): void {
  const { segment, extractor, grounded, mergeComplex } = extracted
  const { engine } = unit
  const origin = originOf(engine, extractor.id, extractor.prompt)
  for (const candidate of grounded.candidates)
    if (candidate.reason !== null) quarantineCandidate(unit, candidate, segment, origin)
  if (grounded.candidates.every(({ reason }) => reason !== null)) return
  const known = knownFacts(unit)
  const subjectOf = mapSubjects(unit, known)
  const candidates = grounded.candidates.flatMap(({ candidate, reason }) => {
    if (reason !== null) return []
    const subject = subjectOf(candidate.subject)
    // `mergeComplex` finds its answer by the identity of the candidate.
    return [subject === candidate.subject ? candidate : { ...candidate, subject }]
  })
  const decisions = mergeByKey(known.live(), candidates, {
    table: engine.preset.keyTable,
    exactKeys: engine.filing.keys,
    isAlike: matchValues(engine),
    keepsOtherContent: extractor.tellsMatters === true,
    statedAt: (candidate) => statementTime(candidate, segment),
    ...(mergeComplex === null ? {} : { mergeComplex }),
  })
  applyDecisions(unit, decisions, segment, origin)
}

function statementTime({ evidence, validFrom }: Candidate, { turns }: Segment): number {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return Math.max(validFrom, ...turns.filter(({ id }) => ids.has(id)).map(({ at }) => at))
}

/** Returns the live facts of a scope, with the uncommitted changes of the unit of work if there is one. */
export function knownFacts({ state, row, changes }: KnownView): FactLookup<Memory> {
  const changed = (changes?.memories ?? []).filter(({ form }) => form === 'fact')
  if (changed.length === 0) return state.facts(row.scope)
  const facts = new Map([...state.memoriesOf(row.scope, 'fact'), ...changed].map((fact) => [fact.id, fact]))
  return lookUpLive(facts.values())
}

type KnownView = Pick<ScopeView, 'state' | 'row'> & { readonly changes?: ChangeSet }

/** Returns a function that maps each name of the user to one subject: "user" and the user's own name are one person. */
export function mapSubjects({ state }: ScopeView, facts: FactLookup<Memory>): (subject: string) => string {
  const { self } = speakerNames(state.index)
  const [name] = self
  if (name === undefined) return (subject) => subject
  const namesOfUser = [...self, 'user']
  const usedName = namesOfUser.find((subject) => facts.about(subject).length > 0) ?? name
  return (subject) => (namesOfUser.includes(subject) ? usedName : subject)
}

export interface MergeOptions {
  readonly table: KeyTable
  /** Whether values under opposed keys mean the same. */
  readonly isAlike: ValueMatcher
  readonly mergeComplex?: MergeComplex
  /** Whether a statement of a known value is added if it says more, for extractors of whole topics. Default `false`. */
  readonly keepsOtherContent?: boolean
  /** Keys whose values are compared letter by letter. */
  readonly exactKeys?: { has(key: string): boolean }
  /** Time of a statement; its start of validity when absent. */
  readonly statedAt?: (candidate: Candidate) => number
  /** Time of all statements, if there is no `statedAt`. Without both, all ends lie in the past. */
  readonly now?: number
}

/** A new value with its key, and the known facts under that key. */
interface NewValue {
  readonly ref: string
  readonly candidate: Candidate
  readonly value: FreshValue
  readonly key: PersonaKey
  readonly facts: readonly KnownFact[]
  readonly keepsOtherContent: boolean
  /** Time of the statement. Later ends lie in the future. */
  readonly statedAt: number
}

/**
 * Merges new statements with the known facts, by the merge class of each key (paper MOOM, section 3.2). Returns decisions and
 * applies none. Statements are merged in the order of their start. Facts of different subjects are never merged, and an
 * older statement never overwrites a newer one.
 *
 * @example
 * mergeByKey([livesInLyon], [movedToParis], options)
 * // [{ kind: 'modify', memory: livesInLyon.id, change: { validUntil: … } }, { kind: 'add', ref: 'new:0', … }]
 */
export function mergeByKey(
  known: Iterable<KnownFact>,
  candidates: readonly Candidate[],
  options: MergeOptions,
): readonly MergeDecision[] {
  const state = new MergeState(known)
  const ordered = [...candidates].sort((a, b) => a.validFrom - b.validFrom)
  for (const [index, candidate] of ordered.entries())
    for (const decision of mergeCandidate(candidate, state.facts, `new:${index}`, options))
      state.decide(decision)
  return state.decisions
}

/** Decides on one candidate: first against facts of opposed keys, then by the class of its own key. */
function mergeCandidate(
  candidate: Candidate,
  facts: FactLookup,
  ref: string,
  options: MergeOptions,
): readonly MergeDecision[] {
  const { subject, value } = candidate
  const key = candidate.key === null ? undefined : options.table.get(candidate.key)
  const statedAt = options.statedAt?.(candidate) ?? options.now ?? Number.POSITIVE_INFINITY
  // Statements without a key are only merged with repetitions.
  if (key === undefined || value === null) {
    const same = factsSaying(facts, subject, candidate.text).find(({ text }) =>
      sameStatement(candidate.text, text),
    )
    return [same === undefined ? addFact(ref, candidate) : repeatFact(same, candidate, statedAt)]
  }
  const isExact = options.exactKeys?.has(key.id) === true
  const undated = {
    ref,
    candidate,
    value: { ...readValue(value), ...(isExact ? { exact: value } : {}) },
    key,
    facts: facts.ofKey(subject, key.id),
    keepsOtherContent: options.keepsOtherContent === true,
    statedAt,
  }
  const input = { ...undated, candidate: dateNews(undated, options) }
  const opposed = findOpposedFacts(input, facts, options)
  const newerOpposed = newest(opposed.filter((fact) => fact.validFrom > candidate.validFrom))
  if (newerOpposed !== undefined) return [confirmFact(newerOpposed, [])]
  const changes = opposed.map((fact) => {
    const rest = listsMember(fact.value ?? '', value) ? withoutMembers(fact, value) : null
    return rest === null
      ? deleteFact(fact, candidate.validFrom, `${key.id} now holds what ${fact.key ?? ''} held`)
      : modify(fact, narrowedTo(rest, fact, candidate.validFrom, candidate.evidence))
  })
  return [...changes, ...mergeByClass(input, options)]
}

/** Maximum age of a change that counts as news: a quarter of a year. Chosen, not measured. */
const MAX_NEWS_AGE_MS = 92 * 24 * 3_600_000

/** Dates recent news from its statement, if an older fact without a date would otherwise count as newer. */
function dateNews({ candidate, value, key, facts, statedAt }: NewValue, options: MergeOptions): Candidate {
  const stated = options.statedAt?.(candidate) ?? candidate.validFrom
  const { validFrom } = candidate
  const isNews = stated > validFrom && stated - validFrom <= MAX_NEWS_AGE_MS && !isOver(candidate, statedAt)
  if (!isNews || (key.merge !== 'trajectory' && key.merge !== 'replace')) return candidate
  const isOvertaken = facts.some(
    (fact) => !isOver(fact, statedAt) && fact.validFrom > validFrom && fact.validFrom < stated,
  )
  const isKnown = facts.some((fact) => compareToFact(value, fact) !== 'different')
  return isOvertaken && !isKnown ? { ...candidate, validFrom: stated } : candidate
}

/** Finds facts with the same value under an opposed key, such as likes and dislikes (“contradictory” keys of the paper MOOM). */
function findOpposedFacts(
  { candidate, value, key, statedAt }: NewValue,
  facts: FactLookup,
  { table, isAlike }: MergeOptions,
): readonly KnownFact[] {
  // An expired statement contradicts nothing.
  if (isOver(candidate, statedAt)) return []
  const opposed = opposedKeys(table, key)
  return facts
    .about(candidate.subject)
    .filter((fact) => fact.value !== null && opposed.has(fact.key ?? '') && !isOver(fact, statedAt))
    .filter(
      (fact) =>
        compareToFact(value, fact) === 'same' ||
        isAlike(candidate.value ?? '', fact.value ?? '') ||
        listsMember(fact.value ?? '', candidate.value ?? ''),
    )
}

function mergeByClass(input: NewValue, { mergeComplex }: MergeOptions): readonly MergeDecision[] {
  switch (input.key.merge) {
    case 'replace':
      return [mergeReplace(input)]
    case 'append':
    case 'contradictory':
      return [mergeAppend(input)]
    case 'trajectory':
      return mergeTrajectory(input)
    case 'complex':
      return mergeComplex?.(input.candidate, input.facts) ?? [mergeAppend(input)]
  }
}

/** Merges a value of a key that has one value at a time: the new value supersedes the current one. */
function mergeReplace(input: NewValue): MergeDecision {
  const { candidate, value, facts, statedAt } = input
  const current = newest(facts.filter((fact) => !isOver(fact, statedAt)))
  if (isOver(candidate, statedAt) || current === undefined) return mergeAppend(input)
  const relation = compareToFact(value, current)
  if (relation === 'same' || relation === 'says-less') return mergeSameValue(current, input)
  if (candidate.validFrom < current.validFrom) return addPastVersion(current, candidate)
  return relation === 'says-more' ? mergeMoreExactValue(current, input) : supersedeFact(current, candidate)
}

/** Equal events within a day are one event, because times such as "yesterday" are exact to a day. */
const SAME_EVENT_MS = 24 * 3_600_000

/** Merges a value of a key that has several values. The value is added, unless a known one is the same. */
function mergeAppend(input: NewValue): MergeDecision {
  const { ref, candidate, value, key, facts, statedAt } = input
  for (const fact of facts) {
    if (key.repeats && Math.abs(candidate.validFrom - fact.validFrom) > SAME_EVENT_MS) continue
    const relation = compareToFact(value, fact)
    if (relation === 'same' || (relation === 'says-less' && key.partOf === 'same'))
      return mergeSameValue(fact, input)
    if (relation === 'says-more' && key.partOf === 'same' && !isOver(fact, statedAt))
      return mergeMoreExactValue(fact, input)
  }
  // "Sister lives in Turin" supersedes "sister lives in Rome", unless several facts may be meant.
  const [updated, ...others] = facts.filter((fact) => !isOver(fact, statedAt) && isUpdate(candidate, fact))
  if (updated !== undefined && others.length === 0 && candidate.validFrom >= updated.validFrom)
    return supersedeFact(updated, candidate)
  return addFact(ref, candidate)
}

/** Merges a value of a key whose former values stay as expired facts, such as residences. */
function mergeTrajectory(input: NewValue): readonly MergeDecision[] {
  const { ref, candidate, value, facts, statedAt } = input
  const inOrder = facts.toSorted((a, b) => a.validFrom - b.validFrom)
  const current = newest(inOrder.filter((fact) => !isOver(fact, statedAt)))
  const latest = current ?? inOrder.at(-1)
  const relation = latest === undefined ? 'different' : compareToFact(value, latest)
  const isSame = relation === 'same' || relation === 'says-less'
  if (latest !== undefined && isSame && (isOver(candidate, statedAt) || !isOver(latest, statedAt)))
    return [mergeSameValue(latest, input)]
  if (isOver(candidate, statedAt)) return [addFact(ref, candidate)]
  if (current !== undefined && relation === 'says-more' && candidate.validFrom >= current.validFrom)
    return [mergeMoreExactValue(current, input)]
  return insertInOrder(candidate, inOrder, ref)
}

/** Inserts a value by time. Earlier values end when it begins, and it ends when the next one begins. */
function insertInOrder(candidate: Candidate, inOrder: readonly KnownFact[], ref: string): MergeDecision[] {
  const { validFrom } = candidate
  const endedByValue = inOrder
    .filter((fact) => fact.validFrom <= validFrom && !isOver(fact, validFrom))
    .map((fact) => modify(fact, { validUntil: validFrom }))
  const next = inOrder.find((fact) => fact.validFrom > validFrom)
  const validUntil =
    next === undefined
      ? candidate.validUntil
      : Math.min(candidate.validUntil ?? next.validFrom, next.validFrom)
  return [...endedByValue, addFact(ref, { ...candidate, validUntil })]
}

/** Merges a statement of a known value. If it has further content to keep, it becomes a fact without a key. */
function mergeSameValue(fact: KnownFact, input: NewValue): MergeDecision {
  const { candidate, statedAt } = input
  const decision = repeatFact(fact, candidate, statedAt)
  const isConfirmed = decision.kind === 'confirm' && !isOver(candidate, statedAt)
  return isConfirmed && addsContent(input, candidate.text, fact.text) ? addWithoutKey(input) : decision
}

/** Refines a fact by a more exact value, unless other content of the known statement would be lost. */
function mergeMoreExactValue(fact: KnownFact, input: NewValue): MergeDecision {
  const { candidate } = input
  return addsContent(input, fact.text, candidate.text) ? addWithoutKey(input) : refineFact(fact, candidate)
}

/** A statement with this many further content words has a topic of its own. Chosen, not measured. */
const MIN_CONTENT_WORDS = 3

function addsContent({ keepsOtherContent }: NewValue, text: string, other: string): boolean {
  const otherTerms = new Set(findTerms(other))
  return keepsOtherContent && new Set(findTerms(text)).difference(otherTerms).size >= MIN_CONTENT_WORDS
}

function addWithoutKey({ ref, candidate }: NewValue): MergeDecision {
  return addFact(ref, { ...candidate, key: null, value: null })
}

/** Returns the fact with the latest start. Of facts with the same start, returns the last. */
function newest(facts: readonly KnownFact[]): KnownFact | undefined {
  return facts.toSorted((a, b) => a.validFrom - b.validFrom).at(-1)
}

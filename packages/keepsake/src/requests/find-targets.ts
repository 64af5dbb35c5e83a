// Finds the memories that a request means, by its words.
import { BM25_ONLY } from '@keepsake/search'
import {
  conceptOf,
  findKeptTerms,
  findTerms,
  namesOfPart,
  readPartOfLife,
  readStatedKind,
  type StatedKind,
  compareValues,
} from '@keepsake/text'
import type { ForgetRequest, Segment, Request } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Evidence } from '../memories/evidence.ts'
import { isRequestNote } from '../memories/kept-request.ts'
import { type Memory, isOver } from '../memories/memory.ts'
import { readQuestionFor, searchIndex } from '../retrieval/search-question.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { isCovered, readTopic, chooseTopic, shareOf, type Topic, type TopicContext } from './read-topic.ts'
import { continuingSentences } from './resolve-pronouns.ts'

/** Maximum number of utterances that are compared with a request. */
const MAX_UTTERANCES = 5_000
/** If this many words come before a request in its turn, "what I just said" means these words. */
const MIN_JUST_SAID_WORDS = 4
/** Maximum number of the user's turns that "what I just said" means. */
const MAX_JUST_SAID_TURNS = 4

function isStatement(memory: Memory): boolean {
  const { form } = memory
  return (form === 'fact' || form === 'note') && !isRequestNote(memory)
}

/** Reads a kind of statement ("my address") or a part of life ("my work") from a request's words. */
function readKind(about: string): StatedKind | null {
  return readStatedKind(about) ?? readPartOfLife(about)
}

/** Returns the live facts and notes, including uncommitted ones, and the utterances nearest to the request's words. */
export function listCandidates({ engine, row, state, changes }: UnitOfWork, about: string): Memory[] {
  const stored = state.listMemories({ scopes: new Set([row.scope]), forms: ['fact', 'note'] })
  const facts = [...stored].filter(isStatement)
  const uncommitted = changes.memories.filter((memory) => isStatement(memory) || memory.form === 'utterance')
  const now = engine.now()
  const words = `${about} ${readKind(about)?.words ?? ''}`
  const read = readQuestionFor(state.index, words, { now })
  const { hits } = searchIndex(state.index, { read, vector: null }, BM25_ONLY, {
    limit: MAX_UTTERANCES,
    now,
    kind: 'turn',
    scopes: new Set([row.scope]),
  })
  const utterances = hits.flatMap((hit) => state.utteranceOf(hit.id) ?? [])
  return withChanges(changes, [...facts, ...uncommitted, ...utterances])
}

/** Minimum share of a request's words that a plausible memory contains. */
const MIN_SHARE = 0.5
/** A word in more memories than this is too general to identify one. */
const MAX_MEMORIES_PER_WORD = 8

/**
 * Finds memories that a request may mean although none contains all of its words: the earlier memories with most of the
 * words. They are deleted only after the user confirms it.
 *
 * @returns ids of the memories
 */
export async function findPlausible(
  unit: UnitOfWork,
  request: ForgetRequest & { readonly about: string },
): Promise<string[]> {
  const before = unit.state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
  const isEarlier = (source: Evidence): boolean => (unit.state.turns.get(source.turn)?.position ?? 0) < before
  const wordsOf = ({ turn, quote }: Evidence): string => quote ?? unit.state.turns.get(turn)?.text ?? ''
  const excluded = findKeptTerms(request.evidence.quote ?? '')
  const candidates = listCandidates(unit, request.about).filter(
    (memory) =>
      memory.evidence.every(isEarlier) &&
      !containsAny(memory.text || memory.evidence.map(wordsOf).join(' '), excluded),
  )
  const kind = readKind(request.about)
  const candidatesOfKind = candidates.filter(({ key, text, evidence }) => {
    const hasKey = key !== null && kind?.keys?.includes(key) === true
    return hasKey || [text, ...evidence.map(wordsOf)].some((words) => kind?.states.test(words))
  })
  if (candidatesOfKind.length > 0) return candidatesOfKind.map(({ id }) => id)
  // The index already has the terms of whole turns.
  const termsOf = ({ turn, quote }: Evidence): readonly string[] =>
    quote === null ? (unit.state.index.get(turn)?.terms ?? []) : findTerms(quote)
  const memories = await flatMapInPieces(candidates, ({ id, text, evidence }) => ({
    id,
    terms: new Set([...findTerms(text), ...evidence.flatMap(termsOf)].map(conceptOf)),
  }))
  const requestTerms = [...new Set(findTerms(request.about).map(conceptOf))]
  const specific = requestTerms.filter((term) => {
    const count = memories.filter(({ terms }) => terms.has(term)).length
    return count > 0 && count <= MAX_MEMORIES_PER_WORD
  })
  if (specific.length === 0) return []
  // A number of three digits or more identifies a memory by itself.
  const hasNumber = specific.some((term) => /\d{3}/.test(term))
  const isMostlyUnknown = specific.length < MIN_SHARE * requestTerms.length && !hasNumber
  if (request.doubt !== undefined && isMostlyUnknown) return []
  const counts = memories.map(({ terms }) => specific.filter((term) => terms.has(term)).length)
  const best = Math.max(...counts)
  if (best < MIN_SHARE * specific.length) return []
  return memories.flatMap(({ id }, index) => (counts[index] === best ? [id] : []))
}

/** Returns the memories that are live after the change set, each once. */
function withChanges(changes: ChangeSet, memories: readonly Memory[]): Memory[] {
  const current = new Map(memories.map((memory) => [memory.id, changes.read(memory.id) ?? memory]))
  return [...current.values()].filter((memory) => memory.status === 'live')
}

/** Adds the texts of their evidence to memories. */
export function toTargets(memories: readonly Memory[], turns: ReadonlyMap<string, Turn>): RequestTarget[] {
  return memories.map((memory) => ({
    memory,
    evidenceTexts: memory.evidence.map(({ turn, quote }) => quote ?? turns.get(turn)?.text ?? ''),
  }))
}

/** Reads the turns of the memories' evidence, by id. */
export async function readEvidenceTurns(
  { engine, row }: Pick<UnitOfWork, 'engine' | 'row'>,
  memories: readonly Memory[],
): Promise<ReadonlyMap<string, Turn>> {
  return readTurns(engine, row.owner, memories.flatMap(turnsOf))
}

/** Returns a function that orders evidence relative to the request, by turn, and by words within the same turn. */
export function orderEvidence(
  state: UserState,
  request: Request,
  source: Turn | undefined,
): (evidence: Evidence) => EvidenceOrder {
  const { turn, quote } = request.evidence
  const position = state.turns.get(turn)?.position ?? Number.POSITIVE_INFINITY
  return (evidence) => {
    if (evidence.turn !== turn)
      return (state.turns.get(evidence.turn)?.position ?? 0) < position ? 'before' : 'after'
    if (quote === null || evidence.quote === null || evidence.quote === quote) return 'request'
    if (source === undefined) return 'request'
    return source.text.indexOf(evidence.quote) < source.text.indexOf(quote) ? 'before' : 'after'
  }
}

/** Returns the words before a request in its own turn. */
export function textBefore(request: Request, source: Turn | undefined): string {
  const { quote } = request.evidence
  const before = source?.text.slice(0, Math.max(0, source.text.indexOf(quote ?? source.text))) ?? ''
  return request.kind === 'forget' ? `${before} ${request.lead ?? ''}` : before
}

/** Returns the turns of the session before a request, the latest first. */
export function turnsBefore(
  { row, state }: Pick<UnitOfWork, 'row' | 'state'>,
  request: Request,
  maxTurns: number,
): Turn[] {
  const source = state.turns.get(request.evidence.turn)
  if (source === undefined) return []
  const from = Math.max(0, source.position - maxTurns - 1)
  return state
    .turnsAfter(row.scope, from, { upTo: source.position - 1 })
    .filter(({ session }) => session === source.session)
    .toReversed()
}

/**
 * Returns ids of the turns that "what I just said" means. If enough words come before the request in its turn, this is its
 * turn. Else it is the user's previous turn, with the turns that this turn continues by a pronoun.
 */
export function findJustSaid(unit: UnitOfWork, request: Request, requestTurn: Turn | undefined): string[] {
  const wordsBefore = textBefore(request, requestTurn).match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []
  if (wordsBefore.length >= MIN_JUST_SAID_WORDS) return [request.evidence.turn]
  const before = turnsBefore(unit, request, 2 * MAX_JUST_SAID_TURNS).filter((turn) => turn.role === 'user')
  // The latest turn comes first. A turn that continues none by a pronoun begins the statement.
  const first = before.findIndex(({ text }) => continuingSentences(text, []).length === 0)
  const statement = before.slice(0, first < 0 ? 1 : Math.min(first + 1, MAX_JUST_SAID_TURNS))
  return statement.map((turn) => turn.id)
}

/** Returns the live memories with evidence in any of these turns, including uncommitted ones. */
export function listMemoriesOfTurns({ state, changes }: UnitOfWork, turns: Iterable<string>): Memory[] {
  const ids = new Set(turns)
  const stored = [...ids].flatMap((turn) => [...state.memoriesOfTurn(turn)])
  const added = changes.memories.filter((memory) => memory.evidence.some((source) => ids.has(source.turn)))
  return withChanges(changes, [...stored, ...added]).filter((memory) => !isRequestNote(memory))
}

/** Returns the names of the speakers of a segment. */
export function speakersOf({ turns }: Segment): string[] {
  return [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))]
}

/** A live memory that a request may mean, with the texts of its evidence. */
export interface RequestTarget {
  readonly memory: Pick<
    Memory,
    'id' | 'form' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'validUntil'
  >
  /** Texts of its evidence: quotes or whole turns. */
  readonly evidenceTexts: readonly string[]
}

/** Whether evidence was said before the request, is the request itself, or was said after it. */
export type EvidenceOrder = 'before' | 'request' | 'after'

export interface MatchOptions extends TopicContext {
  /** The speaker: `user` or a name. Only speakers can expire facts about themselves. */
  readonly speaker: string
  /** Turns that "what I just said" refers to. */
  readonly justSaid: readonly string[]
  /** Orders evidence relative to the request. When absent, all turns but the request's own count as earlier. */
  readonly orderOf?: (evidence: Evidence) => EvidenceOrder
  /** Names of a persona key that a request may use. */
  readonly namesOf?: (key: string) => readonly string[]
}

/** A paraphrase ("where I work" for "my job") matches with this share of the request's words and this similarity. */
const MIN_COVERAGE_WHEN_SIMILAR = 0.5
const MIN_SIMILARITY = 0.7
/** Maximum difference to the best score. Matches with a lower score share words by chance. */
const MAX_SCORE_DIFFERENCE = 0.15

export interface RequestMatch {
  readonly memory: string
  /** 0 to 1. */
  readonly score: number
  readonly why: string
}

/** A clause with this share of a fact's words states the fact. Chosen, not measured. */
const MIN_CLAUSE_SHARE = 0.6

/**
 * Finds the memories that a "forget" or "end" request means. "Forget Anna" means every mention of Anna. "I no longer live in
 * Lyon" means this one fact. Statements that were made or repeated after the request are not meant.
 */
export async function matchRequest(
  request: Request,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): Promise<RequestMatch[]> {
  const orderOf =
    options.orderOf ??
    ((source: Evidence): EvidenceOrder => (source.turn === request.evidence.turn ? 'request' : 'before'))
  const excluded = findKeptTerms(request.evidence.quote ?? '')
  const possible = targets
    .filter(
      ({ memory, evidenceTexts }) =>
        wasSaidBefore(memory.evidence.map(orderOf)) &&
        !containsAny(memory.text || evidenceTexts.join(' '), excluded),
    )
    // The request may share an utterance with the agent's turn before it. Its own words are no match.
    .map(({ memory, evidenceTexts }) => ({
      memory,
      evidenceTexts: memory.evidence.flatMap((source, place) =>
        orderOf(source) === 'before' ? (evidenceTexts[place] ?? []) : [],
      ),
    }))
  if (request.kind === 'end') return matchEnd(request, possible, options)
  return request.about === null
    ? matchJustSaid(possible, options)
    : matchWords(request.about, possible, options)
}

/** Checks whether a text contains any of the terms. */
function containsAny(text: string, terms: ReadonlySet<string>): boolean {
  return terms.size > 0 && findTerms(text).some((term) => terms.has(term))
}

/** Checks that a memory was stated before the request and not repeated after it. */
function wasSaidBefore(orders: readonly EvidenceOrder[]): boolean {
  return orders.length === 0 || (orders.includes('before') && !orders.includes('after'))
}

/** Checks whether the memory covers several topics. Its sentences are removed one by one. */
function isSummary({ form }: RequestTarget['memory']): boolean {
  return form === 'story' || form === 'summary' || form === 'block'
}

function matchJustSaid(targets: readonly RequestTarget[], options: MatchOptions): RequestMatch[] {
  const turns = new Set(options.justSaid)
  return targets
    .filter(({ memory }) => !isSummary(memory) && memory.evidence.some((source) => turns.has(source.turn)))
    .map(({ memory }) => ({ memory: memory.id, score: 1, why: 'it is what was just said' }))
}

async function matchWords(
  about: string,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): Promise<RequestMatch[]> {
  const topic = await chooseTopic(readTopic(about, options), targets, (target) => [
    wordsOf(target, options.namesOf),
    target.evidenceTexts.join('\n'),
  ])
  const scored = await flatMapInPieces(targets, (target) => {
    if (isSummary(target.memory)) return []
    const coverage = coverageOf(topic, target, options.namesOf)
    const words = wordsOf(target, options.namesOf)
    const mayBeParaphrase = !topic.isName && coverage >= MIN_COVERAGE_WHEN_SIMILAR
    const isParaphrase = mayBeParaphrase && (options.similarity?.(about, words) ?? 0) >= MIN_SIMILARITY
    if (!isCovered(topic, coverage) && !isParaphrase) return []
    const why = `it holds ${Math.round(coverage * 100)} % of the words of “${about}”`
    return [{ memory: target.memory.id, score: coverage, why }]
  })
  return bestGroup(scored)
}

/** Returns a memory's text with the names of its key and of its part of life, such as “job” or “medication”. */
function wordsOf({ memory }: RequestTarget, namesOf: MatchOptions['namesOf']): string {
  const { text, value, key } = memory
  const names = key === null ? [] : (namesOf?.(key) ?? [])
  return [text, value ?? '', key ?? '', namesOfPart(key, value), ...names].join(' ')
}

/** Matches a pronoun as an object, which refers to other words of the turn. */
const OBJECT_PRONOUN = /\s(?:it|him|her|them|that)\b(?!\s+\p{L})|[他她它](?!们)|这[事件]/iu

/** Returns the share of the topic's words in a memory, its key, and under some conditions in its evidence. */
function coverageOf(topic: Topic, target: RequestTarget, namesOf: MatchOptions['namesOf']): number {
  const { memory, evidenceTexts } = target
  const inMemory = Math.max(topic.coverageIn(memory.text), topic.coverageIn(wordsOf(target, namesOf)))
  if (memory.form !== 'fact') return Math.max(inMemory, topic.coverageIn(evidenceTexts.join('\n')))
  if (isCovered(topic, inMemory)) return inMemory
  // The rest of the turn resolves the pronoun in “I feel sick about it”.
  if (OBJECT_PRONOUN.test(memory.text)) {
    const inEvidence = Math.max(0, ...evidenceTexts.map((text) => topic.coverageIn(text)))
    if (isCovered(topic, inEvidence)) return inEvidence
  }
  // "The money I owe Tom" does not mean other facts about Tom.
  if (topic.hasName && !topic.isName) return inMemory
  // A fact belongs to the topic if all of its evidence states it in a clause that mentions the topic.
  const clauses = evidenceTexts.map((text) => clauseOf(topic, text, memory))
  if (clauses.length === 0 || clauses.includes(null)) return inMemory
  return Math.max(inMemory, ...clauses.map((clause) => topic.coverageIn(clause ?? '')))
}

const CLAUSE_END =
  /[,;:.!?，；：。！？]+\s*|\s(?:but|because|while|whereas)\s|(?<=\s\S+\s\S+)\sand\s(?=(?:i|i'm|my|we|our|he|she|they|it)\b)/i

/** Finds the clause of a text that mentions the topic and states the fact. */
function clauseOf(topic: Topic, text: string, fact: RequestTarget['memory']): string | null {
  const factTerms = new Set(findTerms(fact.value ?? fact.text))
  const clauses = text.split(CLAUSE_END).filter((clause) => isCovered(topic, topic.coverageIn(clause)))
  return clauses.find((clause) => shareOf(factTerms, clause) >= MIN_CLAUSE_SHARE) ?? null
}

/** The value that means all values of a key. Rules use it for endings such as “I quit my job.” */
const ANY_VALUE = '*'

function matchEnd(
  request: Extract<Request, { kind: 'end' }>,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): RequestMatch[] {
  const facts = targets
    .map(({ memory }) => memory)
    .filter((fact) => fact.form === 'fact' && fact.subject === options.speaker && !isOver(fact, request.at))
  const { key, value } = request
  if (key !== null && value === ANY_VALUE)
    return facts
      .filter((fact) => fact.key === key)
      .map(({ id: memory }) => ({ memory, score: 1, why: `its ${key} is over, whatever it was` }))
  if (key !== null && value !== null) {
    const isSame = (fact: RequestTarget['memory']): boolean =>
      fact.key === key && compareValues(value, fact.value ?? '') !== 'different'
    const why = `${key} no longer holds “${value}”`
    const same = facts.filter(isSame).map(({ id: memory }) => ({ memory, score: 1, why }))
    if (same.length > 0) return same
  }
  const terms = new Set(findTerms(request.about))
  if (terms.size === 0) return []
  const covered = facts
    .filter((fact) => fact.key !== 'experiences' && canEnd(key, fact.key) && shareOf(terms, fact.text) === 1)
    .map(({ id: memory }) => ({ memory, score: 1, why: `it says “${request.about}”, which is over` }))
  return bestGroup(covered)
}

/** Keys of habits and likes. They are kept apart, because "I gave up coffee" does not end the job in a coffee shop. */
const HABITS = /^(?:likes|habits|hobbies|diet|learning|skills|favourite.*)$/
/** Keys of plans. They are kept apart, because a cancelled trip does not end the residence at its destination. */
const PLANS = /^(?:plans|goals|wishes|current-activity)$/

/** Checks whether the end of something under one key can expire a fact under another. */
function canEnd(ended: string | null, known: string | null): boolean {
  if (ended === 'plans') return known !== null && PLANS.test(known)
  return ended === null || !HABITS.test(ended) || (known !== null && HABITS.test(known))
}

function bestGroup(matches: readonly RequestMatch[]): RequestMatch[] {
  const best = Math.max(...matches.map((match) => match.score))
  return matches.filter((match) => match.score >= best - MAX_SCORE_DIFFERENCE)
}

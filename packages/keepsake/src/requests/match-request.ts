// Matches the words of a request with memories.
import { compareValues, findKeptTerms, findTerms, namesOfPart } from '@keepsake/text'
import type { Request } from '../extraction/extractor.ts'
import type { Evidence } from '../memories/evidence.ts'
import { type Memory, isOver } from '../memories/memory.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { isCovered, readTopic, chooseTopic, shareOf, type Topic, type TopicContext } from './read-topic.ts'

/** A live memory that a request may mean, with the texts of its evidence. */
export interface RequestTarget {
  readonly memory: Pick<
    Memory,
    'id' | 'form' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'validUntil'
  >
  /** Texts of its evidence: quotes or whole turns. */
  readonly evidenceTexts: readonly string[]
}

/** The order of evidence: said before the request, part of the request itself, or said after it. */
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

/** A paraphrase (“where I work” for “my job”) needs this share of the request's words and this similarity. */
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
export function containsAny(text: string, terms: ReadonlySet<string>): boolean {
  return terms.size > 0 && findTerms(text).some((term) => terms.has(term))
}

/** Checks that a memory was stated before the request and not repeated after it. */
function wasSaidBefore(orders: readonly EvidenceOrder[]): boolean {
  return orders.length === 0 || (orders.includes('before') && !orders.includes('after'))
}

/** Checks whether the memory covers several topics. Other steps remove its sentences one by one. */
function isSummary({ form }: RequestTarget['memory']): boolean {
  return form === 'story' || form === 'summary' || form === 'block'
}

/** Finds the memories of the turns that “what I just said” means. */
function matchJustSaid(targets: readonly RequestTarget[], options: MatchOptions): RequestMatch[] {
  const turns = new Set(options.justSaid)
  return targets
    .filter(({ memory }) => !isSummary(memory) && memory.evidence.some((source) => turns.has(source.turn)))
    .map(({ memory }) => ({ memory: memory.id, score: 1, why: 'it is what was just said' }))
}

/** Finds the memories that contain the words of a request, or paraphrase them. */
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

/** Returns the share of the topic's words in a memory and its key. Under some conditions its evidence counts too. */
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

/** Matches what separates clauses. An “and” needs two words before it and a subject after it. */
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

/** Finds the facts of the speaker that have ended. */
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

/** Matches keys of habits and likes. An end under them ends no other facts: “I gave up coffee” is not about a job in a coffee shop. */
const HABITS = /^(?:likes|habits|hobbies|diet|learning|skills|favourite.*)$/
/** Matches keys of plans. An end under them ends only plans: a cancelled trip does not end the residence at its destination. */
const PLANS = /^(?:plans|goals|wishes|current-activity)$/

/** Checks whether the end of something under one key can expire a fact under another. */
function canEnd(ended: string | null, known: string | null): boolean {
  if (ended === 'plans') return known !== null && PLANS.test(known)
  return ended === null || !HABITS.test(ended) || (known !== null && HABITS.test(known))
}

/** Returns the matches whose scores are near the best. */
function bestGroup(matches: readonly RequestMatch[]): RequestMatch[] {
  const best = Math.max(...matches.map((match) => match.score))
  return matches.filter((match) => match.score >= best - MAX_SCORE_DIFFERENCE)
}

import { compareValues, findKeptTerms, findTerms } from '@keepsake/text'
import { isOver, type Memory } from '../memories/memory.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Request } from '../extraction/extractor.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { isCovered, readTopic, settleTopic, shareOf, type Topic } from './read-topic.ts'
import type { Similarity } from './related-words.ts'

/** A live memory that a request may mean, with the words it rests on. */
export interface RequestTarget {
  readonly memory: Pick<
    Memory,
    'id' | 'form' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'validUntil'
  >
  /** Texts of its evidence: quotes or whole turns. */
  readonly evidenceTexts: readonly string[]
}

/** When evidence was said, relative to a request. */
export type Saying = 'before' | 'request' | 'after'

export interface MatchOptions {
  /** The speaker: `user` or a name. Only speakers can expire facts about themselves. */
  readonly speaker: string
  /** Turns that "what I just said" refers to. */
  readonly justSaid: readonly string[]
  /** Without it, everything but the request's own turn was said before. */
  readonly placeOf?: (evidence: Evidence) => Saying
  /** Without it only words count. */
  readonly similarity?: Similarity
  /** Names of a persona key that a request may use. */
  readonly namesOf?: (key: string) => readonly string[]
}

/** A paraphrase ("where I work", "my job") needs half of the words if the meaning is this close. */
const LEAST_COVERAGE_WHEN_CLOSE = 0.5
const CLOSE = 0.7
/** Matches this far below the best are about something else that shares words. */
const BEST_GROUP = 0.15

export interface RequestMatch {
  readonly memory: string
  /** 0 to 1. */
  readonly score: number
  readonly why: string
}

/** Minimum share of a fact's words within the clause that mentions the topic. */
const SAME_CLAUSE = 0.6

/**
 * Finds the memories that a "forget" or "end" request means: the best group only, empty when nothing fits. "Forget Anna" means every
 * mention of Anna; "I no longer live in Lyon" means that one fact. Only statements before the request count, if not repeated after it.
 */
export async function matchRequest(
  request: Request,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): Promise<RequestMatch[]> {
  const placeOf =
    options.placeOf ??
    ((source: Evidence): Saying => (source.turn === request.evidence.turn ? 'request' : 'before'))
  const kept = findKeptTerms(request.evidence.quote ?? '')
  const own = targets.filter(
    ({ memory, evidenceTexts }) =>
      isFromBefore(memory.evidence.map(placeOf)) && !holdsAny(memory.text || evidenceTexts.join(' '), kept),
  )
  if (request.kind === 'end') return matchEnd(request, own, options)
  return request.about === null ? matchJustSaid(own, options) : matchWords(request.about, own, options)
}

/** Checks whether a text holds any of some terms. */
export function holdsAny(text: string, terms: ReadonlySet<string>): boolean {
  return terms.size > 0 && findTerms(text).some((term) => terms.has(term))
}

function isFromBefore(places: readonly Saying[]): boolean {
  return places.length === 0 || (places.includes('before') && !places.includes('after'))
}

/** Checks whether the memory covers several topics, whose sentences are removed one by one. */
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
  const topic = await settleTopic(readTopic(about, options.similarity), targets, (target) => [
    wordsOf(target, options.namesOf),
    target.evidenceTexts.join('\n'),
  ])
  const scored = await flatMapInPieces(targets, (target) => {
    if (isSummary(target.memory)) return []
    const coverage = coverageOf(topic, target, options.namesOf)
    const words = wordsOf(target, options.namesOf)
    const isHalf = !topic.isName && coverage >= LEAST_COVERAGE_WHEN_CLOSE
    const isClose = isHalf && (options.similarity?.(about, words) ?? 0) >= CLOSE
    if (!isCovered(topic, coverage) && !isClose) return []
    const why = `it holds ${Math.round(coverage * 100)} % of the words of “${about}”`
    return [{ memory: target.memory.id, score: coverage, why }]
  })
  return bestGroup(scored)
}

/** Returns a memory's text and, for a fact, the names of its key: “my job” matches the occupation, “my medication” what one takes. */
function wordsOf({ memory }: RequestTarget, namesOf: MatchOptions['namesOf']): string {
  const { text, value, key } = memory
  const kind =
    key === 'health' && /^(?:takes|吃|服用)/u.test(value ?? '') ? 'medication meds tablets pills 药' : ''
  return [text, value ?? '', key ?? '', kind, ...(key === null ? [] : (namesOf?.(key) ?? []))].join(' ')
}

const POINTS_BACK = /\s(?:it|him|her|them|that)\b(?!\s+\p{L})|[他她它](?!们)|这[事件]/iu

function coverageOf(topic: Topic, target: RequestTarget, namesOf: MatchOptions['namesOf']): number {
  const own = Math.max(topic.coverageIn(target.memory.text), topic.coverageIn(wordsOf(target, namesOf)))
  if (target.memory.form !== 'fact') return Math.max(own, topic.coverageIn(target.evidenceTexts.join('\n')))
  if (isCovered(topic, own)) return own
  // In “I feel sick about it” the rest of the turn resolves the pronoun.
  if (POINTS_BACK.test(target.memory.text)) {
    const said = Math.max(0, ...target.evidenceTexts.map((text) => topic.coverageIn(text)))
    if (isCovered(topic, said)) return said
  }
  // A topic with other words does not delete a person's identity.
  if (topic.hasName && !topic.isName) return own
  // A fact from a clause that mentions the topic belongs to it, unless other words or turns support the fact as well.
  const clauses = target.evidenceTexts.map((text) => clauseOf(topic, text, target.memory))
  if (clauses.length === 0 || clauses.includes(null)) return own
  return Math.max(own, ...clauses.map((clause) => topic.coverageIn(clause ?? '')))
}

const CLAUSE_END =
  /[,;:.!?，；：。！？]+\s*|\s(?:but|because|while|whereas)\s|(?<=\s\S+\s\S+)\sand\s(?=(?:i|i'm|my|we|our|he|she|they|it)\b)/i

/** Finds the clause of a text that mentions the topic and states the fact. */
function clauseOf(topic: Topic, text: string, fact: RequestTarget['memory']): string | null {
  const said = new Set(findTerms(fact.value ?? fact.text))
  const telling = text.split(CLAUSE_END).filter((clause) => isCovered(topic, topic.coverageIn(clause)))
  return telling.find((clause) => shareOf(said, clause) >= SAME_CLAUSE) ?? null
}

/** Value of rules that expire everything under a key: “I quit my job.” */
const WHATEVER = '*'

function matchEnd(
  request: Extract<Request, { kind: 'end' }>,
  targets: readonly RequestTarget[],
  options: MatchOptions,
): RequestMatch[] {
  const facts = targets
    .map(({ memory }) => memory)
    .filter((fact) => fact.form === 'fact' && fact.subject === options.speaker && !isOver(fact, request.at))
  const { key, value } = request
  if (key !== null && value === WHATEVER)
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
  const asked = new Set(findTerms(request.about))
  if (asked.size === 0) return []
  const covered = facts
    .filter((fact) => fact.key !== 'experiences' && mayEnd(key, fact.key) && shareOf(asked, fact.text) === 1)
    .map(({ id: memory }) => ({ memory, score: 1, why: `it says “${request.about}”, which is over` }))
  return bestGroup(covered)
}

/** Keys of things given up or no longer liked: "I gave up coffee" keeps the coffee shop they work at. */
const PASTIMES = /^(?:likes|habits|hobbies|diet|learning|skills|favourite.*)$/
/** Keys of plans: a cancelled trip leaves the place where the user lives or has been. */
const AHEAD = /^(?:plans|goals|wishes|current-activity)$/

function mayEnd(ended: string | null, known: string | null): boolean {
  if (ended === 'plans') return known !== null && AHEAD.test(known)
  return ended === null || !PASTIMES.test(ended) || (known !== null && PASTIMES.test(known))
}

function bestGroup(matches: readonly RequestMatch[]): RequestMatch[] {
  const best = Math.max(...matches.map((match) => match.score))
  return matches.filter((match) => match.score >= best - BEST_GROUP)
}

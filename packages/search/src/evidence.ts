// Measures how well the first documents match, from which recall computes its confidence.
import { NONE, ROLE_CODES } from './documents.ts'
import type { Match, MatchedTerm } from './match-types.ts'
import { countIn, ROW_SHIFT } from './postings.ts'
import { DocumentTrait, type Evidence, type LikelyAnswer } from './search-types.ts'

/** Maximum number of documents that are examined for an answer. */
const MAX_LIKELY_ANSWERS = 8
/** Value of a query term if a document says it only in other words. */
const OTHER_WORDS = 0.5
/** Minimum probability at which a related word counts as the same thing or a kind of it. “Cat” for “dog” stays below. */
const MIN_SAME_MEANING = 0.5

/**
 * Measures how good the best match is, and whether it is a statement of the speaker whom the query asks about.
 *
 * @param sums scores without the speaker's part
 * @param rows the best rows, best first
 */
export function gatherEvidence(match: Match, sums: Float64Array, rows: readonly number[]): Evidence {
  const { inReach, isWantedSpeaker, terms, query } = match
  const { length } = match.documents
  const namesSpeaker = isWantedSpeaker !== null
  const asksOfUser = !namesSpeaker && match.role === ROLE_CODES.user
  let bestScore = 0
  let bestRivalScore = 0
  let documents = 0
  for (let row = 0; row < length; row++) {
    if (inReach[row] === 0) continue
    documents += 1
    const score = sums[row] as number
    if (score > bestScore && mayAnswer(match, row)) bestScore = score
    else if (score > bestRivalScore && isRival(match, row)) bestRivalScore = score
  }
  const lead = bestRivalScore > 0 ? bestScore - bestRivalScore : 0
  const countedTerms = terms.filter(
    ({ term, posting }) => posting !== undefined || query.optionalTerms?.has(term) !== true,
  )
  return {
    documents,
    terms: countedTerms.map(({ term, posting, rarity }) => ({ term: posting?.term ?? term, rarity })),
    unheardTerms: new Set(terms.filter((term) => isUnheard(match, term)).map(({ term }) => term)),
    aheadOfPeople: namesSpeaker ? lead : 0,
    aheadOfAgent: asksOfUser ? lead : 0,
    likely: findLikely(match, countedTerms, rows),
    ...findNearest(match, countedTerms, rows),
  }
}

/** Measures how well the first documents match the query in words and in meaning. Documents that only ask do not count. */
function findNearest(
  match: Match,
  terms: readonly MatchedTerm[],
  rows: readonly number[],
): Pick<Evidence, 'nearest' | 'nearestMeaning'> {
  const { documents, cosine } = match
  const isStatement = (row: number): boolean =>
    ((documents.traits[row] as number) & DocumentTrait.onlyAsks) === 0
  const statements = rows.slice(0, MAX_LIKELY_ANSWERS).filter(isStatement)
  const totalRarity = terms.reduce((sum, { rarity }) => sum + rarity, 0) || 1
  const shares = statements.map(
    (row) => terms.reduce((sum, term) => sum + term.rarity * holdsTerm(term, row), 0) / totalRarity,
  )
  const meanings = statements.map((row) => cosine[row] as number)
  return { nearest: Math.max(0, ...shares), nearestMeaning: Math.max(0, ...meanings) }
}

/** Reports whether a document can hold an answer: it states something, and its speaker is the one whom the query asks about. */
function mayAnswer({ documents, isWantedSpeaker, role }: Match, row: number): boolean {
  if (((documents.traits[row] as number) & DocumentTrait.onlyAsks) !== 0) return false
  if (isWantedSpeaker !== null) return isWantedSpeaker[documents.speakerOf[row] as number] === 1
  const speakerRole = documents.roles[row]
  return (
    speakerRole === ROLE_CODES.user || (speakerRole === ROLE_CODES.assistant && role === ROLE_CODES.assistant)
  )
}

/**
 * Reports whether a document is a statement of another speaker than the one whom the query asks about. Agents repeat the user's
 * statements, so only their statements about themselves count.
 */
function isRival({ documents, isWantedSpeaker, role }: Match, row: number): boolean {
  const { roles, traits, speakerOf } = documents
  if (isWantedSpeaker !== null)
    return roles[row] === ROLE_CODES.user && isWantedSpeaker[speakerOf[row] as number] !== 1
  const { firstPerson, onlyAsks } = DocumentTrait
  const statesItself = ((traits[row] as number) & (firstPerson | onlyAsks)) === firstPerson
  return role === ROLE_CODES.user && roles[row] === ROLE_CODES.assistant && statesItself
}

/** Returns the first rows that may answer, with the terms of the query that they hold. */
function findLikely(match: Match, terms: readonly MatchedTerm[], rows: readonly number[]): LikelyAnswer[] {
  const { documents } = match
  const likely: LikelyAnswer[] = []
  for (const row of rows) {
    if (likely.length === MAX_LIKELY_ANSWERS) break
    if (!mayAnswer(match, row)) continue
    const before = documents.previous[row] ?? NONE
    const isAnswer =
      before !== NONE &&
      documents.roles[before] !== documents.roles[row] &&
      ((documents.traits[before] as number) & DocumentTrait.asks) !== 0
    likely.push({
      id: documents.idOf(row),
      held: terms.map((term) => holdsTerm(term, row)),
      asked: isAnswer ? terms.map((term) => holdsTerm(term, before)) : null,
      before: before === NONE ? null : documents.idOf(before),
    })
  }
  return likely
}

/** Returns 1 if a document holds a term, less if it says it in other words, otherwise 0. */
function holdsTerm({ posting, related }: MatchedTerm, row: number): number {
  if (posting !== undefined && countIn(posting, row) > 0) return 1
  return related.some(({ rows }) => rows.includes(row)) ? OTHER_WORDS : 0
}

/** Reports whether no document that may answer holds a term or a related term of the same meaning. */
function isUnheard(match: Match, { posting, related }: MatchedTerm): boolean {
  if (posting?.entries.some((entry) => mayAnswer(match, entry >>> ROW_SHIFT)) === true) return false
  return !related.some(
    ({ maxProbability, rows }) =>
      maxProbability >= MIN_SAME_MEANING && rows.some((row) => mayAnswer(match, row)),
  )
}

// Measures how well the first documents match, from which recall computes its confidence.
import { NONE, ROLE_CODES } from './documents.ts'
import type { Match, MatchedTerm } from './match.ts'
import { countIn } from './postings.ts'
import { DocumentTrait, type Evidence, type LikelyAnswer } from './search-types.ts'

/** Documents looked at for the answer. */
const LIKELY_ANSWERS = 8
/** Weight of a term that a document says in other words only. */
const OTHER_WORDS = 0.5
/** From this weight on a related word means the same, or a kind of it: a cat is not as near to a dog. */
const SURELY = 0.5

/**
 * Measures how good the best match is, and whether the speaker asked about said it.
 *
 * @param sums scores without the speaker's part
 * @param rows the best rows, best first
 */
export function gatherEvidence(match: Match, sums: Float64Array, rows: readonly number[]): Evidence {
  const { inReach, isWantedSpeaker, terms, query } = match
  const { length } = match.documents
  const isByName = isWantedSpeaker !== null
  const isOfUser = !isByName && match.role === ROLE_CODES.user
  const best = { score: 0, rival: 0 }
  let documents = 0
  for (let row = 0; row < length; row++) {
    if (inReach[row] === 0) continue
    documents += 1
    const score = sums[row] as number
    if (score > best.score && mayAnswer(match, row)) best.score = score
    else if (score > best.rival && isRival(match, row)) best.rival = score
  }
  const ahead = best.rival > 0 ? best.score - best.rival : 0
  const counted = terms.filter(
    ({ term, posting }) => posting !== undefined || query.optionalTerms?.has(term) !== true,
  )
  return {
    documents,
    terms: counted.map(({ term, posting, rarity }) => ({ term: posting?.term ?? term, rarity })),
    unheardTerms: new Set(terms.filter((term) => isUnheard(match, term)).map(({ term }) => term)),
    aheadOfPeople: isByName ? ahead : 0,
    aheadOfAgent: isOfUser ? ahead : 0,
    likely: findLikely(match, counted, rows),
    ...findNearest(match, counted, rows),
  }
}

/** Measures how near the first documents that state something come to the query, in words and in meaning, of any speaker. */
function findNearest(
  match: Match,
  terms: readonly MatchedTerm[],
  rows: readonly number[],
): Pick<Evidence, 'nearest' | 'nearestMeaning'> {
  const { documents, cosine } = match
  const isStating = (row: number): boolean =>
    ((documents.traits[row] as number) & DocumentTrait.onlyAsks) === 0
  const stating = rows.slice(0, LIKELY_ANSWERS).filter(isStating)
  const totalRarity = terms.reduce((sum, { rarity }) => sum + rarity, 0) || 1
  const shares = stating.map(
    (row) => terms.reduce((sum, term) => sum + term.rarity * holdsTerm(term, row), 0) / totalRarity,
  )
  const meanings = stating.map((row) => cosine[row] as number)
  return { nearest: Math.max(0, ...shares), nearestMeaning: Math.max(0, ...meanings) }
}

/** Whether a document can hold an answer: it states something, and the speaker asked about said it. */
function mayAnswer({ documents, isWantedSpeaker, role }: Match, row: number): boolean {
  if (((documents.traits[row] as number) & DocumentTrait.onlyAsks) !== 0) return false
  if (isWantedSpeaker !== null) return isWantedSpeaker[documents.speakerOf[row] as number] === 1
  const said = documents.roles[row]
  return said === ROLE_CODES.user || (said === ROLE_CODES.assistant && role === ROLE_CODES.assistant)
}

/** Whether it is another speaker's word. Agents repeat what users say, so only what they state of themselves counts. */
function isRival({ documents, isWantedSpeaker, role }: Match, row: number): boolean {
  const { roles, traits, speakerOf } = documents
  if (isWantedSpeaker !== null)
    return roles[row] === ROLE_CODES.user && isWantedSpeaker[speakerOf[row] as number] !== 1
  const { firstPerson, onlyAsks } = DocumentTrait
  const statesItself = ((traits[row] as number) & (firstPerson | onlyAsks)) === firstPerson
  return role === ROLE_CODES.user && roles[row] === ROLE_CODES.assistant && statesItself
}

/** The first of the best rows that may answer, with what they hold of the query. */
function findLikely(match: Match, terms: readonly MatchedTerm[], rows: readonly number[]): LikelyAnswer[] {
  const { documents } = match
  const likely: LikelyAnswer[] = []
  for (const row of rows) {
    if (likely.length === LIKELY_ANSWERS) break
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

function holdsTerm({ posting, related }: MatchedTerm, row: number): number {
  if (posting !== undefined && countIn(posting, row) > 0) return 1
  return related.some(({ rows }) => rows.includes(row)) ? OTHER_WORDS : 0
}

/** Whether no document that may answer holds a term, nor what surely means the same. */
function isUnheard(match: Match, { posting, related }: MatchedTerm): boolean {
  if (posting?.entries.some((entry) => mayAnswer(match, entry >>> 8)) === true) return false
  return !related.some(({ surest, rows }) => surest >= SURELY && rows.some((row) => mayAnswer(match, row)))
}

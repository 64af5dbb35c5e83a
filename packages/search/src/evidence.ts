import { NONE, ROLE_CODES } from './documents.ts'
import type { Match, MatchedTerm } from './match.ts'
import { countIn } from './postings.ts'
import { DocumentTrait, type Evidence, type LikelyAnswer } from './search-types.ts'

/** Documents looked at for the answer. */
const LIKELY_ANSWERS = 8
/** What a term counts for that is said in other words only. */
const OTHER_WORDS = 0.5
/** From this weight on a related word means the same, or a kind of it: a cat is not as near to a dog. */
const SURELY = 0.5
const SELF_OR_QUESTION = DocumentTrait.firstPerson | DocumentTrait.onlyAsks

/**
 * How good the best match is, and whether it was said by the speaker asked about.
 *
 * @param sums scores without the speaker's part
 */
export function gatherEvidence(match: Match, sums: Float64Array): Omit<Evidence, 'likely'> {
  const { inReach, own, isWantedSpeaker, rarity, terms } = match
  const { length, roles, traits, speakerOf } = match.documents
  const isByName = isWantedSpeaker !== null
  const isOfUser = !isByName && match.role === ROLE_CODES.user
  const best = { score: 0, words: 0, rivalScore: 0, rivalWords: 0 }
  let documents = 0
  for (let row = 0; row < length; row++) {
    if (inReach[row] === 0) continue
    documents += 1
    const score = sums[row] as number
    const words = own[row] as number
    // Agents repeat what users say, so only what an agent says about itself is a rival.
    const isRival = isByName
      ? roles[row] === ROLE_CODES.user && isWantedSpeaker[speakerOf[row] as number] !== 1
      : isOfUser &&
        roles[row] === ROLE_CODES.assistant &&
        ((traits[row] as number) & SELF_OR_QUESTION) === DocumentTrait.firstPerson
    if (isRival) {
      if (score > best.rivalScore) best.rivalScore = score
      if (words > best.rivalWords) best.rivalWords = words
    } else {
      if (score > best.score) best.score = score
      if (words > best.words) best.words = words
    }
  }
  const ahead = best.rivalScore > 0 ? best.score - best.rivalScore : 0
  return {
    documents,
    words: (isByName ? best.words : Math.max(best.words, best.rivalWords)) / (rarity || 1),
    unheard: unheardShare(match),
    unheardTerms: new Set(terms.filter(isUnheard).map(({ term }) => term)),
    aheadOfPeople: isByName ? ahead : 0,
    aheadOfAgent: isOfUser ? ahead : 0,
  }
}

/** The first of the best rows, with how much of the query they hold. */
export function findLikely(match: Match, rows: readonly number[]): LikelyAnswer[] {
  const { documents } = match
  return rows.slice(0, LIKELY_ANSWERS).map((row) => {
    const before = documents.previous[row] ?? NONE
    return {
      id: documents.idOf(row),
      share: heldShare(match, before === NONE ? [row] : [row, before]),
      before: before === NONE ? null : documents.idOf(before),
    }
  })
}

function heldShare({ terms, rarity }: Match, rows: readonly number[]): number {
  let held = 0
  for (const { posting, rarity: ofTerm, related } of terms) {
    if (posting !== undefined && rows.some((row) => countIn(posting, row) > 0)) held += ofTerm
    else if (rows.some((row) => related.some(({ rows: saying }) => saying.includes(row))))
      held += OTHER_WORDS * ofTerm
  }
  return held / (rarity || 1)
}

/** Share of the query's rarity in terms that no document holds, optional terms aside. */
function unheardShare({ terms, query: { optionalTerms } }: Match): number {
  let all = 0
  let unheard = 0
  for (const { term, posting, rarity, related } of terms) {
    if (posting === undefined && optionalTerms?.has(term) === true) continue
    all += rarity
    if (posting !== undefined) continue
    unheard += related.some(({ rows }) => rows.length > 0) ? rarity * (1 - OTHER_WORDS) : rarity
  }
  return all === 0 ? 1 : unheard / all
}

function isUnheard({ posting, related }: MatchedTerm): boolean {
  return posting === undefined && !related.some(({ surest }) => surest >= SURELY)
}

import { findTerms } from '../text/analyse-text.ts'
import { isChineseFunctionCharacter } from '../text/function-words.ts'
import { TextTrait } from '../text/text-traits.ts'
import { NONE, ROLE_CODES } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import { countIn } from './postings.ts'

/** Documents that are looked at for the answer itself. */
const LOOKED_AT = 8

/** A document that may hold the answer. */
export interface LikelyAnswer {
  readonly id: string
  /** Share of the question's rarity that it holds itself or together with the turn it follows. */
  readonly share: number
}

/** How well the documents match what was asked, on scales that do not depend on the other candidates. */
export interface Evidence {
  /** Documents looked at. */
  readonly documents: number
  /** Best match of one document's words, over the rarity of all that was asked; by the person asked about. */
  readonly words: number
  /** Share of that rarity in words that stand nowhere. */
  readonly unheard: number
  /** Of a question about one of several people: how far the best of theirs is ahead of the best of another's, as scores. */
  readonly aheadOfPeople: number
  /** Of a question about the person who talks with the agent: the same, ahead of what the agent tells of itself. */
  readonly aheadOfAgent: number
  /** Those that come first, best first. */
  readonly likely: readonly LikelyAnswer[]
}

/** Terms of words that say what kind of answer is wanted. */
const OF_THE_ANSWER = new Set(findTerms('name called title kind sort type time date number'))
/** How much of a word is heard in other words for it. */
const OTHERWISE = 0.5
const HAN_PAIR = /^\p{Script=Han}{2}$/u

/** What is best among some of the documents. */
interface Best {
  score: number
  words: number
}

/**
 * One pass over the documents: how good the best match is, and whether it was said by the person asked about.
 *
 * @param sums of all parts but the speaker's
 */
export function weighEvidence(matches: Matches, sums: Float64Array): Omit<Evidence, 'likely'> {
  const { table, counted, own, speakers, roleCode, rarity } = matches
  const ofAsked: Best = { score: 0, words: 0 }
  const ofRivals: Best = { score: 0, words: 0 }
  const rivals = findRivals(matches)
  let documents = 0
  for (let row = 0; row < table.length; row++) {
    if (counted[row] === 0) continue
    documents++
    const isRival = rivals?.(row) === true
    raise(isRival ? ofRivals : ofAsked, sums[row] ?? 0, own[row] ?? 0)
  }
  const isByName = speakers.size > 0
  const ahead = ofRivals.score > 0 ? ofAsked.score - ofRivals.score : 0
  return {
    documents,
    words: (isByName ? ofAsked.words : Math.max(ofAsked.words, ofRivals.words)) / (rarity || 1),
    unheard: shareUnheard(matches),
    aheadOfPeople: isByName ? ahead : 0,
    aheadOfAgent: !isByName && roleCode === ROLE_CODES.user ? ahead : 0,
  }
}

function raise(best: Best, score: number, words: number): void {
  if (score > best.score) best.score = score
  if (words > best.words) best.words = words
}

/**
 * Whose words speak against the person asked about, if anybody's: those of another person. An agent repeats what it was told, so
 * only what it tells of itself speaks against the one it talks with.
 */
function findRivals({ table, speakers, isAsked, roleCode }: Matches): ((row: number) => boolean) | null {
  const { roles, traits } = table
  if (speakers.size > 0)
    return (row) => roles[row] === ROLE_CODES.user && isAsked[table.speakers[row] ?? NONE] !== 1
  if (roleCode !== ROLE_CODES.user) return null
  const TELLS = TextTrait.firstPerson
  return (row) =>
    roles[row] === ROLE_CODES.agent &&
    ((traits[row] ?? 0) & (TextTrait.firstPerson | TextTrait.onlyAsks)) === TELLS
}

/** Those of the best rows, best first, that are looked at for the answer itself. */
export function findLikely(matches: Matches, rows: readonly number[]): LikelyAnswer[] {
  const { ids } = matches.table
  return rows.slice(0, LOOKED_AT).map((row) => ({ id: ids[row] ?? '', share: shareHeld(matches, row) }))
}

function shareHeld({ table, terms, rarity }: Matches, row: number): number {
  const before = table.previous[row] ?? NONE
  const rows = before === NONE ? [row] : [row, before]
  let held = 0
  for (const term of terms) {
    const { list } = term
    if (list !== undefined && rows.some((one) => countIn(list, one) > 0)) held += term.rarity
    else if (rows.some((one) => term.otherwise.has(one))) held += OTHERWISE * term.rarity
  }
  return held / (rarity || 1)
}

/**
 * Words that stand nowhere, as a share. Those that only tell what kind of answer is wanted need not stand there (“What is the *name*
 * of …”), and pairs of Chinese characters of which one does grammatical work fall together by chance.
 */
function shareUnheard({ terms }: Matches): number {
  let all = 0
  let unheard = 0
  for (const { word, list, rarity, otherwise } of terms) {
    const isUnheard = list === undefined || list.size === 0
    if (isUnheard && (OF_THE_ANSWER.has(word) || isLoosePair(word))) continue
    all += rarity
    if (isUnheard) unheard += otherwise.size > 0 ? rarity * (1 - OTHERWISE) : rarity
  }
  return all === 0 ? 1 : unheard / all
}

function isLoosePair(word: string): boolean {
  return HAN_PAIR.test(word) && Array.from(word).some(isChineseFunctionCharacter)
}

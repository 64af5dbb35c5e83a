import { TextTrait, findTerms, isChineseFunctionCharacter } from '@keepsake/text'
import { NONE, ROLE_CODES, type DocumentTable } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import type { MatchedTerm } from './match-words.ts'
import { countIn } from './postings.ts'

/** Documents that are looked at for the answer itself. */
const LOOKED_AT = 8

/** A document that may hold the answer. */
export interface LikelyAnswer {
  readonly id: string
  /** Share of the question's rarity that it holds itself or together with the turn it follows. */
  readonly share: number
  /** The turn before it in its session, if any. */
  readonly before: string | null
}

/** How well the documents match what was asked, on scales that do not depend on the other candidates. */
export interface Evidence {
  /** Documents looked at. */
  readonly documents: number
  /** Best match of one document's words, over the rarity of all that was asked; by the person asked about. */
  readonly words: number
  /** Share of that rarity in words that stand nowhere. */
  readonly unheard: number
  /** Terms of the question that stand nowhere, nor anything that surely means the same. */
  readonly unheardTerms: ReadonlySet<string>
  /** Of a question about one of several people: how far the best of theirs is ahead of the best of another's, as scores. */
  readonly aheadOfPeople: number
  /** Of a question about the person who talks with the agent: the same, ahead of what the agent tells of itself. */
  readonly aheadOfAgent: number
  /** Those that come first, best first. */
  readonly likely: readonly LikelyAnswer[]
}

/** Traits of a turn whose author speaks of themself and does not only ask. */
const OF_ITSELF = TextTrait.firstPerson | TextTrait.onlyAsks
const TELLS_OF_ITSELF = TextTrait.firstPerson
/** Terms of words that say what kind of answer is wanted. */
const OF_THE_ANSWER = new Set(
  [
    'name called title kind sort type time date number colour color breed job city',
    // Each alone: side by side their characters make pairs of their own.
    '名字',
    '颜色',
    '专业',
    '城市',
    '牌子',
    '地址',
    '时间',
    '日期',
    '号码',
  ].flatMap((words) => findTerms(words)),
)
/** How much of a word is heard in other words for it. */
const OTHERWISE = 0.5
/** A word that means the same, or a kind of it, is related to a word as surely as that: a cat is not as near to a dog. */
const SURELY = 0.5
const HAN_PAIR = /^\p{Script=Han}{2}$/u

/**
 * One pass over the documents: how good the best match is, and whether it was said by the person asked about.
 *
 * @param sums of all parts but the speaker's
 */
export function weighEvidence(matches: Matches, sums: Float64Array): Omit<Evidence, 'likely'> {
  const { counted, own, speakers, roleCode, rarity } = matches
  const isByName = speakers.size > 0
  const isOfSelf = !isByName && roleCode === ROLE_CODES.user
  const { length, roles, traits, speakers: speakerOf } = matches.table
  const { isAsked } = matches
  const best = { score: 0, words: 0, rivalScore: 0, rivalWords: 0 }
  let documents = 0
  const mayBeRival = isByName || isOfSelf
  for (let row = 0; row < length; row++) {
    if (counted[row] === 0) continue
    documents++
    const score = sums[row] as number
    const words = own[row] as number
    // An agent repeats what it was told, so only what it tells of itself speaks against the one it talks with.
    const isRival =
      mayBeRival &&
      (isByName
        ? roles[row] === ROLE_CODES.user && isAsked[speakerOf[row] ?? NONE] !== 1
        : roles[row] === ROLE_CODES.agent && ((traits[row] ?? 0) & OF_ITSELF) === TELLS_OF_ITSELF)
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
    documents: matches.whole?.documents ?? documents,
    words: (isByName ? best.words : Math.max(best.words, best.rivalWords)) / (rarity || 1),
    unheard: shareUnheard(matches),
    unheardTerms: new Set(matches.terms.filter(isUnheard).map(({ word }) => word)),
    aheadOfPeople: isByName ? ahead : 0,
    aheadOfAgent: isOfSelf ? ahead : 0,
  }
}

/** Those of the best rows, best first, that are looked at for the answer itself. */
export function findLikely(matches: Matches, rows: readonly number[]): LikelyAnswer[] {
  return rows.slice(0, LOOKED_AT).map((row) => new LikelyRow(matches, row))
}

/** A row that may hold the answer. Most questions are answered by any words, so ids are made when they are asked for. */
class LikelyRow implements LikelyAnswer {
  readonly share: number
  readonly #table: DocumentTable
  readonly #row: number

  constructor(matches: Matches, row: number) {
    this.share = shareHeld(matches, row)
    this.#table = matches.table
    this.#row = row
  }

  get id(): string {
    return this.#table.idOf(this.#row)
  }

  get before(): string | null {
    const before = this.#table.previous[this.#row] ?? NONE
    return before === NONE ? null : this.#table.idOf(before)
  }
}

function shareHeld({ table, terms, rarity }: Matches, row: number): number {
  const before = table.previous[row] ?? NONE
  const rows = before === NONE ? [row] : [row, before]
  let held = 0
  for (const term of terms) {
    const { list } = term
    if (list !== undefined && rows.some((one) => countIn(list, one) > 0)) held += term.rarity
    else if (rows.some((one) => saysOtherwise(term, one))) held += OTHERWISE * term.rarity
  }
  return held / (rarity || 1)
}

function saysOtherwise({ otherwise }: MatchedTerm, row: number): boolean {
  return otherwise.some(({ holds }) => holds[row] === 1)
}

/**
 * Words that stand nowhere, as a share. Those that only tell what kind of answer is wanted need not stand there (“What is the *name*
 * of …”), and pairs of Chinese characters of which one does grammatical work fall together by chance.
 */
function shareUnheard({ terms }: Matches): number {
  let all = 0
  let unheard = 0
  for (const { word, list, rarity, otherwise } of terms) {
    const isNowhere = list === undefined || list.size === 0
    if (isNowhere && (OF_THE_ANSWER.has(word) || isLoosePair(word))) continue
    all += rarity
    if (isNowhere)
      unheard += otherwise.some(({ rows }) => rows.length > 0) ? rarity * (1 - OTHERWISE) : rarity
  }
  return all === 0 ? 1 : unheard / all
}

function isUnheard({ list, surest }: MatchedTerm): boolean {
  return (list === undefined || list.size === 0) && surest < SURELY
}

function isLoosePair(word: string): boolean {
  return HAN_PAIR.test(word) && Array.from(word).some(isChineseFunctionCharacter)
}

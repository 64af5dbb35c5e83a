// Reads whom a question is about and what it asks of them, and whether statements of that person support it.
import {
  findTerms,
  readAskedPerson,
  segmentChinese,
  simplifyChinese,
  withIntroducedNames,
  type AskedPerson,
} from '@keepsake/text'
import type { Evidence, LikelyAnswer } from '@keepsake/search'
import type { StatedSentence } from '../user-state/analysed-text.ts'

/** A sentence that holds no more of a question shares a word with it by chance. */
const LEAST_HELD = 0.125
/** Matches questions whose answer is often said in other words: “What was Ana researching?”, but not “Is Ana married?” */
const ASKS_OPENLY =
  /^(?:what|which|why|how)\b(?! (?:many|much|old|long|often))|什么(?!时候)|怎么|为什么|如何|哪些/iu
/** Terms that say little of the matter of a question: a text with “get” alone says nothing of getting married. */
const LIGHT_TERMS = new Set(
  [
    'get gets got getting gotten go goes went going gone take takes took taken taking make makes made making',
    'happen happened happening know tell kind sort town village country place',
    ...'做 干 事 现在 目前 最近 知道 情况 怎样 那时 时候'.split(' '),
  ].flatMap((words) => findTerms(words)),
)

type Terms = Evidence['terms']

/** The terms of a question: those that name whom it is about, and those of its matter. */
export interface AskedMatter {
  readonly person: AskedPerson | null
  /** All terms; light ones have no rarity. */
  readonly terms: Terms
  /** By term: whether it names the person. */
  readonly isOfPerson: readonly boolean[]
  /** Share of the question's rarity that names the person. */
  readonly personShare: number
  /** Places of the terms that are words of the matter. */
  readonly words: readonly number[]
}

/** @param textsWith returns texts of turns that hold a word */
export function readAskedMatter(
  question: string,
  found: Terms,
  textsWith: (word: string) => readonly string[],
): AskedMatter {
  const person = findPerson(question, textsWith)
  const terms = weighTerms(found)
  const ofPerson = new Set(findTerms(person?.phrase ?? ''))
  const isOfPerson = terms.map(({ term }) => ofPerson.has(term))
  // A pair of Chinese characters need not be a word.
  const chinese = new Set((question.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) => segmentChinese(run)))
  const words = terms.flatMap(({ term, rarity }, at) =>
    rarity > 0 && isOfPerson[at] !== true && (chinese.size === 0 || chinese.has(term)) ? [at] : [],
  )
  return { person, terms, isOfPerson, personShare: shareOf(terms, isOfPerson.map(Number)), words }
}

/** Reads whom a question is about, with the names by which a text introduces the person. */
function findPerson(question: string, textsWith: (word: string) => readonly string[]): AskedPerson | null {
  const person = readAskedPerson(question)
  if (person === null || person.isSelf) return person
  const texts = person.words.split('|').flatMap((word) => textsWith(word))
  return withIntroducedNames(
    person,
    texts.map((text) => simplifyChinese(text)),
  )
}

/** Gives no weight to terms that say little, unless there are no others. */
function weighTerms(terms: Terms): Terms {
  const isLight = ({ term }: Terms[number]): boolean => LIGHT_TERMS.has(term)
  return terms.every(isLight) ? terms : terms.map((one) => (isLight(one) ? { ...one, rarity: 0 } : one))
}

/** Whether a question is about another person than the asker. */
export function isOfOther({ person }: AskedMatter): boolean {
  return person !== null && !person.isSelf
}

/** Finds the terms that texts say of another person alone, or in a wish: they are not said in other words elsewhere. */
export function findTermsOfAnother(
  { person, terms }: AskedMatter,
  likely: readonly LikelyAnswer[],
  stated: readonly StatedSentence[],
): boolean[] {
  return terms.map(
    ({ term }, at) => person !== null && likely.some(({ held }) => held[at] === 1) && !isStated(stated, term),
  )
}

/**
 * Whether what is stated of a person has the matter of a question, and does not only name the person.
 *
 * @param held share of the question that a statement holds
 */
export function supportsMatter(
  question: string,
  matter: AskedMatter,
  held: number,
  {
    stated,
    isOfAnother,
    isParticular,
  }: {
    readonly stated: readonly StatedSentence[]
    readonly isOfAnother: readonly boolean[]
    readonly isParticular: boolean
  },
): boolean {
  const { terms, personShare, words } = matter
  if (held <= LEAST_HELD) return false
  if (!isOfOther(matter) || held - personShare > LEAST_HELD * (1 - personShare)) return true
  if (words.length === 0 || words.some((at) => isStated(stated, terms[at]?.term ?? ''))) return true
  return !isParticular && ASKS_OPENLY.test(question) && !words.some((at) => isOfAnother[at])
}

/** Whether a statement has a term. */
export function isStated(stated: readonly StatedSentence[], term: string): boolean {
  return stated.some((sentence) => termsOf(sentence).includes(term))
}

export function termsOf(sentence: StatedSentence): readonly string[] {
  return (sentence.terms ??= findTerms(sentence.text))
}

/** Computes the share of the question's rarity that some text holds. */
export function shareOf(terms: Terms, held: readonly number[]): number {
  let [all, heldRarity] = [0, 0]
  for (const [index, { rarity }] of terms.entries()) {
    all += rarity
    heldRarity += rarity * (held[index] ?? 0)
  }
  return all === 0 ? 0 : heldRarity / all
}

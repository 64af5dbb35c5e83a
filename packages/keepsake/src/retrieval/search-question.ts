// Turns a question into a query for the search index, and reads texts and speakers of the index for it.
import type { RetrievalRecipe, SearchIndex, SearchOptions, SearchQuery, SearchResult } from '@keepsake/search'
import {
  findTerms,
  findTermsAgain,
  isChineseFunctionCharacter,
  namesOf,
  readQuestion,
  segmentChinese,
  type Participant,
  type ReadOptions,
  type ReadQuestion,
  type TalkNames,
} from '@keepsake/text'

export interface SearchQuestion {
  readonly read: ReadQuestion
  /** The embedding of `read.about` by the model that embedded the documents; `null` without one. */
  readonly vector: Float32Array | null
}

/** Terms of words that name the kind of answer asked for, such as “name” in “What is my dog's name?”. */
const ANSWER_TERMS = new Set(
  [
    'name called title kind sort type time date number age old colour color breed job city',
    // Chinese words are read one by one, since the characters of two neighbours would make a further pair.
    ...'名字 颜色 专业 城市 牌子 地址 时间 日期 号码'.split(' '),
  ].flatMap((words) => findTerms(words)),
)
const HAN_PAIR = /^\p{Script=Han}{2}$/u
const HAN_RUNS = /\p{Script=Han}+/gu

function participantsOf({ speakers }: SearchIndex): Participant[] {
  return speakers.map(({ name, isUser }) => ({ name, terms: findTermsAgain(name), isPerson: isUser }))
}

/** Returns the names of the speakers of an index. */
export function speakerNames(index: SearchIndex): TalkNames {
  return namesOf(participantsOf(index))
}

/** Counts the users who speak, as far as the labels of their turns show. */
export function countUsers({ speakers }: SearchIndex): number {
  return speakers.filter(({ isUser }) => isUser).length
}

/** Number of turns before a turn that are searched for the person whom its pronouns mean. */
const TURNS_BEFORE = 2

/** Returns the texts before a turn in its session, the nearest last. */
export function textsBeforeTurn(index: SearchIndex, id: string, textOf: (id: string) => string): string[] {
  const texts: string[] = []
  let before = index.turnBefore(id)
  while (before !== undefined && texts.length < TURNS_BEFORE) {
    texts.unshift(textOf(before))
    before = index.turnBefore(before)
  }
  return texts
}

/** Maximum number of texts in which the names of a person are searched. */
const MAX_NAMING_TEXTS = 64

/** Returns texts of turns that contain a word. */
export function textsWithWord(index: SearchIndex, word: string, textOf: (id: string) => string): string[] {
  return index.turnsWith(findTerms(word)).slice(0, MAX_NAMING_TEXTS).map(textOf)
}

/** Reads a question against the speakers of an index. */
export function readQuestionFor(index: SearchIndex, text: string, options: ReadOptions): ReadQuestion {
  return readQuestion(text, participantsOf(index), options)
}

export function searchIndex(
  index: SearchIndex,
  question: SearchQuestion,
  recipe: RetrievalRecipe,
  options: SearchOptions,
): SearchResult {
  return index.search(queryOf(question, recipe), recipe, options)
}

function queryOf({ read, vector }: SearchQuestion, recipe: RetrievalRecipe): SearchQuery {
  return {
    terms: read.terms,
    optionalTerms: findOptional(read),
    // Looking them up takes longer than reading the rest of a question, so only recipes that use them get them.
    relatedWords: recipe.readsOtherWords === true ? read.words : [],
    vector,
    speakers: read.named,
    role: read.role,
    expectedTraits: read.expected,
    timeRanges: read.ranges,
  }
}

/**
 * Finds the terms that an answer need not contain. Some name the kind of answer. Others are pairs of Chinese characters that are no word,
 * because one is a function word or because the two belong to different words.
 */
function findOptional({ terms, about }: ReadQuestion): Set<string> {
  const words = (about.match(HAN_RUNS) ?? []).flatMap((run) => segmentChinese(run))
  const isWord = (pair: string): boolean =>
    words.some((word) => word.includes(pair)) && !Array.from(pair).some(isChineseFunctionCharacter)
  return new Set(terms.filter((term) => ANSWER_TERMS.has(term) || (HAN_PAIR.test(term) && !isWord(term))))
}

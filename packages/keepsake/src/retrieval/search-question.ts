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

/** Terms of words that say what kind of answer is wanted. */
const ANSWER_TERMS = new Set(
  [
    'name called title kind sort type time date number age old colour color breed job city',
    // Each by itself: side by side their characters make pairs of their own.
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
const HAN_PAIR = /^\p{Script=Han}{2}$/u
const HAN_RUNS = /\p{Script=Han}+/gu

/** The speakers of an index, as a question can name them. */
function participantsOf({ speakers }: SearchIndex): Participant[] {
  return speakers.map(({ name, isUser }) => ({ name, terms: findTermsAgain(name), isPerson: isUser }))
}

/** What the speakers of an index are called. */
export function speakerNames(index: SearchIndex): TalkNames {
  return namesOf(participantsOf(index))
}

/** Counts the users who speak, as far as the labels of their turns show. */
export function countUsers({ speakers }: SearchIndex): number {
  return speakers.filter(({ isUser }) => isUser).length
}

/** Turns before a turn that may name whom its pronouns mean. */
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

/** Maximum of texts that are read for the names of a person. */
const MAX_NAMING_TEXTS = 64

/** Returns texts of turns that hold a word. */
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
    // Looked up only for recipes that use them: it takes longer than reading the rest of a question.
    relatedWords: recipe.readsOtherWords === true ? read.words : [],
    vector,
    speakers: read.named,
    role: read.role,
    expectedTraits: read.expected,
    timeRanges: read.ranges,
  }
}

/**
 * The terms that need not be said: those that name the kind of answer, and pairs of Chinese characters that are no word, because one of
 * them does grammatical work or because they stand in two words.
 */
function findOptional({ terms, about }: ReadQuestion): Set<string> {
  const words = (about.match(HAN_RUNS) ?? []).flatMap((run) => segmentChinese(run))
  const isWord = (pair: string): boolean =>
    words.some((word) => word.includes(pair)) && !Array.from(pair).some(isChineseFunctionCharacter)
  return new Set(terms.filter((term) => ANSWER_TERMS.has(term) || (HAN_PAIR.test(term) && !isWord(term))))
}

import type {
  RetrievalRecipe,
  SearchHit,
  SearchIndex,
  SearchOptions,
  SearchQuery,
  SearchResult,
} from '@keepsake/search'
import {
  findTerms,
  findTermsAgain,
  isChineseFunctionCharacter,
  namesOf,
  readQuestion,
  type Participant,
  type ReadOptions,
  type ReadQuestion,
  type TalkNames,
} from '@keepsake/text'

/** A question to search for. */
export interface SearchQuestion {
  readonly read: ReadQuestion
  /** The embedding of `read.about` by the model that embedded the documents; `null` without one. */
  readonly vector: Float32Array | null
}

/** Terms of words that say what kind of answer is wanted. */
const ANSWER_TERMS = new Set(
  [
    'name called title kind sort type time date number colour color breed job city',
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

/** Hits of several questions. */
export function searchEach(
  index: SearchIndex,
  questions: readonly SearchQuestion[],
  recipe: RetrievalRecipe,
  options: SearchOptions,
): (readonly SearchHit[])[] {
  return index.findEach(
    questions.map((question) => queryOf(question, recipe)),
    recipe,
    options,
  )
}

function queryOf({ read, vector }: SearchQuestion, recipe: RetrievalRecipe): SearchQuery {
  return {
    terms: read.terms,
    optionalTerms: new Set(read.terms.filter(isOptional)),
    // Looked up only for recipes that use them: it takes longer than reading the rest of a question.
    relatedWords: recipe.readsOtherWords === true ? read.words : [],
    vector,
    speakers: read.named,
    role: read.role,
    expectedTraits: read.expected,
    timeRanges: read.ranges,
  }
}

/** Whether a term need not be said: it names the kind of answer, or is a pair of Chinese characters of which one does grammatical work. */
function isOptional(term: string): boolean {
  return ANSWER_TERMS.has(term) || (HAN_PAIR.test(term) && Array.from(term).some(isChineseFunctionCharacter))
}

// A reader without a model, which answers with sentences of what was retrieved.
import { compareQuantities, hasQuantity } from '../text/compare-quantities.ts'
import { isAbstention } from '../text/is-abstention.ts'
import { hasWord, readContent, type Content } from '../text/read-content.ts'
import { asksWhen, asksWho } from '../text/read-question.ts'
import {
  partsOf,
  rankSentences,
  retrievedPassages,
  shareOf,
  weighParts,
  type RankedSentence,
} from './rank-sentences.ts'
import type { Reader, ReadingInput } from './reader.ts'

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Counts the words of a text in either language. */
export function wordCount(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).length
}

/** Cuts a text to the `limit` successive words that contain most words of the question. Among equal runs the middle one wins. */
function shorten(text: string, question: string, limit: number): string {
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true)
  if (words.length <= limit) return text
  const keys = [...readContent(question).words.keys()]
  const stretches = Array.from({ length: words.length - limit + 1 }, (_, start) => {
    const first = words[start]
    const last = words[start + limit - 1]
    return text.slice(first?.index ?? 0, (last?.index ?? 0) + (last?.segment.length ?? 0))
  })
  const scores = stretches.map((stretch) => {
    const content = readContent(stretch)
    return keys.filter((key) => hasWord(content, key)).length
  })
  const bestScore = Math.max(...scores)
  const best = stretches.filter((_, index) => scores[index] === bestScore)
  return best[Math.floor(best.length / 2)] ?? text
}

/** The version of the rules. Raise it with every change of a rule, because answers then differ. */
const VERSION = '2'

/** Maximum number of words of an answer. */
const MAX_WORDS = 40
/** The share of the question's weight that a sentence and its neighbours need. Below a third, words are shared by chance. */
const MIN_SUPPORT = 1 / 3
/** A further sentence is added if its score is at least this share of the best one. */
const MIN_SHARE_OF_BEST = 0.9

const ABSTENTION = { en: 'I do not know.', zh: '我不知道。' } as const

/** Copies the most relevant sentences, cut to 40 words, with day or speaker if the question asks for them. Otherwise it says that it does not know. */
export const extractiveReader: Reader = {
  name: 'extractive',
  kind: 'deterministic',
  version: VERSION,
  answer: async (input) => {
    const extracted = extract(input)
    const language = /\p{Script=Han}/u.test(input.question) ? 'zh' : 'en'
    return {
      answer: extracted ?? ABSTENTION[language],
      abstained: extracted === null,
      inputTokens: 0,
      outputTokens: 0,
    }
  },
  choose: async (input) => ({ choice: chooseOption(input), inputTokens: 0, outputTokens: 0 }),
}

function extract(input: ReadingInput): string | null {
  const ranked = rankSentences(input).filter(({ support }) => support >= MIN_SUPPORT)
  const [best] = ranked
  if (best === undefined) return null
  const first = withMarks(best, input.question)
  if (wordCount(first) > MAX_WORDS) return shorten(first, input.question, MAX_WORDS)
  const chosen = [best]
  let remainingWords = MAX_WORDS - wordCount(first)
  for (const sentence of ranked.slice(1)) {
    if (sentence.score < best.score * MIN_SHARE_OF_BEST) break
    const words = wordCount(withMarks(sentence, input.question))
    if (words > remainingWords) break
    if (!addsToAnswer(sentence, chosen, input.question)) continue
    chosen.push(sentence)
    remainingWords -= words
  }
  return chosen
    .toSorted((one, other) => one.index - other.index)
    .map((sentence, place, all) => {
      const marks = marksOf(sentence, input.question)
      const before = all[place - 1]
      const hasSameMarks = before?.speech === sentence.speech && marksOf(before, input.question) === marks
      return hasSameMarks ? sentence.sentence : `${marks}${sentence.sentence}`
    })
    .join(' ')
}

/** Reports whether a sentence is relevant by its own words, says something new, and adds no second day. */
function addsToAnswer(
  sentence: RankedSentence,
  chosen: readonly RankedSentence[],
  question: string,
): boolean {
  const [best] = chosen
  if (!sentence.isRelevant || sentence.isQuestion || sentence.speech.isFormer) return false
  if (needsLineDay(sentence, question) && sentence.line !== best?.line) return false
  const chosenContent = readContent(chosen.map((one) => one.sentence).join('\n'))
  const { words, quantities } = readContent(sentence.sentence)
  return (
    [...words.keys()].some((key) => !chosenContent.words.has(key)) ||
    quantities.some((one) => !hasQuantity(chosenContent.quantities, one))
  )
}

/** Reports whether the question asks for a time and only the line has a day. A weekday such as “Friday” is no day, because it recurs. */
function needsLineDay({ speech, sentence }: RankedSentence, question: string): boolean {
  if (speech.date === null || !asksWhen(question)) return false
  return readContent(sentence).quantities.every(
    ({ kind }) => kind !== 'year' && kind !== 'month' && kind !== 'day',
  )
}

/** Matches words that mean the speaker: “I”, 我. Such a sentence needs its speaker. */
const FIRST_PERSON = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Uu]s|[Oo]urs?)\b|[我咱俺]/u

/** Puts the needed day and speaker before a sentence. */
function withMarks(sentence: RankedSentence, question: string): string {
  return `${marksOf(sentence, question)}${sentence.sentence}`
}

/** Returns the day and speaker that a sentence needs before it. */
function marksOf(sentence: RankedSentence, question: string): string {
  const { speech } = sentence
  if (speech.isFormer && speech.date !== null) return `before ${speech.date}: `
  const day = needsLineDay(sentence, question) ? speech.date : null
  const speaker = asksWho(question) || FIRST_PERSON.test(sentence.sentence) ? speech.speaker : null
  return [day, speaker].map((mark) => (mark === null ? '' : `${mark}: `)).join('')
}

/** Chooses the option whose own words a passage supports best. If none is supported, it chooses the option that says “unknown”. */
function chooseOption(input: ReadingInput & { readonly choices: readonly string[] }): number {
  const passages = retrievedPassages(input)
  const contents = passages.map(({ prefix, passage }) => readContent(`${prefix} ${passage}`))
  const passageContents = passages.map(({ passage }) => readContent(passage))
  const question = readContent(input.question)
  const options = input.choices.map(readContent)
  const supportOfOptions = options.map((option) => {
    const isInAllOptions = (part: ReturnType<typeof partsOf>[number]): boolean =>
      options.length > 1 && options.every((other) => part.isIn(other))
    const parts = partsOf(option).filter((part) => !isInAllOptions(part))
    const weights = weighParts(parts, contents)
    const shares = contents.map((passage, index) => {
      if (contradicts(passageContents[index] ?? passage, option)) return 0
      return shareOf(weights, passage) * (1 + questionShare(question, passage))
    })
    return Math.max(0, ...shares)
  })
  const best = Math.max(0, ...supportOfOptions)
  if (best > 0) return supportOfOptions.indexOf(best)
  return Math.max(0, input.choices.findIndex(isAbstention))
}

/** Reports whether a passage contradicts an option: it has another number, or one of both denies most of their shared words. */
function contradicts(passage: Content, option: Content): boolean {
  if (compareQuantities(option.quantities, passage.quantities).conflicting.length > 0) return true
  const shared = [...option.words.values()].flatMap(({ key, denied }) => {
    const deniedHere = passage.words.get(key)?.denied
    return deniedHere === undefined ? [] : [[...denied].some((one) => deniedHere.has(one))]
  })
  return shared.length > 0 && shared.filter((agrees) => !agrees).length * 2 > shared.length
}

function questionShare(question: Content, passage: Content): number {
  const questionKeys = [...question.words.keys()]
  return questionKeys.length === 0
    ? 0
    : questionKeys.filter((key) => hasWord(passage, key)).length / questionKeys.length
}

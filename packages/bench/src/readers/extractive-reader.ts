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

/** Words of a text in either language. */
export function wordCount(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).length
}

/** The run of at most `limit` words with most words of the question; of equals the middle one, since the answer may precede or follow. */
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
  const most = Math.max(...scores)
  const best = stretches.filter((_, place) => scores[place] === most)
  return best[Math.floor(best.length / 2)] ?? text
}

const VERSION = '2'

const MAX_WORDS = 40
/**
 * Share of the question's weight that a sentence and its neighbours must contain. Answers do not repeat all of its words (“what kind”, “did
 * … decide”), so half would be too much; below a third, sentences share words by chance.
 */
const MIN_SUPPORT = 1 / 3
/** A further sentence joins the answer when it is nearly as relevant as the best. */
const MIN_SHARE_OF_BEST = 0.9

const ABSTENTION = { en: 'I do not know.', zh: '我不知道。' } as const

/**
 * A reader without a model: it answers with the most relevant sentences of the context, cut to 40 words, or that it does not know. Asked
 * for a time, it adds the line's day to a sentence without one; asked for a person, or where the sentence says “I”, the speaker. It copies
 * and never infers, the same for every system.
 */
export const extractiveReader: Reader = {
  name: 'extractive',
  kind: 'deterministic',
  version: VERSION,
  answer: async (input) => {
    const found = extract(input)
    const language = /\p{Script=Han}/u.test(input.question) ? 'zh' : 'en'
    return {
      answer: found ?? ABSTENTION[language],
      abstained: found === null,
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

/** It is relevant by its own words, adds something new, and offers no second day. */
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

/** Whether its line's day is its only one, where a time is asked for; “Friday” is a day of any week. */
function needsLineDay({ speech, sentence }: RankedSentence, question: string): boolean {
  if (speech.date === null || !asksWhen(question)) return false
  return readContent(sentence).quantities.every(
    ({ kind }) => kind !== 'year' && kind !== 'month' && kind !== 'day',
  )
}

/** Without its speaker it is about no known person. */
const FIRST_PERSON = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Uu]s|[Oo]urs?)\b|[我咱俺]/u

function withMarks(sentence: RankedSentence, question: string): string {
  return `${marksOf(sentence, question)}${sentence.sentence}`
}

/** The line's marks that a sentence needs. */
function marksOf(sentence: RankedSentence, question: string): string {
  const { speech } = sentence
  if (speech.isFormer && speech.date !== null) return `before ${speech.date}: `
  const day = needsLineDay(sentence, question) ? speech.date : null
  const speaker = asksWho(question) || FIRST_PERSON.test(sentence.sentence) ? speech.speaker : null
  return [day, speaker].map((mark) => (mark === null ? '' : `${mark}: `)).join('')
}

/**
 * Chooses the option that one place of the context supports best: the share of its own words and numbers there, raised by the question's
 * share. Words of all options do not count. Without support, the option that says it cannot be known, else the first.
 */
function chooseOption(input: ReadingInput & { readonly choices: readonly string[] }): number {
  const passages = retrievedPassages(input)
  const contents = passages.map(({ prefix, passage }) => readContent(`${prefix} ${passage}`))
  const passageContents = passages.map(({ passage }) => readContent(passage))
  const question = readContent(input.question)
  const options = input.choices.map(readContent)
  const supportOfOptions = options.map((option) => {
    const parts = partsOf(option).filter(
      (part) => options.length < 2 || !options.every((other) => part.isIn(other)),
    )
    const weights = weighParts(parts, contents)
    const shares = contents.map((place, index) =>
      contradicts(passageContents[index] ?? place, option)
        ? 0
        : shareOf(weights, place) * (1 + questionShare(question, place)),
    )
    return Math.max(0, ...shares)
  })
  const best = Math.max(0, ...supportOfOptions)
  if (best > 0) return supportOfOptions.indexOf(best)
  return Math.max(0, input.choices.findIndex(isAbstention))
}

/**
 * By its own words, not its line's day: another number in place of the option's, or most common words affirmed by one and denied by the
 * other.
 */
function contradicts(place: Content, option: Content): boolean {
  if (compareQuantities(option.quantities, place.quantities).conflicting.length > 0) return true
  const shared = [...option.words.values()].flatMap(({ key, denied }) => {
    const deniedHere = place.words.get(key)?.denied
    return deniedHere === undefined ? [] : [[...denied].some((one) => deniedHere.has(one))]
  })
  return shared.length > 0 && shared.filter((agrees) => !agrees).length * 2 > shared.length
}

/** Share of the question's words that it contains. */
function questionShare(question: Content, place: Content): number {
  const asked = [...question.words.keys()]
  return asked.length === 0 ? 0 : asked.filter((key) => hasWord(place, key)).length / asked.length
}

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
  const asked = [...readContent(question).words.keys()]
  const stretches = Array.from({ length: words.length - limit + 1 }, (_, start) => {
    const first = words[start]
    const last = words[start + limit - 1]
    return text.slice(first?.index ?? 0, (last?.index ?? 0) + (last?.segment.length ?? 0))
  })
  const scores = stretches.map((stretch) => {
    const content = readContent(stretch)
    return asked.filter((key) => hasWord(content, key)).length
  })
  const most = Math.max(...scores)
  const best = stretches.filter((_, place) => scores[place] === most)
  return best[Math.floor(best.length / 2)] ?? text
}

const VERSION = '2'

const MOST_WORDS = 40
/**
 * Share of the question's weight that a sentence and its neighbours must contain. Answers do not repeat all of its words (“what kind”, “did
 * … decide”), so half would be too much; below a third, sentences share words by chance.
 */
const LEAST_SUPPORT = 1 / 3
/** A further sentence joins the answer when it is nearly as relevant as the best. */
const NEARLY = 0.9

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
  const ranked = rankSentences(input).filter(({ support }) => support >= LEAST_SUPPORT)
  const [best] = ranked
  if (best === undefined) return null
  const first = withMarks(best, input.question)
  if (wordCount(first) > MOST_WORDS) return shorten(first, input.question, MOST_WORDS)
  const chosen = [best]
  let room = MOST_WORDS - wordCount(first)
  for (const sentence of ranked.slice(1)) {
    if (sentence.score < best.score * NEARLY) break
    const words = wordCount(withMarks(sentence, input.question))
    if (words > room) break
    if (!joins(sentence, chosen, input.question)) continue
    chosen.push(sentence)
    room -= words
  }
  return chosen
    .toSorted((one, other) => one.place - other.place)
    .map((sentence, place, all) => {
      const marks = marksOf(sentence, input.question)
      const before = all[place - 1]
      const isTold = before?.said === sentence.said && marksOf(before, input.question) === marks
      return isTold ? sentence.sentence : `${marks}${sentence.sentence}`
    })
    .join(' ')
}

/** It is relevant by its own words, adds something new, and offers no second day. */
function joins(sentence: RankedSentence, chosen: readonly RankedSentence[], question: string): boolean {
  const [best] = chosen
  if (!sentence.bears || sentence.asks || sentence.said.isFormer) return false
  if (lacksDay(sentence, question) && sentence.line !== best?.line) return false
  const chosenContent = readContent(chosen.map((one) => one.sentence).join('\n'))
  const { words, quantities } = readContent(sentence.sentence)
  return (
    [...words.keys()].some((key) => !chosenContent.words.has(key)) ||
    quantities.some((one) => !hasQuantity(chosenContent.quantities, one))
  )
}

/** Whether its line's day is its only one, where a time is asked for; “Friday” is a day of any week. */
function lacksDay({ said, sentence }: RankedSentence, question: string): boolean {
  if (said.date === null || !asksWhen(question)) return false
  return readContent(sentence).quantities.every(
    ({ kind }) => kind !== 'year' && kind !== 'month' && kind !== 'day',
  )
}

/** Without its speaker it is about no known person. */
const SPEAKS_OF_SELF = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Uu]s|[Oo]urs?)\b|[我咱俺]/u

function withMarks(sentence: RankedSentence, question: string): string {
  return `${marksOf(sentence, question)}${sentence.sentence}`
}

/** The line's marks that a sentence needs. */
function marksOf(sentence: RankedSentence, question: string): string {
  const { said } = sentence
  if (said.isFormer && said.date !== null) return `before ${said.date}: `
  const day = lacksDay(sentence, question) ? said.date : null
  const speaker = asksWho(question) || SPEAKS_OF_SELF.test(sentence.sentence) ? said.speaker : null
  return [day, speaker].map((mark) => (mark === null ? '' : `${mark}: `)).join('')
}

/**
 * Chooses the option that one place of the context supports best: the share of its own words and numbers there, raised by the question's
 * share. Words of all options do not count. Without support, the option that says it cannot be known, else the first.
 */
function chooseOption(input: ReadingInput & { readonly choices: readonly string[] }): number {
  const passages = retrievedPassages(input)
  const places = passages.map(({ lead, passage }) => readContent(`${lead} ${passage}`))
  const plain = passages.map(({ passage }) => readContent(passage))
  const question = readContent(input.question)
  const options = input.choices.map(readContent)
  const supports = options.map((option) => {
    const parts = partsOf(option).filter(
      (part) => options.length < 2 || !options.every((other) => part.isIn(other)),
    )
    const weights = weighParts(parts, places)
    const shares = places.map((place, index) =>
      speaksAgainst(plain[index] ?? place, option)
        ? 0
        : shareOf(weights, place) * (1 + bearing(question, place)),
    )
    return Math.max(0, ...shares)
  })
  const best = Math.max(0, ...supports)
  if (best > 0) return supports.indexOf(best)
  return Math.max(0, input.choices.findIndex(isAbstention))
}

/**
 * By its own words, not its line's day: another number in place of the option's, or most common words affirmed by one and denied by the
 * other.
 */
function speaksAgainst(place: Content, option: Content): boolean {
  if (compareQuantities(option.quantities, place.quantities).conflicting.length > 0) return true
  const shared = [...option.words.values()].flatMap(({ key, denied }) => {
    const there = place.words.get(key)?.denied
    return there === undefined ? [] : [[...denied].some((one) => there.has(one))]
  })
  return shared.length > 0 && shared.filter((agrees) => !agrees).length * 2 > shared.length
}

/** Share of the question's words that it contains. */
function bearing(question: Content, place: Content): number {
  const asked = [...question.words.keys()]
  return asked.length === 0 ? 0 : asked.filter((key) => hasWord(place, key)).length / asked.length
}

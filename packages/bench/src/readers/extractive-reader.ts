import { hasQuantity } from '../text/compare-quantities.ts'
import { readContent } from '../text/read-content.ts'
import { asksWhen, asksWho } from '../text/read-question.ts'
import { chooseOption } from './choose-option.ts'
import { rankSentences, type RankedSentence } from './rank-sentences.ts'
import type { Reader, ReadingInput } from './reader.ts'
import { shorten, wordCount } from './shorten.ts'

/** Raised with every change of a rule. */
const VERSION = '2'

/** Of an answer. */
const MOST_WORDS = 40
/**
 * Share of the question's weight that a sentence and its neighbours have to hold. A question has words that its answer does not repeat (“what
 * kind”, “did … decide”), so that half would be too much; below a third, two sentences of one person's talk share as much by chance.
 */
const LEAST_SUPPORT = 1 / 3
/** A further sentence joins the answer when it bears on the question nearly as much as the best. */
const NEARLY = 0.9

const ABSTENTION = { en: 'I do not know.', zh: '我不知道。' } as const

/**
 * A reader without a model: it answers with the sentence or sentences of the context that bear most on the question,
 * cut to 40 words, and says that it does not know when none bears on it. Asked for a time, it puts the day of the line before a
 * sentence that has none; asked for a person, or where the sentence says “I”, the speaker. It copies and never infers: what takes two memories, reckoning or
 * another wording it misses, the same for every system.
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

/** It bears by its own words, says something that the answer does not say yet, and offers no second day. */
function joins(sentence: RankedSentence, chosen: readonly RankedSentence[], question: string): boolean {
  const [best] = chosen
  if (!sentence.bears || sentence.asks || sentence.said.isFormer) return false
  if (lacksDay(sentence, question) && sentence.line !== best?.line) return false
  const told = readContent(chosen.map((one) => one.sentence).join('\n'))
  const { words, quantities } = readContent(sentence.sentence)
  return (
    [...words.keys()].some((key) => !told.words.has(key)) ||
    quantities.some((one) => !hasQuantity(told.quantities, one))
  )
}

/** Whether the day of its line is the only one it has, where a time is asked for; “Friday” is a day of any week. */
function lacksDay({ said, sentence }: RankedSentence, question: string): boolean {
  if (said.date === null || !asksWhen(question)) return false
  return readContent(sentence).quantities.every(
    ({ kind }) => kind !== 'year' && kind !== 'month' && kind !== 'day',
  )
}

/** Without its speaker it tells of nobody. */
const SPEAKS_OF_SELF = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Uu]s|[Oo]urs?)\b|[我咱俺]/u

function withMarks(sentence: RankedSentence, question: string): string {
  return `${marksOf(sentence, question)}${sentence.sentence}`
}

/** The marks of its line that a sentence is nothing without. */
function marksOf(sentence: RankedSentence, question: string): string {
  const { said } = sentence
  if (said.isFormer && said.date !== null) return `before ${said.date}: `
  const day = lacksDay(sentence, question) ? said.date : null
  const speaker = asksWho(question) || SPEAKS_OF_SELF.test(sentence.sentence) ? said.speaker : null
  return [day, speaker].map((mark) => (mark === null ? '' : `${mark}: `)).join('')
}

import type { AnswerInput } from '../judge.ts'
import type { ContentComparison } from '../../text/compare-content.ts'
import { compareQuantities, showQuantity } from '../../text/compare-quantities.ts'
import { isHedged, isVague } from '../../text/find-marks.ts'
import { readContent, type Content } from '../../text/read-content.ts'
import { asksNumber, asksWhen } from '../../text/read-question.ts'
import { withoutRelativeTime } from '../../text/relative-time.ts'
import { isInFrame, otherValues, otherWords, type QuestionContext } from './answer-frame.ts'
import { list, quote } from './explain.ts'
import { isDatePart, type ReadAnswer } from './read-answer.ts'
import { PART_SHARE } from './hold-statement.ts'

/** A value has at most this many words. A longer reference is a clause, which may be rephrased. */
const MAX_VALUE_WORDS = 3

/**
 * Evidence of another value of the same kind in an answer without the whole reference: another number or date where that is asked, or in
 * the reference's own words; another name; or a short wrong value. `null` without evidence: then something is omitted.
 */
export function findOtherValue(
  input: AnswerInput,
  context: QuestionContext,
  elements: readonly ContentComparison[],
  answer: ReadAnswer,
): string | null {
  const quantity = otherQuantity(input.question, context, answer)
  if (quantity !== null) return `it has another value: ${quantity}`
  if (answer.sentences.some(({ text }) => isVague(text) || isHedged(text))) return null
  const others = elements.every(({ share }) => (share ?? 0) === 0)
    ? otherShortValue(input, context, answer)
    : otherName(context, elements, answer)
  return others === null ? null : `it has another value: ${list(others)}`
}

function otherQuantity(
  question: string,
  context: QuestionContext,
  { sentences, content }: ReadAnswer,
): string | null {
  const { reference } = context
  const isValue = [...reference.words.keys()].every((key) => context.question.words.has(key))
  const all = compareQuantities(reference.quantities, content.quantities)
  const absent = new Set([...all.conflicting.map(({ expected }) => expected), ...all.missing])
  for (const sentence of sentences) {
    const { conflicting } = compareQuantities(reference.quantities, sentence.offered)
    const pair = conflicting.find(({ expected }) => {
      if (!absent.has(expected)) return false
      const isAsked = expected.kind === 'number' ? asksNumber(question) : asksWhen(question)
      return (
        isAsked ||
        isValue ||
        hasMostWordsOf(reference, sentence.content) ||
        isInFrame(sentence.content, context)
      )
    })
    if (pair !== undefined)
      return `${showQuantity(pair.expected)} ≠ ${showQuantity(pair.found)} in ${quote(sentence.text)}`
  }
  return null
}

function hasMostWordsOf(reference: Content, said: Content): boolean {
  const words = [...reference.words.keys()]
  return (
    words.length > 0 &&
    words.filter((key) => said.words.has(key) || said.plain.includes(key)).length / words.length > PART_SHARE
  )
}

/**
 * A few new words, alone or with most of the question's. Where a date or number is asked for, words are no value; otherwise words of time
 * are none.
 */
function otherShortValue(
  { question }: AnswerInput,
  context: QuestionContext,
  { sentences }: ReadAnswer,
): string[] | null {
  const { words, quantities } = context.reference
  const isCounted = quantities.length > 0 && [...words.keys()].every((key) => context.question.words.has(key))
  if (isCounted && (asksWhen(question) || asksNumber(question) || quantities.some(isDatePart))) return null
  const text = sentences.map((sentence) => sentence.text).join('\n')
  const answerContent = readContent(asksWhen(question) ? text : withoutRelativeTime(text))
  const others = otherValues(answerContent, context)
  const isBare = answerContent.words.size + answerContent.quantities.length <= MAX_VALUE_WORDS
  const isShort = others.length <= MAX_VALUE_WORDS && words.size + quantities.length <= MAX_VALUE_WORDS
  return others.length > 0 && (isBare || (isShort && isInFrame(answerContent, context))) ? others : null
}

/** Another name in a short sentence that is otherwise about the same. */
function otherName(
  context: QuestionContext,
  elements: readonly ContentComparison[],
  { sentences }: ReadAnswer,
): string[] | null {
  const missing = new Set(elements.flatMap((element) => element.missing))
  const lacksName = [...context.reference.words.values()].some(
    ({ surface, isName, isLeading }) => (isName || isLeading) && missing.has(surface),
  )
  const [sentence] = sentences
  if (!lacksName || sentence === undefined || sentences.length > 1) return null
  const others = otherWords(sentence.content, context)
  const names = [...sentence.content.words.values()].filter(
    ({ surface, isName }) => isName && others.includes(surface),
  )
  return names.length === 0 || others.length > MAX_VALUE_WORDS ? null : names.map(({ surface }) => surface)
}

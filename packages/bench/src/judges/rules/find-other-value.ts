import type { AnswerInput } from '../judge.ts'
import type { ContentComparison } from '../../text/compare-content.ts'
import { compareQuantities, showQuantity } from '../../text/compare-quantities.ts'
import { isHedged, isVague } from '../../text/find-marks.ts'
import { readContent, type Content } from '../../text/read-content.ts'
import { asksNumber, asksWhen } from '../../text/read-question.ts'
import { withoutRelativeTime } from '../../text/relative-time.ts'
import { isAboutQuestion, otherValues, otherWords, type QuestionContext } from './answer-frame.ts'
import { list, quote } from './explain.ts'
import { isDatePart, type ReadAnswer } from './read-answer.ts'
import { PART_SHARE } from './match-statement.ts'

/** Maximum number of words of a value. A longer reference is a clause, which may be rephrased. */
const MAX_VALUE_WORDS = 3

/** Finds another number, date, name or few other words in place of a missing part. `null`: the answer omits something. */
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

/** Finds another number or date in place of an expected one, if the question asks for it or the sentence is about it. */
function otherQuantity(
  question: string,
  context: QuestionContext,
  { sentences, content }: ReadAnswer,
): string | null {
  const { reference } = context
  const isBareValue = [...reference.words.keys()].every((key) => context.question.words.has(key))
  const inWholeAnswer = compareQuantities(reference.quantities, content.quantities)
  const conflictingInAnswer = inWholeAnswer.conflicting.map(({ expected }) => expected)
  const absent = new Set([...conflictingInAnswer, ...inWholeAnswer.missing])
  for (const sentence of sentences) {
    const isRelevant =
      isBareValue || hasMostWordsOf(reference, sentence.content) || isAboutQuestion(sentence.content, context)
    const { conflicting } = compareQuantities(reference.quantities, sentence.offered)
    const pair = conflicting.find(({ expected }) => {
      const isAsked = expected.kind === 'number' ? asksNumber(question) : asksWhen(question)
      return absent.has(expected) && (isAsked || isRelevant)
    })
    if (pair !== undefined)
      return `${showQuantity(pair.expected)} ≠ ${showQuantity(pair.found)} in ${quote(sentence.text)}`
  }
  return null
}

/** Reports whether a sentence has more than half of the reference's words. */
function hasMostWordsOf(reference: Content, sentence: Content): boolean {
  const keys = [...reference.words.keys()]
  const shared = keys.filter((key) => sentence.words.has(key) || sentence.plain.includes(key))
  return keys.length > 0 && shared.length / keys.length > PART_SHARE
}

/** Finds a few new words alone, or with most of the question's words. Words of time count only if the question asks for a time. */
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
  return others.length > 0 && (isBare || (isShort && isAboutQuestion(answerContent, context))) ? others : null
}

/** Finds another name, if the answer is one short sentence and lacks the name of the reference. */
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

import type { AnswerInput, AnswerOutcome, Verdict } from '../judge.ts'
import { compareContent, type ContentComparison } from '../../text/compare-content.ts'
import { isAbstention } from '../../text/is-abstention.ts'
import { sentencesOf } from '../../text/passages.ts'
import { hasQuantity } from '../../text/compare-quantities.ts'
import { plainOf, readContent, type Content } from '../../text/read-content.ts'
import { readYesNo } from '../../text/read-yes-no.ts'
import { readQuestionContext, type QuestionContext } from './answer-frame.ts'
import { explain } from './explain.ts'
import { findContradiction, findDenial, findDoubt, isSensePlain } from './find-contradiction.ts'
import { findOtherValue } from './find-other-value.ts'
import { listElements } from './list-elements.ts'
import { isFixedPart, readAnswer, type ReadAnswer } from './read-answer.ts'
import { FULL_SHARE } from './match-statement.ts'

type AnswerVerdict = Verdict<AnswerOutcome>

/**
 * Judges an answer by its words (HaluMem's question answering, figures 17 and 18). The answer must contain what the reference says beyond
 * the question: each element of a list, every number, date and name, and {@link FULL_SHARE} of the other words.
 *
 * - `correct`: it contains all that and does not contradict it ({@link findContradiction}). Extra statements do no harm.
 * - `hallucinated`: it contradicts that, or lacks something and has another value instead ({@link findOtherValue}).
 * - `omitted`: it lacks something, or leaves it uncertain.
 *
 * For an unanswerable question an abstention is `correct`, and anything else `hallucinated`. {@link readAnswer} explains how the days of
 * quoted lines count.
 */
export function judgeAnswer(input: AnswerInput): AnswerVerdict {
  if (input.answer.trim() === '') return { verdict: 'omitted', reason: 'it is empty' }
  const abstains = isAbstention(input.answer)
  if (!input.answerable || isAbstention(input.reference))
    return abstains
      ? { verdict: 'correct', reason: 'it says that it does not know, and the question has no answer' }
      : { verdict: 'hallucinated', reason: 'it answers a question without an answer' }
  if (plainOf(input.answer) === plainOf(input.reference))
    return { verdict: 'correct', reason: 'it is the reference itself' }
  if (abstains) return { verdict: 'omitted', reason: 'it says that it does not know' }
  return judgeYesNo(input) ?? judgeElements(input)
}

/** Judges by the yes or no that the reference begins with. `null`: the other words decide. */
function judgeYesNo({ question, reference, answer }: AnswerInput): AnswerVerdict | null {
  const expectedYes = readYesNo(reference)
  if (expectedYes === null) return null
  const answersYes = readYesNo(answer) ?? impliedYesNo(question, answer)
  if (answersYes === null)
    return { verdict: 'omitted', reason: 'the reference says yes or no, the answer neither' }
  const expectedWord = expectedYes ? 'yes' : 'no'
  const answerWord = answersYes ? 'yes' : 'no'
  if (answersYes !== expectedYes)
    return { verdict: 'hallucinated', reason: `the reference says ${expectedWord}, the answer ${answerWord}` }
  const { words, quantities } = readContent(reference)
  const questionWords = readContent(question).words
  const isBare = quantities.length === 0 && [...words.keys()].every((key) => questionWords.has(key))
  return isBare ? { verdict: 'correct', reason: `both say ${expectedWord}` } : null
}

/** Reads a yes or no from a sentence that repeats the whole question. It is yes if the sentence affirms it, and no if it denies it. */
function impliedYesNo(question: string, answer: string): boolean | null {
  const expected = readContent(question)
  const comparisons = sentencesOf(answer).map((sentence) => compareContent(expected, readContent(sentence)))
  const denies = ({ share, contradicts, opposedShare }: ContentComparison): boolean =>
    contradicts && (share ?? 0) + opposedShare >= FULL_SHARE
  if (comparisons.some(denies)) return false
  return comparisons.some(({ share }) => (share ?? 0) >= FULL_SHARE) ? true : null
}

/** Judges by the elements of the reference: the parts of a list, or the whole. */
function judgeElements(input: AnswerInput): AnswerVerdict {
  const context = readQuestionContext(input)
  const answer = readAnswer(input.question, input.reference, input.answer)
  const elements = listElements(input.reference).map((element) => compareElement(element, context, answer))
  const reason = elements.map(explain).join(' | ')
  if (elements.every(({ isWhole }) => isWhole)) {
    const contradiction = findContradiction(input, context, answer)
    if (contradiction !== null) return { verdict: 'hallucinated', reason: `${contradiction}; ${reason}` }
    const doubt = findDoubt(input, elements, answer)
    return doubt === null
      ? { verdict: 'correct', reason }
      : { verdict: 'omitted', reason: `${doubt}; ${reason}` }
  }
  const other = findDenial(input, context, answer) ?? findOtherValue(input, context, elements, answer)
  if (other !== null) return { verdict: 'hallucinated', reason: `${other}; ${reason}` }
  return { verdict: 'omitted', reason: `the answer lacks a part of the reference: ${reason}` }
}

/** Compares an element of the reference with the answer. Words of the question prove nothing, unless the element has no others. */
function compareElement(
  element: string,
  context: QuestionContext,
  answer: ReadAnswer,
): ContentComparison & { isWhole: boolean } {
  const { question } = context
  const elementContent = readContent(element)
  const expected = isSensePlain(context, answer) ? elementContent : withoutSense(elementContent)
  const beyondQuestion = compareContent(expected, answer.content, { without: new Set(question.words.keys()) })
  const comparison = beyondQuestion.share === null ? compareContent(expected, answer.content) : beyondQuestion
  const { share, lacksValue, opposed } = comparison
  const isWhole =
    (share ?? 1) >= FULL_SHARE && !lacksValue && opposed.length === 0 && hasDateTogether(expected, answer)
  return { ...comparison, isWhole }
}

/** Makes every word match whether it is affirmed or denied. */
function withoutSense(content: Content): Content {
  const denied = new Set([true, false])
  return { ...content, words: new Map([...content.words].map(([key, word]) => [key, { ...word, denied }])) }
}

/** Reports whether one sentence has year, month and day of the expected date together. */
function hasDateTogether({ quantities }: Content, { sentences }: ReadAnswer): boolean {
  const parts = quantities.filter(isFixedPart)
  const hasSeveralDates = new Set(parts.map(({ kind }) => kind)).size < parts.length
  if (parts.length === 0 || hasSeveralDates) return true
  return sentences.some(({ values }) => parts.every((part) => hasQuantity(values, part)))
}

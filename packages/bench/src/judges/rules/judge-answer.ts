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
import { FULL_SHARE } from './hold-statement.ts'

type AnswerVerdict = Verdict<AnswerOutcome>

/**
 * HaluMem's question answering (its figures 17 and 18) by words. What the reference says beyond the question has to be in the answer: each
 * element of a list, every number, date and name, and {@link FULL_SHARE} of the rest. An answer that has it is `correct` whatever else it says,
 * unless that contradicts it ({@link findContradiction}) or leaves it open. One that lacks something is `hallucinated` on evidence of
 * another value or a denial ({@link findOtherValue}), else `omitted`. Where nothing answers the question, not to know is right and all else
 * `hallucinated`. Of the days that quoted lines are marked with see {@link readAnswer}.
 */
export function judgeAnswer(input: AnswerInput): AnswerVerdict {
  if (input.answer.trim() === '') return { verdict: 'omitted', reason: 'it says nothing' }
  const abstains = isAbstention(input.answer)
  if (!input.answerable || isAbstention(input.reference))
    return abstains
      ? { verdict: 'correct', reason: 'it says that it does not know, and nothing answers the question' }
      : { verdict: 'hallucinated', reason: 'it answers what nothing answers' }
  if (plainOf(input.answer) === plainOf(input.reference))
    return { verdict: 'correct', reason: 'it is the reference itself' }
  if (abstains) return { verdict: 'omitted', reason: 'it says that it does not know' }
  return judgeYesNo(input) ?? judgeElements(input)
}

/** Judges by a yes or no at the beginning of the reference; `null` when the other words decide. */
function judgeYesNo({ question, reference, answer }: AnswerInput): AnswerVerdict | null {
  const expectedYes = readYesNo(reference)
  if (expectedYes === null) return null
  const answersYes = readYesNo(answer) ?? impliedYesNo(question, answer)
  if (answersYes === null)
    return { verdict: 'omitted', reason: 'the reference says yes or no, the answer neither' }
  const [said, wanted] = [answersYes, expectedYes].map((isYes) => (isYes ? 'yes' : 'no'))
  if (answersYes !== expectedYes)
    return { verdict: 'hallucinated', reason: `the reference says ${wanted}, the answer ${said}` }
  const { words, quantities } = readContent(reference)
  const questionWords = readContent(question).words
  const isBare = quantities.length === 0 && [...words.keys()].every((key) => questionWords.has(key))
  return isBare ? { verdict: 'correct', reason: `both say ${wanted}` } : null
}

/** A sentence that contains the whole question answers yes when it affirms it, and no when it denies it. */
function impliedYesNo(question: string, answer: string): boolean | null {
  const expected = readContent(question)
  const compared = sentencesOf(answer).map((sentence) => compareContent(expected, readContent(sentence)))
  const reverses = ({ share, contradicts, opposedShare }: ContentComparison): boolean =>
    contradicts && (share ?? 0) + opposedShare >= FULL_SHARE
  if (compared.some(reverses)) return false
  return compared.some(({ share }) => (share ?? 0) >= FULL_SHARE) ? true : null
}

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
  return { verdict: 'omitted', reason: `not all of the reference is there: ${reason}` }
}

/** The question's words prove nothing, unless the element has no others. */
function compareElement(
  element: string,
  context: QuestionContext,
  answer: ReadAnswer,
): ContentComparison & { isWhole: boolean } {
  const { question } = context
  const read = readContent(element)
  const expected = isSensePlain(context, answer) ? read : withoutSense(read)
  const beyondQuestion = compareContent(expected, answer.content, { without: new Set(question.words.keys()) })
  const comparison = beyondQuestion.share === null ? compareContent(expected, answer.content) : beyondQuestion
  const { share, lacksValue, opposed } = comparison
  const isWhole =
    (share ?? 1) >= FULL_SHARE && !lacksValue && opposed.length === 0 && hasDateTogether(expected, answer)
  return { ...comparison, isWhole }
}

function withoutSense(content: Content): Content {
  const denied = new Set([true, false])
  return { ...content, words: new Map([...content.words].map(([key, word]) => [key, { ...word, denied }])) }
}

/** Year, month and day of one date must be in one sentence. */
function hasDateTogether({ quantities }: Content, { sentences }: ReadAnswer): boolean {
  const parts = quantities.filter(isFixedPart)
  if (new Set(parts.map(({ kind }) => kind)).size < parts.length) return true
  return (
    parts.length === 0 || sentences.some(({ values }) => parts.every((part) => hasQuantity(values, part)))
  )
}

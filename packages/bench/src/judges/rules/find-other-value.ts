import type { AnswerInput } from '../judge.ts'
import type { ContentComparison } from '../../text/compare-content.ts'
import { compareQuantities, showQuantity } from '../../text/compare-quantities.ts'
import { isHedged, isVague } from '../../text/find-marks.ts'
import { readContent, type Content } from '../../text/read-content.ts'
import { asksNumber, asksWhen } from '../../text/read-question.ts'
import { withoutRelativeTime } from '../../text/relative-time.ts'
import { isInFrame, otherValues, otherWords, type AskedAbout } from './answer-frame.ts'
import { list, quote } from './explain.ts'
import { isDatePart, type ReadAnswer } from './read-answer.ts'
import { PART } from './hold-statement.ts'

/** Most words of a value. A longer reference is a clause, which may be rephrased; a longer text is off the point. */
const SHORT_VALUE = 3

/**
 * Evidence of another value of the same kind in an answer without the whole reference: another number or date where that is asked, or in
 * the reference's own words; another name; or a short wrong value. `null` without evidence: then something is omitted.
 */
export function findOtherValue(
  input: AnswerInput,
  asked: AskedAbout,
  elements: readonly ContentComparison[],
  answer: ReadAnswer,
): string | null {
  const quantity = otherQuantity(input.question, asked, answer)
  if (quantity !== null) return `it has another value: ${quantity}`
  if (answer.sentences.some(({ text }) => isVague(text) || isHedged(text))) return null
  const others = elements.every(({ share }) => (share ?? 0) === 0)
    ? otherShortValue(input, asked, answer)
    : otherName(asked, elements, answer)
  return others === null ? null : `it has another value: ${list(others)}`
}

function otherQuantity(
  question: string,
  asked: AskedAbout,
  { sentences, content }: ReadAnswer,
): string | null {
  const { reference } = asked
  const isValue = [...reference.words.keys()].every((key) => asked.question.words.has(key))
  const all = compareQuantities(reference.quantities, content.quantities)
  const lacking = new Set([...all.conflicting.map(({ expected }) => expected), ...all.missing])
  for (const sentence of sentences) {
    const { conflicting } = compareQuantities(reference.quantities, sentence.offered)
    const pair = conflicting.find(({ expected }) => {
      if (!lacking.has(expected)) return false
      const isAsked = expected.kind === 'number' ? asksNumber(question) : asksWhen(question)
      return (
        isAsked || isValue || holdsWordsOf(reference, sentence.content) || isInFrame(sentence.content, asked)
      )
    })
    if (pair !== undefined)
      return `${showQuantity(pair.expected)} ≠ ${showQuantity(pair.found)} in ${quote(sentence.text)}`
  }
  return null
}

/** Whether a sentence has more than half of the reference's words. */
function holdsWordsOf(reference: Content, said: Content): boolean {
  const words = [...reference.words.keys()]
  return (
    words.length > 0 &&
    words.filter((key) => said.words.has(key) || said.plain.includes(key)).length / words.length > PART
  )
}

/**
 * A few new words, alone or with most of the question's. Where a date or number is asked for, words are no value; otherwise words of time
 * are none.
 */
function otherShortValue(
  { question }: AnswerInput,
  asked: AskedAbout,
  { sentences }: ReadAnswer,
): string[] | null {
  const { words, quantities } = asked.reference
  const isCounted = quantities.length > 0 && [...words.keys()].every((key) => asked.question.words.has(key))
  if (isCounted && (asksWhen(question) || asksNumber(question) || quantities.some(isDatePart))) return null
  const text = sentences.map((sentence) => sentence.text).join('\n')
  const answerContent = readContent(asksWhen(question) ? text : withoutRelativeTime(text))
  const others = otherValues(answerContent, asked)
  const isBare = answerContent.words.size + answerContent.quantities.length <= SHORT_VALUE
  const isShort = others.length <= SHORT_VALUE && words.size + quantities.length <= SHORT_VALUE
  return others.length > 0 && (isBare || (isShort && isInFrame(answerContent, asked))) ? others : null
}

/** Another name in a short sentence that is otherwise about the same. */
function otherName(
  asked: AskedAbout,
  elements: readonly ContentComparison[],
  { sentences }: ReadAnswer,
): string[] | null {
  const missing = new Set(elements.flatMap((element) => element.missing))
  const lacksName = [...asked.reference.words.values()].some(
    ({ surface, isName, isLeading }) => (isName || isLeading) && missing.has(surface),
  )
  const [sentence] = sentences
  if (!lacksName || sentence === undefined || sentences.length > 1) return null
  const others = otherWords(sentence.content, asked)
  const names = [...sentence.content.words.values()].filter(
    ({ surface, isName }) => isName && others.includes(surface),
  )
  return names.length === 0 || others.length > SHORT_VALUE ? null : names.map(({ surface }) => surface)
}

import type { AnswerInput } from '../judge.ts'
import { compareContent, keyOfQuantity, type ContentComparison } from '../../text/compare-content.ts'
import { compareQuantities, hasQuantity, showQuantity } from '../../text/compare-quantities.ts'
import { isHedged, offersAlternative, opensAlternative } from '../../text/find-marks.ts'
import { clauseTexts, hasWord, readContent, type Content } from '../../text/read-content.ts'
import type { Quantity } from '../../text/read-quantities.ts'
import { asksWhen } from '../../text/read-question.ts'
import { isInFrame, type QuestionContext } from './answer-frame.ts'
import { list, quote } from './explain.ts'
import { listElements } from './list-elements.ts'
import { isDatePart, type ReadAnswer } from './read-answer.ts'
import { PART_SHARE } from './hold-statement.ts'

/**
 * How an answer that has the whole reference contradicts it in a sentence of the same frame: by another number of the same things, another
 * date, or a denial. Anything else is extra. `null` without a contradiction.
 */
export function findContradiction(
  input: AnswerInput,
  context: QuestionContext,
  answer: ReadAnswer,
): string | null {
  return (
    findDenial(input, context, answer) ??
    findRivalNumber(context, answer) ??
    (asksWhen(input.question) ? findRivalDate(context, answer) : null)
  )
}

/**
 * A sentence or clause that denies more than half of a key point, of the reference, or of one of its elements. For a point of a single word
 * this needs the frame: “never painted Ghent” does not deny a move there.
 */
export function findDenial(input: AnswerInput, context: QuestionContext, answer: ReadAnswer): string | null {
  const { reference, keyPoints } = input
  const points = isSensePlain(context, answer)
    ? [reference, ...listElements(reference), ...keyPoints]
    : keyPoints
  const clauses = answer.sentences.flatMap(({ text }) => [text, ...clauseTexts(text)])
  for (const clause of new Set(clauses)) {
    const clauseContent = readContent(clause)
    const isFramed = isInFrame(clauseContent, context)
    for (const point of points) {
      const compared = compareContent(readContent(point), clauseContent, { areStatements: true })
      if (compared.opposedShare > PART_SHARE && (isFramed || compared.opposed.length > 1))
        return `${quote(clause)} reverses ${quote(point)}: ${list(compared.opposed)}`
    }
  }
  return null
}

/**
 * Whether affirmation and denial can be compared with the reference. “What will she not do?” may be answered by “leave” and by “she will
 * not leave”: then only when reference and answer both deny something.
 */
export function isSensePlain({ question, reference }: QuestionContext, { content }: ReadAnswer): boolean {
  return !isDenying(question) || (isDenying(reference) && isDenying(content))
}

function isDenying({ words }: Content): boolean {
  return [...words.values()].some(({ denied }) => denied.has(true))
}

/** Another number of the same things, in a sentence of the same frame, about a pronoun, or with the right number. */
function findRivalNumber(context: QuestionContext, answer: ReadAnswer): string | null {
  const { question, reference, known } = context
  const counted = reference.quantities.filter(({ kind, unit }) => kind === 'number' && unit !== null)
  const isKnown = (one: Quantity): boolean =>
    [question, known].some(({ quantities }) => hasQuantity(quantities, one))
  const frame = { ...context, question: withoutCounted(question, counted) }
  const rivals = answer.sentences
    .map(({ content }) => content)
    .filter(
      (content) =>
        isInFrame(content, frame) ||
        content.hasGenericSubject ||
        counted.some((one) => hasQuantity(content.quantities, one)),
    )
    .flatMap(({ quantities }) => quantities)
  const rival = rivals.find(
    (one) => counted.some(({ kind, unit }) => kind === one.kind && unit === one.unit) && !isKnown(one),
  )
  return rival === undefined ? null : `it also has ${showQuantity(rival)}`
}

/** Counting the same things does not show whose they are. */
function withoutCounted(question: Content, counted: readonly Quantity[]): Content {
  const words = [...question.words].filter(([key]) => counted.every(({ unit }) => unit !== key))
  return { ...question, words: new Map(words) }
}

/** A sentence of the frame with a date and nothing of the right one. */
function findRivalDate(context: QuestionContext, { sentences }: ReadAnswer): string | null {
  const right = context.reference.quantities.filter(isDatePart)
  for (const { text, content, offered } of sentences) {
    const dates = offered.filter(isDatePart)
    if (compareQuantities(right, dates).conflicting.length === 0) continue
    if (dates.some((one) => hasQuantity(context.question.quantities, one))) continue
    if (isInFrame(content, context)) return `${quote(text)} has another date`
  }
  return null
}

/** Whether part of the reference appears only in uncertain sentences, or a sentence continues with “or”. */
export function findDoubt(
  { question, reference }: AnswerInput,
  elements: readonly ContentComparison[],
  { sentences }: ReadAnswer,
): string | null {
  const keys = new Set(elements.flatMap((element) => [...element.keys]))
  const isOnly = (isOpen: (text: string) => boolean): boolean =>
    [...keys].some((key) => {
      const sources = sentences.filter(
        ({ content }) =>
          hasWord(content, key) || content.quantities.some((one) => keyOfQuantity(one) === key),
      )
      return sources.length > 0 && sources.every(({ text }) => isOpen(text))
    })
  if (isOnly(isHedged) && !isHedged(reference)) return 'it is stated as merely possible'
  if (offersAlternative(reference) || offersAlternative(question)) return null
  const isOpen = isOnly(offersAlternative) || sentences.some(({ text }) => opensAlternative(text))
  return isOpen ? 'it leaves a choice open' : null
}

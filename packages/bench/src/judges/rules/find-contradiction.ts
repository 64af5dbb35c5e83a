import type { AnswerInput } from '../judge.ts'
import { compareContent, keyOfQuantity, type ContentComparison } from '../../text/compare-content.ts'
import { compareQuantities, hasQuantity, showQuantity } from '../../text/compare-quantities.ts'
import { isHedged, offersAlternative, opensAlternative } from '../../text/find-marks.ts'
import { clauseTexts, hasWord, readContent, type Content } from '../../text/read-content.ts'
import type { Quantity } from '../../text/read-quantities.ts'
import { asksWhen } from '../../text/read-question.ts'
import { isAboutQuestion, type QuestionContext } from './answer-frame.ts'
import { list, quote } from './explain.ts'
import { listElements } from './list-elements.ts'
import { isDatePart, type ReadAnswer } from './read-answer.ts'
import { PART_SHARE } from './match-statement.ts'

/** Explains how an answer that contains the reference still contradicts it: by a denial, another number or another date. `null`: it does not. */
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

/** Explains how a clause denies over half of the reference, of an element or of a key point. If it denies one word, it must be about the question. */
export function findDenial(input: AnswerInput, context: QuestionContext, answer: ReadAnswer): string | null {
  const { reference, keyPoints } = input
  const points = isSensePlain(context, answer)
    ? [reference, ...listElements(reference), ...keyPoints]
    : keyPoints
  const clauses = answer.sentences.flatMap(({ text }) => [text, ...clauseTexts(text)])
  for (const clause of new Set(clauses)) {
    const clauseContent = readContent(clause)
    const isOnQuestion = isAboutQuestion(clauseContent, context)
    for (const point of points) {
      const comparison = compareContent(readContent(point), clauseContent, { areStatements: true })
      const { opposed, opposedShare } = comparison
      if (opposedShare > PART_SHARE && (isOnQuestion || opposed.length > 1))
        return `${quote(clause)} reverses ${quote(point)}: ${list(opposed)}`
    }
  }
  return null
}

/** Reports whether denials can be compared. A question with a denial has right answers of both senses, so both texts must deny. */
export function isSensePlain({ question, reference }: QuestionContext, { content }: ReadAnswer): boolean {
  return !isDenying(question) || (isDenying(reference) && isDenying(content))
}

function isDenying({ words }: Content): boolean {
  return [...words.values()].some(({ denied }) => denied.has(true))
}

/** Finds another number of the things that the reference counts. The sentence must be about the question, begin with a pronoun, or have the right number too. */
function findRivalNumber(context: QuestionContext, answer: ReadAnswer): string | null {
  const { question, reference, known } = context
  const counts = reference.quantities.filter(({ kind, unit }) => kind === 'number' && unit !== null)
  const contextWithoutCounted = { ...context, question: withoutCounted(question, counts) }
  const isRelevant = (content: Content): boolean =>
    isAboutQuestion(content, contextWithoutCounted) ||
    content.hasGenericSubject ||
    counts.some((count) => hasQuantity(content.quantities, count))
  const isRival = (quantity: Quantity): boolean =>
    counts.some(({ kind, unit }) => kind === quantity.kind && unit === quantity.unit) &&
    !hasQuantity(question.quantities, quantity) &&
    !hasQuantity(known.quantities, quantity)
  const relevantContents = answer.sentences.map(({ content }) => content).filter(isRelevant)
  const rival = relevantContents.flatMap(({ quantities }) => quantities).find(isRival)
  return rival === undefined ? null : `it also has ${showQuantity(rival)}`
}

/** Removes the counted things from a question. A sentence that counts the same things need not be about the same person. */
function withoutCounted(question: Content, counted: readonly Quantity[]): Content {
  const words = [...question.words].filter(([key]) => counted.every(({ unit }) => unit !== key))
  return { ...question, words: new Map(words) }
}

/** Finds a sentence about the question that has another date and no part of the right one. */
function findRivalDate(context: QuestionContext, { sentences }: ReadAnswer): string | null {
  const rightDate = context.reference.quantities.filter(isDatePart)
  for (const { text, content, offered } of sentences) {
    const dates = offered.filter(isDatePart)
    if (compareQuantities(rightDate, dates).conflicting.length === 0) continue
    const isDateOfQuestion = dates.some((part) => hasQuantity(context.question.quantities, part))
    if (isDateOfQuestion) continue
    if (isAboutQuestion(content, context)) return `${quote(text)} has another date`
  }
  return null
}

/** Explains why an answer is not definite: a part of the reference is only in uncertain sentences or in a choice. `null`: it is definite. */
export function findDoubt(
  { question, reference }: AnswerInput,
  elements: readonly ContentComparison[],
  { sentences }: ReadAnswer,
): string | null {
  const keys = new Set(elements.flatMap((element) => [...element.keys]))
  const containsKey = (content: Content, key: string): boolean =>
    hasWord(content, key) || content.quantities.some((quantity) => keyOfQuantity(quantity) === key)
  const hasKeyOnlyWhere = (condition: (text: string) => boolean): boolean =>
    [...keys].some((key) => {
      const sources = sentences.filter(({ content }) => containsKey(content, key))
      return sources.length > 0 && sources.every(({ text }) => condition(text))
    })
  if (hasKeyOnlyWhere(isHedged) && !isHedged(reference)) return 'it is stated as merely possible'
  if (offersAlternative(reference) || offersAlternative(question)) return null
  const leavesChoice =
    hasKeyOnlyWhere(offersAlternative) || sentences.some(({ text }) => opensAlternative(text))
  return leavesChoice ? 'it leaves a choice open' : null
}

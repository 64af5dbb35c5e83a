import { isEmptyContent } from '../../text/compare-content.ts'
import { sentencesOf } from '../../text/passages.ts'
import { readContent, type Content } from '../../text/read-content.ts'
import type { Quantity } from '../../text/read-quantities.ts'
import { quantitiesOfDate, readLead } from '../../text/read-lead.ts'
import { asksWhen } from '../../text/read-question.ts'
import { relativeTime, resolveTime } from '../../text/relative-time.ts'

/** A sentence of an answer, without the day with which its line begins. */
export interface AnswerSentence {
  readonly text: string
  readonly content: Content
  /** The sentence's numbers and dates, with the day of its line if it has no other date. */
  readonly values: readonly Quantity[]
  /** The values that the sentence offers as the answer. It offers the day of its line only if the question asks for a time. */
  readonly offered: readonly Quantity[]
}

export interface ReadAnswer {
  readonly sentences: readonly AnswerSentence[]
  /** All sentences together, with their numbers and dates. */
  readonly content: Content
}

/**
 * Reads an answer sentence by sentence.
 *
 * A quoted line begins with the day on which it was said: `2024-05-02: …`, `- [since 2024-05-02] …`.
 * - That day dates the statement only if the sentence has no date of its own.
 * - An exact relative time (“yesterday”) counts as the day, month or year that it means.
 * - With an inexact one (“last week”), the day supports only references in the same direction, such as “the week before 2 May”.
 * - The day can be a wrong answer only if the question asks for a time.
 */
export function readAnswer(question: string, reference: string, answer: string): ReadAnswer {
  const sentences = sentencesOf(answer).map((sentence) =>
    readSentence(sentence, relativeTime(reference), asksWhen(question)),
  )
  const whole = readContent(sentences.map(({ text }) => text).join('\n'))
  return {
    sentences: sentences.filter(({ content, values }) => !isEmptyContent(content) || values.length > 0),
    content: { ...whole, quantities: sentences.flatMap(({ values }) => values) },
  }
}

function readSentence(
  sentence: string,
  side: 'past' | 'future' | null,
  isTimeAsked: boolean,
): AnswerSentence {
  const { date, rest } = readLead(sentence)
  const content = readContent(rest)
  const { quantities } = content
  const isDatedByLine = date !== null && !quantities.some(isFixedPart)
  const lineDate = isDatedByLine ? dateStatement(quantitiesOfDate(date), rest, side) : []
  const values = [...quantities, ...lineDate]
  return { text: rest, content, values, offered: isTimeAsked ? values : quantities }
}

/** Dates a statement that was said on a day: on that day, or on the day that a relative time in the text means. */
function dateStatement(
  dayOfLine: readonly Quantity[],
  text: string,
  sideOfReference: 'past' | 'future' | null,
): readonly Quantity[] {
  const side = relativeTime(text)
  const isRelative = side !== null || readContent(text).quantities.some(({ kind }) => kind === 'weekday')
  if (!isRelative || (side !== null && side === sideOfReference)) return dayOfLine
  return resolveTime(dayOfLine, text) ?? []
}

/** Reports whether a quantity is a year, month or day. A weekday alone fixes no date. */
export function isFixedPart({ kind }: Quantity): boolean {
  return kind === 'year' || kind === 'month' || kind === 'day'
}

/** Reports whether a quantity is a part of a date, rather than a number or an hour. */
export function isDatePart(quantity: Quantity): boolean {
  return isFixedPart(quantity) || quantity.kind === 'weekday'
}

import { isEmptyContent } from '../../text/compare-content.ts'
import { sentencesOf } from '../../text/passages.ts'
import { readContent, type Content } from '../../text/read-content.ts'
import type { Quantity } from '../../text/read-quantities.ts'
import { quantitiesOfDate, readLead } from '../../text/read-lead.ts'
import { asksWhen } from '../../text/read-question.ts'
import { relativeTime, resolveTime } from '../../text/relative-time.ts'

/** A sentence of an answer, without its line's day mark. */
export interface AnswerSentence {
  readonly text: string
  readonly content: Content
  /** Its own numbers and dates, and its day mark where that is the time of the statement. */
  readonly values: readonly Quantity[]
  /** What it offers as the answer: its own, and the day mark where a time is asked for. */
  readonly offered: readonly Quantity[]
}

export interface ReadAnswer {
  readonly sentences: readonly AnswerSentence[]
  /** All sentences together, with their numbers and dates. */
  readonly content: Content
}

/**
 * Reads an answer sentence by sentence. The day mark of a quoted line (`2024-05-02: …`, `- [since 2024-05-02] …`) is when it was said. It
 * dates the statement only where the sentence has no date of its own. A relative time counts as the day, month or year it points to, where
 * that is exact (“yesterday”). Where it is not (“last week”), the mark supports only a reference on the same side (“the week before 2 May”).
 * The mark is an answer that can be wrong only where a time is asked for.
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
  const own = content.quantities
  const isDayMarkUsed = date !== null && !own.some(isFixedPart)
  const marked = isDayMarkUsed ? resolveDayMark(quantitiesOfDate(date), rest, side) : []
  const values = [...own, ...marked]
  return { text: rest, content, values, offered: isTimeAsked ? values : own }
}

function resolveDayMark(
  dayMark: readonly Quantity[],
  text: string,
  side: 'past' | 'future' | null,
): readonly Quantity[] {
  const relative = relativeTime(text)
  const isRelative = relative !== null || readContent(text).quantities.some(({ kind }) => kind === 'weekday')
  if (!isRelative || (relative !== null && relative === side)) return dayMark
  return resolveTime(dayMark, text) ?? []
}

/** Whether it fixes a date; a weekday alone could be a day of any week. */
export function isFixedPart({ kind }: Quantity): boolean {
  return kind === 'year' || kind === 'month' || kind === 'day'
}

/** Whether it is part of a date, not a number or an hour. */
export function isDatePart(one: Quantity): boolean {
  return isFixedPart(one) || one.kind === 'weekday'
}

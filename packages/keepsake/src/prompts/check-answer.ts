// Schemas and checks of answers that several prompts share. Problems are sentences for the model, which repairs its answer.
import { readDate } from '@keepsake/text'
import { locateQuote } from '../memories/locate-quote.ts'
import { z } from 'zod'

/** Evidence in an answer. */
interface QuotedTurn {
  /** Number of a turn as shown, from 1. */
  readonly turn: number
  readonly quote: string
}

/** Checks whether a line with this number exists. Lines are counted from 1. */
export function isLine(number: number, lines: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= lines
}

/** Returns a problem if an answer names lines that do not exist. @param what names a line, such as `memo` */
export function lineProblems(what: string, numbers: readonly number[], lines: number): string[] {
  const unknown = numbers.filter((number) => !isLine(number, lines))
  if (unknown.length === 0) return []
  const existing = lines === 0 ? 'none were shown' : `they are numbered from 1 to ${lines}`
  return [`There is no ${what} ${unknown.join(', ')}: ${existing}.`]
}

/**
 * Returns a problem for each turn that does not exist, and each quote that is not in its turn.
 *
 * @param what names the entry of the answer, such as `memory 3`
 */
export function evidenceProblems(
  what: string,
  evidence: readonly QuotedTurn[],
  turns: readonly { readonly text: string }[],
): string[] {
  if (evidence.length === 0) return [`${what} names no turn as its evidence.`]
  return evidence.flatMap(({ turn: number, quote }) => {
    const turn = turns[number - 1]
    if (turn === undefined)
      return [`${what} names turn ${number}; there are turns 1 to ${turns.length} only.`]
    if (quote.trim() === '' || locateQuote(turn.text, quote) !== null) return []
    return [`The quote of ${what} is not in turn ${number}; copy its words exactly.`]
  })
}

/** Returns a problem for each change of a memory that was not shown, and each second change of a memory. */
export function indexProblems(
  changes: readonly { readonly what: string; readonly index: number | null }[],
  shown: number,
): string[] {
  const changedBy = new Map<number, string>()
  const existing = shown === 0 ? 'no memories are shown' : `there are memories 1 to ${shown} only`
  return changes.flatMap(({ what, index }) => {
    if (index === null) return [`${what} names no memory; give the number of one that is shown.`]
    if (!isLine(index, shown)) return [`${what} names memory ${index}; ${existing}.`]
    const earlier = changedBy.get(index)
    if (earlier !== undefined) return [`${what} touches memory ${index}, which ${earlier} touched already.`]
    changedBy.set(index, what)
    return []
  })
}

/** Returns a problem for each date that cannot be read. */
export function dateProblems(what: string, dates: readonly (string | null)[]): string[] {
  return dates.flatMap((date) =>
    date === null || readDate(date, null) !== null
      ? []
      : [`${what} has the date ${JSON.stringify(date)}; write 2026-03-05, 2026-03, 2026, or null.`],
  )
}

/** Returns a problem for each item without an answer, with two answers, or that does not exist. Items are counted from 1. */
export function coverageProblems(what: string, answered: readonly number[], count: number): string[] {
  const answerCounts = new Map<number, number>()
  for (const number of answered) answerCounts.set(number, (answerCounts.get(number) ?? 0) + 1)
  const unknown = [...answerCounts.keys()].filter((number) => !isLine(number, count))
  const expected = Array.from({ length: count }, (_, place) => place + 1)
  return [
    ...unknown.map((number) => `There is no ${what} ${number}; they are numbered 1 to ${count}.`),
    ...expected.flatMap((number) => {
      const answers = answerCounts.get(number) ?? 0
      if (answers === 1) return []
      return [`The ${what} ${number} ${answers === 0 ? 'has no answer' : 'is answered twice'}.`]
    }),
  ]
}

/** Makes a field that is `null` when missing. Its schema still requires it, because some providers refuse optional fields. */
export function orNull<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape> | null> {
  return z.preprocess((given) => given ?? null, shape.nullable())
}

/** Marks a field as optional in the answer. Its shape must define a default. */
export function leftOut<Shape extends z.ZodType>(shape: Shape): Shape {
  return shape.meta({ ...shape.meta(), [OPTIONAL_MARK]: true })
}

/** Name of the metadata that marks an optional field. */
export const OPTIONAL_MARK = 'leftOut'

/** Makes a list field. A missing value, `null` and `{}` are read as an empty list, and a single entry as a list of one. */
export function orEmpty<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape>[]> {
  return z.preprocess((given) => {
    const isNone = given === undefined || given === null || isEmptyObject(given)
    return isNone ? [] : [given].flat()
  }, z.array(shape))
}

function isEmptyObject(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === 0
}

/** Makes a field with a default for missing and invalid values. Strings of digits may become numbers, and numbers strings. */
export function orElse<Shape extends z.ZodType>(
  shape: Shape,
  fallback: z.input<Shape>,
): z.ZodType<z.output<Shape>> {
  return z.preprocess((given) => {
    const readings = [given, typeof given === 'number' ? String(given) : given, numberIn(given)]
    return readings.find((reading) => reading !== undefined && shape.safeParse(reading).success) ?? fallback
  }, shape)
}

function numberIn(given: unknown): number | undefined {
  return typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : undefined
}

// Answer shapes and answer checks that several prompts share. Problems are sentences for the model, which repairs its answer.
import { readDate } from '@keepsake/text'
import { locateQuote } from '../memories/evidence.ts'
import { z } from 'zod'

/** Evidence as an answer gives it. */
interface QuotedTurn {
  /** Number of a turn as shown, from 1. */
  readonly turn: number
  readonly quote: string
}

/** Checks whether a number is that of a line, counted from 1. */
export function isLine(number: number, lines: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= lines
}

/** Returns the problem of numbers that no line has. `what` names a line, e.g. `memo`. */
export function lineProblems(what: string, numbers: readonly number[], lines: number): string[] {
  const unknown = numbers.filter((number) => !isLine(number, lines))
  if (unknown.length === 0) return []
  const there = lines === 0 ? 'none were shown' : `they are numbered from 1 to ${lines}`
  return [`There is no ${what} ${unknown.join(', ')}: ${there}.`]
}

/** Returns the problems of turns that do not exist and of quotes that their turn does not contain. `what` names the part of the answer, e.g. `memory 3`. */
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

/** Returns the problems of numbers that no shown memory has, and of memories that are changed twice. */
export function indexProblems(
  touched: readonly { readonly what: string; readonly index: number | null }[],
  shown: number,
): string[] {
  const seen = new Map<number, string>()
  return touched.flatMap(({ what, index }) => {
    if (index === null) return [`${what} names no memory; give the number of one that is shown.`]
    if (!isLine(index, shown))
      return [
        `${what} names memory ${index}; ${shown === 0 ? 'no memories are shown' : `there are memories 1 to ${shown} only`}.`,
      ]
    const earlier = seen.get(index)
    if (earlier !== undefined) return [`${what} touches memory ${index}, which ${earlier} touched already.`]
    seen.set(index, what)
    return []
  })
}

/** Returns the problems of dates that are not in the calendar. */
export function dateProblems(what: string, dates: readonly (string | null)[]): string[] {
  return dates.flatMap((date) =>
    date === null || readDate(date, null) !== null
      ? []
      : [`${what} has the date ${JSON.stringify(date)}; write 2026-03-05, 2026-03, 2026, or null.`],
  )
}

/** Returns the problems of items, numbered from 1, that an answer leaves out, answers twice, or that do not exist. */
export function coverageProblems(what: string, answered: readonly number[], count: number): string[] {
  const times = new Map<number, number>()
  for (const number of answered) times.set(number, (times.get(number) ?? 0) + 1)
  const unknown = [...times.keys()].filter((number) => !isLine(number, count))
  const expected = Array.from({ length: count }, (_, place) => place + 1)
  return [
    ...unknown.map((number) => `There is no ${what} ${number}; they are numbered 1 to ${count}.`),
    ...expected.flatMap((number) => {
      const found = times.get(number) ?? 0
      if (found === 1) return []
      return [`The ${what} ${number} ${found === 0 ? 'has no answer' : 'is answered twice'}.`]
    }),
  ]
}

/** Makes a nullable field, which is `null` when missing. Its schema requires it, because some providers accept no optional fields. */
export function orNull<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape> | null> {
  return z.preprocess((given) => given ?? null, shape.nullable())
}

/** Marks a field that an answer may leave out; its shape defines the default. */
export function leftOut<Shape extends z.ZodType>(shape: Shape): Shape {
  return shape.meta({ ...shape.meta(), [LEFT_OUT]: true })
}

/** Name of the metadata that mark such a field. */
export const LEFT_OUT = 'leftOut'

/** Makes a list field, which is empty if the answer has nothing, `null` or `{}` there. A single entry is a list of one. */
export function orEmpty<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape>[]> {
  return z.preprocess((given) => {
    const isNone = given === undefined || given === null || isEmptyObject(given)
    return isNone ? [] : [given].flat()
  }, z.array(shape))
}

function isEmptyObject(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === 0
}

/**
 * Makes a field with a default for missing and invalid values, so that the rest of its entry is kept. Quoted numbers are
 * read as numbers, and numbers as words, where the shape wants it.
 */
export function orElse<Shape extends z.ZodType>(
  shape: Shape,
  usual: z.input<Shape>,
): z.ZodType<z.output<Shape>> {
  return z.preprocess((given) => {
    const readings = [given, typeof given === 'number' ? String(given) : given, numberIn(given)]
    return readings.find((one) => one !== undefined && shape.safeParse(one).success) ?? usual
  }, shape)
}

function numberIn(given: unknown): number | undefined {
  return typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : undefined
}

import { InvalidInputError, describeValue, findTerms, requireKnownOptions } from '@keepsake/text'
import type { ScopeRow } from '../scopes/scope.ts'

/**
 * What a memory keeps and never keeps, in the application's words, a plain phrase or sentence each. What a person asks to be done
 * always (`instructions()`) is something else.
 *
 * @example
 * const guidelines: GuidelinesInput = {
 *   keep: 'The exercises they did, and what they found hard.',
 *   never: ['health and medication', 'names of colleagues'],
 * }
 */
export interface GuidelinesInput {
  /** What matters here; one line or several. */
  readonly keep?: string | readonly string[] | undefined
  /** What is never kept as a statement or in a summary; one line or several. */
  readonly never?: string | readonly string[] | undefined
}

export interface Guidelines {
  readonly keep: readonly string[]
  readonly never: readonly string[]
}

/** The guidelines of a scope. */
export interface ScopeGuidelines extends Guidelines {
  /** Those that `setGuidelines` set for this very scope. The others are of `openMemory`, or of the whole user. */
  readonly own: Guidelines
}

export const NO_GUIDELINES: Guidelines = { keep: [], never: [] }

/** Where the guidelines of a user are stored: one record, whose key is the user's number. */
export const GUIDELINES = 'guidelines'

/** The part that is all of the user. */
export const WHOLE = 'user'

export type StoredGuidelines = Readonly<Record<string, Guidelines>>

/** The name under which the guidelines of a scope are stored: its number, or {@link WHOLE}. */
export function partOf({ scope, agent, app }: Pick<ScopeRow, 'scope' | 'agent' | 'app'>): string {
  return agent === null && app === null ? WHOLE : String(scope)
}

/** Begins the reason of a statement that was not kept. Its memory holds none of its words. */
export const NEVER_KEPT = 'the application never keeps'

export const MOST_LINES = 50
export const LONGEST_LINE = 500

/**
 * Reads guidelines at the boundary.
 *
 * @throws InvalidInputError for another field, for what is no line, and for more than 50 lines or 500 characters in one
 */
export function readGuidelines(given: GuidelinesInput, what = 'guidelines'): Guidelines {
  if (typeof given !== 'object' || given === null)
    throw new InvalidInputError(
      `${what} must be an object such as { keep: ['…'], never: ['…'] }, but it is ${describeValue(given)}.`,
    )
  requireKnownOptions(given, ['keep', 'never'], what, 'field')
  return { keep: readLines(given.keep, `${what}.keep`), never: readLines(given.never, `${what}.never`) }
}

function readLines(given: unknown, what: string): readonly string[] {
  const lines: readonly unknown[] = given === undefined ? [] : [given].flat()
  if (lines.length > MOST_LINES)
    throw new InvalidInputError(
      `${what} has ${lines.length} lines; at most ${MOST_LINES} are taken. Join some of them.`,
    )
  return lines.map((line, index) => {
    const text = typeof line === 'string' ? line.replace(/\s+/g, ' ').trim() : ''
    if (text !== '' && text.length <= LONGEST_LINE) return text
    throw new InvalidInputError(
      `${what}[${index}] must be a line of 1 to ${LONGEST_LINE} characters, but it is ${describeValue(line)}.`,
    )
  })
}

/** Words of a line that name nothing by themselves. */
const GENERIC =
  /\b(?:any|anything|everything|all|about|concerning|details?|information|names?|of|the|other|people|persons?|users?|their|his|her|what|that|who|to|with)\b|任何|所有|一切|关于|有关|用户|他人|别人|内容|信息|情况|细节|的/giu
const SEPARATOR = /[,;/、，；]|\b(?:and|or)\b|[和或与及]|以及/iu

/** The things that a line names, in its own words: “health, illness and medication” names three. */
function thingsIn(line: string): string[] {
  return line.split(SEPARATOR).flatMap((part) => part.replace(GENERIC, ' ').replace(/\s+/g, ' ').trim() || [])
}

/** A text to be kept, with the persona key of a statement. */
export interface ScreenedText {
  readonly text: string
  readonly subject: string
  readonly key?: string | null
}

/**
 * Finds by words alone what a text falls under: the line names a thing of which every word is in the text, or which is its key.
 *
 * @example
 * findNamed({ text: 'My salary is 3,000.', subject: 'user' }, ['salary and debts']) // 'salary and debts'
 */
export function findNamed(text: ScreenedText, never: readonly string[]): string | null {
  return never.find((line) => namesThing(text, line)) ?? null
}

function namesThing({ text, key }: ScreenedText, line: string): boolean {
  const terms = new Set(findTerms(text))
  const lower = text.toLowerCase()
  return thingsIn(line).some((thing) => {
    if (/\p{Script=Han}/u.test(thing)) return lower.includes(thing.toLowerCase())
    const words = findTerms(thing)
    return words.length > 0 && (thing.toLowerCase() === key || words.every((word) => terms.has(word)))
  })
}

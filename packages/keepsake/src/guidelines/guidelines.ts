// Defines guidelines: lines in which an application lists topics to keep, and topics never to keep.
import { InvalidInputError, describeValue, findTerms, requireKnownOptions } from '@keepsake/text'
import type { ScopeRow } from '../scopes/scope.ts'

/**
 * The topics that a memory keeps and never keeps, in plain phrases or sentences of the application. Instructions of a user,
 * such as “always answer in German”, are no guidelines: `instructions()` lists them.
 *
 * @example
 * const guidelines: GuidelinesInput = {
 *   keep: 'The exercises they did, and what they found hard.',
 *   never: ['health and medication', 'names of colleagues'],
 * }
 */
export interface GuidelinesInput {
  /** Topics to keep; one line or several. */
  readonly keep?: string | readonly string[] | undefined
  /** Topics that no statement or summary may contain; one line or several. */
  readonly never?: string | readonly string[] | undefined
}

export interface Guidelines {
  readonly keep: readonly string[]
  readonly never: readonly string[]
}

/** All guidelines that apply to a scope. */
export interface ScopeGuidelines extends Guidelines {
  /** The guidelines that `setGuidelines` set for this scope. The others come from `openMemory`, or apply to the whole user. */
  readonly own: Guidelines
}

export const NO_GUIDELINES: Guidelines = { keep: [], never: [] }

/** The collection of records with guidelines. There is one record for each user; its key is the user's row number. */
export const GUIDELINES = 'guidelines'

/** Name of the guidelines in the record that apply to the whole user. */
export const USER_PART = 'user'

export type StoredGuidelines = Readonly<Record<string, Guidelines>>

/** Returns the name of a scope's guidelines in the record: the scope's row number, or {@link USER_PART}. */
export function partOf({ scope, agent, app }: Pick<ScopeRow, 'scope' | 'agent' | 'app'>): string {
  return agent === null && app === null ? USER_PART : String(scope)
}

/** Begins the reason of a statement that guidelines refused. Its memory contains none of its words. */
export const NEVER_KEPT = 'the application never keeps'

export const MAX_LINES = 50
export const MAX_LINE_LENGTH = 500

/** Checks a caller's guidelines: at most 50 lines of 500 characters. @throws InvalidInputError */
export function readGuidelines(given: GuidelinesInput, name = 'guidelines'): Guidelines {
  if (typeof given !== 'object' || given === null)
    throw new InvalidInputError(
      `${name} must be an object such as { keep: ['…'], never: ['…'] }, but it is ${describeValue(given)}.`,
    )
  requireKnownOptions(given, ['keep', 'never'], name, 'field')
  return { keep: readLines(given.keep, `${name}.keep`), never: readLines(given.never, `${name}.never`) }
}

function readLines(given: unknown, name: string): readonly string[] {
  const lines: readonly unknown[] = given === undefined ? [] : [given].flat()
  if (lines.length > MAX_LINES)
    throw new InvalidInputError(
      `${name} has ${lines.length} lines; at most ${MAX_LINES} are taken. Join some of them.`,
    )
  return lines.map((line, index) => {
    const text = typeof line === 'string' ? line.replace(/\s+/g, ' ').trim() : ''
    if (text !== '' && text.length <= MAX_LINE_LENGTH) return text
    throw new InvalidInputError(
      `${name}[${index}] must be a line of 1 to ${MAX_LINE_LENGTH} characters, but it is ${describeValue(line)}.`,
    )
  })
}

const GENERIC_EN = [
  'any|anything|everything|all|about|concerning|details?|information|names?|of|the|other',
  'people|persons?|users?|their|his|her|what|that|who|to|with',
].join('|')
const GENERIC_ZH = '任何|所有|一切|关于|有关|用户|他人|别人|内容|信息|情况|细节|的'
/** Matches words of a line that name no topic by themselves: “anything about”. */
const GENERIC_WORDS = new RegExp(`\\b(?:${GENERIC_EN})\\b|${GENERIC_ZH}`, 'giu')
const SEPARATOR = /[,;/、，；]|\b(?:and|or)\b|[和或与及]|以及/iu

/** Returns the topics of a line: “health, illness and medication” has three. */
function listTopics(line: string): string[] {
  const topics = line
    .split(SEPARATOR)
    .map((part) => part.replace(GENERIC_WORDS, ' ').replace(/\s+/g, ' ').trim())
  return topics.filter((topic) => topic !== '')
}

/** A text to check against guidelines, with the persona key of a statement. */
export interface ScreenedText {
  readonly text: string
  readonly subject: string
  readonly key?: string | null
}

/** Finds the line that forbids a text, by words alone: the text has all words of a topic, or its key is the topic. */
export function findNamed(text: ScreenedText, never: readonly string[]): string | null {
  return never.find((line) => containsTopic(text, line)) ?? null
}

function containsTopic({ text, key }: ScreenedText, line: string): boolean {
  const textTerms = new Set(findTerms(text))
  const lower = text.toLowerCase()
  return listTopics(line).some((topic) => {
    if (/\p{Script=Han}/u.test(topic)) return lower.includes(topic.toLowerCase())
    const topicTerms = findTerms(topic)
    if (topicTerms.length === 0) return false
    return topic.toLowerCase() === key || topicTerms.every((term) => textTerms.has(term))
  })
}

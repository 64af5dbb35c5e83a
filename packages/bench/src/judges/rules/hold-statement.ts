import type { Degree } from '../judge.ts'
import { compareContent, keyOfQuantity, type ContentComparison } from '../../text/compare-content.ts'
import { passagesOf } from '../../text/passages.ts'
import { plainOf, readContent, type Content } from '../../text/read-content.ts'

/**
 * A statement is held whole from this share of its content words on: of five words one may be said otherwise. Up to four,
 * every word counts. Numbers, dates and names have no such allowance.
 */
export const WHOLE = 0.8

/** Above this share it is held in part: more of it is said than is not. At half, two statements may share no more than their frame. */
export const PART = 0.5

/** From this share on a memory may be one of several that together hold a statement: below it, texts share words by chance. */
const RELATED = 1 / 3

/** How far one text holds a statement. */
export interface HeldStatement {
  readonly degree: Degree
  /** The passage it was found in. */
  readonly passage: string
  /** `null` when neither has words to compare: then they are the same text or not. */
  readonly comparison: ContentComparison | null
}

/**
 * How far a text holds a statement about the same person: 2 with at least {@link WHOLE} of its content and every number, date
 * and name; 1 with more than {@link PART}; 0 otherwise, and where what is shared is affirmed by one and denied by the
 * other. Stated as merely possible, or of another person, it is held in part at best. The best of the text's passages counts.
 */
export function holdStatement(statement: string, text: string): HeldStatement {
  const expected = readContent(statement)
  return bestOf(passagesOf(text).map((passage) => holdIn(statement, expected, passage)))
}

/** The best that any of the texts does; `null` when there are none. */
export function bestHeld(statement: string, texts: readonly string[]): HeldStatement | null {
  return texts.length === 0 ? null : bestOf(texts.map((text) => holdStatement(statement, text)))
}

/** By degree, then by share; of equals the first. */
function bestOf(held: readonly HeldStatement[]): HeldStatement {
  const shareOf = ({ comparison }: HeldStatement): number => comparison?.share ?? 0
  return held.reduce((best, one) =>
    (one.degree - best.degree || shareOf(one) - shareOf(best)) > 0 ? one : best,
  )
}

/**
 * Whether several texts hold a statement together: those that share at least {@link RELATED} of it and contradict none of
 * it, so that what one leaves out another says.
 */
export function holdTogether(statement: string, texts: readonly string[]): boolean {
  const expected = readContent(statement)
  const related = texts.flatMap(passagesOf).flatMap((passage) => {
    const { comparison } = holdIn(statement, expected, passage)
    return comparison !== null && isRelated(comparison) ? [comparison] : []
  })
  if (related.length < 2) return false
  const held = new Set(related.flatMap(({ keys }) => [...keys]))
  const lacksValue =
    [...expected.words.values()].some(
      ({ key, isName, isLeading }) => isName && !isLeading && !held.has(key),
    ) || expected.quantities.some((one) => !one.isOptional && !held.has(keyOfQuantity(one)))
  return !lacksValue && shareHeld(expected, held) >= WHOLE
}

function isRelated({ share, contradicts, conflicts, isLessSure, isOfAnother }: ContentComparison): boolean {
  return (share ?? 0) >= RELATED && !contradicts && conflicts.length === 0 && !isLessSure && !isOfAnother
}

function shareHeld({ words, quantities }: Content, held: ReadonlySet<string>): number {
  const told = [...words.values()].filter(({ isLeading }) => !isLeading)
  const counted = quantities.filter((one) => !one.isOptional)
  const total = told.reduce((sum, { weight }) => sum + weight, 0) + counted.length
  const covered = told.filter(({ key }) => held.has(key)).reduce((sum, { weight }) => sum + weight, 0)
  return (covered + counted.filter((one) => held.has(keyOfQuantity(one))).length) / total
}

function holdIn(statement: string, expected: Content, passage: string): HeldStatement {
  const comparison = compareContent(expected, readContent(passage), { areStatements: true })
  if (comparison.share === null)
    return { degree: isWritten(statement, passage) ? 2 : 0, passage, comparison: null }
  return { degree: degreeOf(comparison), passage, comparison }
}

function degreeOf(comparison: ContentComparison): Degree {
  const share = comparison.share ?? 0
  if (comparison.contradicts || share === 0) return 0
  if (share >= WHOLE && !comparison.lacksValue && comparison.opposed.length === 0)
    return comparison.isLessSure || comparison.isOfAnother ? 1 : 2
  return share > PART ? 1 : 0
}

/** For texts without words to compare by: whether one is written in the other. */
function isWritten(statement: string, passage: string): boolean {
  const plain = plainOf(statement)
  return plain === '' ? passage.includes(statement.trim()) : plainOf(passage).includes(plain)
}

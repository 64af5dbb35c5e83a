import type { Degree } from '../judge.ts'
import { compareContent, keyOfQuantity, type ContentComparison } from '../../text/compare-content.ts'
import { passagesOf } from '../../text/passages.ts'
import { plainOf, readContent, type Content } from '../../text/read-content.ts'

/**
 * From this share of content words a statement is fully contained: of five words one may differ. Up to four, every word counts. Numbers,
 * dates and names must all match.
 */
export const WHOLE = 0.8

/** Above this share it is partly contained. At half, two statements may share no more than their frame. */
export const PART = 0.5

/** From this share a memory may contribute to a statement: below it, texts share words by chance. */
const RELATED = 1 / 3

/** How far a text contains a statement. */
export interface HeldStatement {
  readonly degree: Degree
  /** The passage where it was found. */
  readonly passage: string
  /** `null` when neither has words to compare: then they are equal or not. */
  readonly comparison: ContentComparison | null
}

/**
 * How far a text contains a statement about the same person: 2 with at least {@link WHOLE} of its content and every number, date and name;
 * 1 with more than {@link PART}; 0 otherwise, and when one affirms what the other denies. Stated as merely possible, or of another person,
 * it scores 1 at best. The best passage counts.
 */
export function holdStatement(statement: string, text: string): HeldStatement {
  const expected = readContent(statement)
  return bestOf(passagesOf(text).map((passage) => holdIn(statement, expected, passage)))
}

/** The best of several texts; `null` without texts. */
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

/** Whether several texts contain a statement together: those that share at least {@link RELATED} of it without contradiction. */
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
  const ownWords = [...words.values()].filter(({ isLeading }) => !isLeading)
  const counted = quantities.filter((one) => !one.isOptional)
  const total = ownWords.reduce((sum, { weight }) => sum + weight, 0) + counted.length
  const covered = ownWords.filter(({ key }) => held.has(key)).reduce((sum, { weight }) => sum + weight, 0)
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

/** For texts without comparable words: whether one contains the other. */
function isWritten(statement: string, passage: string): boolean {
  const plain = plainOf(statement)
  return plain === '' ? passage.includes(statement.trim()) : plainOf(passage).includes(plain)
}

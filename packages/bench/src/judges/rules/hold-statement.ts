import type { Degree } from '../judge.ts'
import { compareContent, keyOfQuantity, type ContentComparison } from '../../text/compare-content.ts'
import { passagesOf } from '../../text/passages.ts'
import { plainOf, readContent, type Content } from '../../text/read-content.ts'

/**
 * From this share of content words a statement is fully contained: of five words one may differ. Up to four, every word counts. Numbers,
 * dates and names must all match.
 */
export const FULL_SHARE = 0.8

/** Above this share it is partly contained. At half, two statements may share no more than their frame. */
export const PART_SHARE = 0.5

/** Below this share, texts have common words by chance. From it on a memory may contribute to a statement. */
const RELATED_SHARE = 1 / 3

export interface StatementMatch {
  readonly degree: Degree
  readonly passage: string
  /** `null` when neither has words to compare: then they are equal or not. */
  readonly comparison: ContentComparison | null
}

/**
 * How far a text contains a statement about the same person: 2 with at least {@link FULL_SHARE} of its content and every number, date and name;
 * 1 with more than {@link PART_SHARE}; 0 otherwise, and when one affirms what the other denies. Stated as merely possible, or of another person,
 * it scores 1 at best. The best passage counts.
 */
export function matchStatement(statement: string, text: string): StatementMatch {
  const expected = readContent(statement)
  return bestOf(passagesOf(text).map((passage) => matchPassage(statement, expected, passage)))
}

/** The best of several texts; `null` without texts. */
export function bestMatch(statement: string, texts: readonly string[]): StatementMatch | null {
  return texts.length === 0 ? null : bestOf(texts.map((text) => matchStatement(statement, text)))
}

/** Returns the match of the highest degree, then the highest share; of equal ones the first. */
function bestOf(matches: readonly StatementMatch[]): StatementMatch {
  const shareOf = ({ comparison }: StatementMatch): number => comparison?.share ?? 0
  return matches.reduce((best, one) =>
    (one.degree - best.degree || shareOf(one) - shareOf(best)) > 0 ? one : best,
  )
}

/** Whether several texts contain a statement together: those that share at least {@link RELATED_SHARE} of it without contradiction. */
export function matchTogether(statement: string, texts: readonly string[]): boolean {
  const expected = readContent(statement)
  const related = texts.flatMap(passagesOf).flatMap((passage) => {
    const { comparison } = matchPassage(statement, expected, passage)
    return comparison !== null && canContribute(comparison) ? [comparison] : []
  })
  if (related.length < 2) return false
  const foundKeys = new Set(related.flatMap(({ keys }) => [...keys]))
  const lacksValue =
    [...expected.words.values()].some(
      ({ key, isName, isLeading }) => isName && !isLeading && !foundKeys.has(key),
    ) || expected.quantities.some((one) => !one.isOptional && !foundKeys.has(keyOfQuantity(one)))
  return !lacksValue && shareFound(expected, foundKeys) >= FULL_SHARE
}

function canContribute({
  share,
  contradicts,
  conflicts,
  isLessSure,
  isOfAnother,
}: ContentComparison): boolean {
  return (
    (share ?? 0) >= RELATED_SHARE && !contradicts && conflicts.length === 0 && !isLessSure && !isOfAnother
  )
}

function shareFound({ words, quantities }: Content, foundKeys: ReadonlySet<string>): number {
  const ownWords = [...words.values()].filter(({ isLeading }) => !isLeading)
  const counted = quantities.filter((one) => !one.isOptional)
  const total = ownWords.reduce((sum, { weight }) => sum + weight, 0) + counted.length
  const covered = ownWords
    .filter(({ key }) => foundKeys.has(key))
    .reduce((sum, { weight }) => sum + weight, 0)
  return (covered + counted.filter((one) => foundKeys.has(keyOfQuantity(one))).length) / total
}

function matchPassage(statement: string, expected: Content, passage: string): StatementMatch {
  const comparison = compareContent(expected, readContent(passage), { areStatements: true })
  if (comparison.share === null)
    return { degree: containsText(statement, passage) ? 2 : 0, passage, comparison: null }
  return { degree: degreeOf(comparison), passage, comparison }
}

function degreeOf(comparison: ContentComparison): Degree {
  const share = comparison.share ?? 0
  if (comparison.contradicts || share === 0) return 0
  if (share >= FULL_SHARE && !comparison.lacksValue && comparison.opposed.length === 0)
    return comparison.isLessSure || comparison.isOfAnother ? 1 : 2
  return share > PART_SHARE ? 1 : 0
}

/** For texts without comparable words: whether one contains the other. */
function containsText(statement: string, passage: string): boolean {
  const plain = plainOf(statement)
  return plain === '' ? passage.includes(statement.trim()) : plainOf(passage).includes(plain)
}

import type { Degree } from '../judge.ts'
import { compareContent, keyOfQuantity, type ContentComparison } from '../../text/compare-content.ts'
import { passagesOf } from '../../text/passages.ts'
import { plainOf, readContent, type Content } from '../../text/read-content.ts'

/** A text with this share of a statement's content words contains it fully. Of five words one may differ, of four none. */
export const FULL_SHARE = 0.8

/** A text with more than this share contains the statement partly. Two statements about one subject may share half of their words by chance. */
export const PART_SHARE = 0.5

/** A text with less than this share has the words by chance. With more, it may contain a statement together with other texts. */
const RELATED_SHARE = 1 / 3

/** How far a text contains a statement. */
export interface StatementMatch {
  readonly degree: Degree
  /** The passage that contains most of the statement. */
  readonly passage: string
  /** `null`: the statement has no words to compare, so the texts are compared as they are. */
  readonly comparison: ContentComparison | null
}

/**
 * Decides how far a text contains a statement about the same person, by its best passage.
 *
 * - 2: it has at least {@link FULL_SHARE} of the content, and every number, date and name.
 * - 1: it has more than {@link PART_SHARE}, or calls the statement merely possible, or is about another person.
 * - 0: it has less, or denies what the statement affirms.
 */
export function matchStatement(statement: string, text: string): StatementMatch {
  const expected = readContent(statement)
  return bestOf(passagesOf(text).map((passage) => matchPassage(statement, expected, passage)))
}

/** Finds the text that contains most of a statement. `null`: there are no texts. */
export function bestMatch(statement: string, texts: readonly string[]): StatementMatch | null {
  return texts.length === 0 ? null : bestOf(texts.map((text) => matchStatement(statement, text)))
}

/** Returns the match of the highest degree. Among these, the highest share wins, then the first. */
function bestOf(matches: readonly StatementMatch[]): StatementMatch {
  const shareOf = ({ comparison }: StatementMatch): number => comparison?.share ?? 0
  const isBetter = (match: StatementMatch, best: StatementMatch): boolean =>
    match.degree === best.degree ? shareOf(match) > shareOf(best) : match.degree > best.degree
  return matches.reduce((best, match) => (isBetter(match, best) ? match : best))
}

/** Reports whether several texts contain a statement together. Only texts count that have {@link RELATED_SHARE} of it and do not contradict it. */
export function matchTogether(statement: string, texts: readonly string[]): boolean {
  const expected = readContent(statement)
  const related = texts.flatMap(passagesOf).flatMap((passage) => {
    const { comparison } = matchPassage(statement, expected, passage)
    return comparison !== null && canContribute(comparison) ? [comparison] : []
  })
  if (related.length < 2) return false
  const foundKeys = new Set(related.flatMap(({ keys }) => [...keys]))
  const lacksName = [...expected.words.values()].some(
    ({ key, isName, isLeading }) => isName && !isLeading && !foundKeys.has(key),
  )
  const lacksQuantity = expected.quantities.some(
    (quantity) => !quantity.isOptional && !foundKeys.has(keyOfQuantity(quantity)),
  )
  return !lacksName && !lacksQuantity && shareFound(expected, foundKeys) >= FULL_SHARE
}

/** Reports whether a text may contain a statement together with other texts. */
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

/** Computes the share of a statement's words and quantities that were found. */
function shareFound({ words, quantities }: Content, foundKeys: ReadonlySet<string>): number {
  const contentWords = [...words.values()].filter(({ isLeading }) => !isLeading)
  const foundWords = contentWords.filter(({ key }) => foundKeys.has(key))
  const required = quantities.filter(({ isOptional }) => !isOptional)
  const foundQuantities = required.filter((quantity) => foundKeys.has(keyOfQuantity(quantity)))
  return (totalWeight(foundWords) + foundQuantities.length) / (totalWeight(contentWords) + required.length)
}

function totalWeight(words: readonly { readonly weight: number }[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
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

/** Reports whether a passage contains a statement without comparable words as it is written. */
function containsText(statement: string, passage: string): boolean {
  const plain = plainOf(statement)
  return plain === '' ? passage.includes(statement.trim()) : plainOf(passage).includes(plain)
}

import type { ContentComparison } from '../../text/compare-content.ts'

/** Maximum numbers of words that a reason lists and of characters that it quotes. */
const MAX_WORDS = 8
const MAX_QUOTE = 120

/**
 * Explains a comparison, such as `contains 3 of 5 content words (nurse, Leeds, 2018); missing: …`. The caller puts the compared text before it as
 * the subject. `null`: there were no words to compare.
 */
export function explain(comparison: ContentComparison | null): string {
  if (comparison === null) return 'has no content words and is compared as it is written'
  const { covered, missing, opposed, conflicts, isLessSure, isOfAnother } = comparison
  const wordCount = covered.length + missing.length + opposed.length + conflicts.length
  const coveredWords = covered.length === 0 ? '' : ` (${list(covered)})`
  const remarks = [`contains ${covered.length} of ${wordCount} content words${coveredWords}`]
  if (missing.length > 0) remarks.push(`missing: ${list(missing)}`)
  if (opposed.length > 0) remarks.push(`affirmed by one and denied by the other: ${list(opposed)}`)
  if (conflicts.length > 0) remarks.push(`other value: ${list(conflicts)}`)
  if (isLessSure) remarks.push('stated as merely possible')
  if (isOfAnother) remarks.push('about another person')
  return remarks.join('; ')
}

/** Lists the first words and the number of others. */
export function list(words: readonly string[]): string {
  const shown = words.slice(0, MAX_WORDS).join(', ')
  return words.length > MAX_WORDS ? `${shown}, … ${words.length - MAX_WORDS} more` : shown
}

/** Quotes a text, and cuts a long one. */
export function quote(text: string): string {
  const shown = text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE - 3)}…` : text
  return `“${shown}”`
}

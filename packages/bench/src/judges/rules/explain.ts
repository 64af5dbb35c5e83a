import type { ContentComparison } from '../../text/compare-content.ts'

const SHOWN_WORDS = 8

/** Explains a comparison: `holds 3 of 5 (nurse, Leeds, 2018); missing: …; opposed: …`. `null`: no words. */
export function explain(comparison: ContentComparison | null): string {
  if (comparison === null) return 'is compared as it is written'
  const { covered, missing, opposed, conflicts } = comparison
  const all = covered.length + missing.length + opposed.length + conflicts.length
  return [
    `holds ${covered.length} of ${all} content words${covered.length === 0 ? '' : ` (${list(covered)})`}`,
    ...(missing.length === 0 ? [] : [`missing: ${list(missing)}`]),
    ...(opposed.length === 0 ? [] : [`affirmed by one and denied by the other: ${list(opposed)}`]),
    ...(conflicts.length === 0 ? [] : [`other value: ${list(conflicts)}`]),
    ...(comparison.isLessSure ? ['stated as merely possible'] : []),
    ...(comparison.isOfAnother ? ['about another person'] : []),
  ].join('; ')
}

export function list(words: readonly string[]): string {
  const shown = words.slice(0, SHOWN_WORDS).join(', ')
  return words.length > SHOWN_WORDS ? `${shown}, … ${words.length - SHOWN_WORDS} more` : shown
}

/** A quoted text, truncated when long. */
export function quote(text: string): string {
  return `“${text.length > 120 ? `${text.slice(0, 117)}…` : text}”`
}

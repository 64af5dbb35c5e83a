import { readPackagedData } from '../terms/read-packaged-data.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { decodeRelatedTable, rowOf, WEIGHT_STEPS, type RelatedTable } from './related-table.ts'

export const RELATED_TABLE_FILES = { en: 'related-terms-en.bin', zh: 'related-terms-zh.bin' } as const

/** Languages with a synonym table. */
export type ThesaurusLanguage = keyof typeof RELATED_TABLE_FILES

/** A synonym of a word. */
export interface RelatedTerm {
  /** Terms, as from `findTerms`. A text matches if it contains all of them. */
  readonly terms: readonly string[]
  /** Confidence that the meaning is the same: above 0, at most 1. */
  readonly weight: number
}

/** Maximum cached words. */
const MOST_KEPT = 2_048
const kept = { en: new Map<string, readonly RelatedTerm[]>(), zh: new Map<string, readonly RelatedTerm[]>() }

const loaded: Partial<Record<ThesaurusLanguage, RelatedTable>> = {}

/**
 * Returns synonyms, hyponyms, hypernyms, derived words (a nurse, nursing) and near words, the most confident first.
 * The packaged table is read on first use.
 *
 * @param word in English a term, or the terms of an expression separated by spaces, as from `findTerms`.
 * In Chinese the word itself
 * @throws ModelError on the first call when the packaged file is missing or damaged.
 * @example
 * relatedTerms('spous', 'en')[0] // { terms: ['husband'], weight: … }
 */
export function relatedTerms(word: string, language: ThesaurusLanguage): readonly RelatedTerm[] {
  const known = kept[language].get(word)
  if (known !== undefined) return known
  const file = RELATED_TABLE_FILES[language]
  const table = (loaded[language] ??= decodeRelatedTable(file, readPackagedData(file)))
  const row = rowOf(table, word)
  if (row < 0) return []
  const related: RelatedTerm[] = []
  for (let index = table.starts[row] ?? 0; index < (table.starts[row + 1] ?? 0); index++) {
    const otherWord = table.words[table.others[index] ?? 0] ?? ''
    // Statements begin with “The user”: it is no synonym of a password.
    if (otherWord === 'user' || otherWord === '用户') continue
    const terms = language === 'en' ? otherWord.split(' ') : [...new Set(findTerms(otherWord))]
    related.push({ terms, weight: (table.weights[index] ?? 0) / WEIGHT_STEPS })
  }
  if (kept[language].size >= MOST_KEPT) kept[language].clear()
  kept[language].set(word, related)
  return related
}

import { type PackagedFile, readPackagedData } from '../vectors/read-packaged-data.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { decodeRelatedTable, rowOf, WEIGHT_STEPS, type RelatedTable } from './related-table.ts'

export const RELATED_TABLE_FILES = { en: 'related-terms-en.bin', zh: 'related-terms-zh.bin' } as const

/** Languages that have a table. */
export type ThesaurusLanguage = keyof typeof RELATED_TABLE_FILES

/** Another way to say a word. */
export interface RelatedTerm {
  /** Terms as `findTerms` has them; a text that says it holds all of them. */
  readonly terms: readonly string[]
  /** How sure it is that the same is meant: above 0, at most 1. */
  readonly weight: number
}

/** Words whose related terms are kept, once they were looked up: those that questions are asked with. */
const MOST_KEPT = 2_048
const kept = { en: new Map<number, readonly RelatedTerm[]>(), zh: new Map<number, readonly RelatedTerm[]>() }

const loaded: Partial<Record<ThesaurusLanguage, RelatedTable>> = {}

/**
 * What may be said in a word's place: synonyms, kinds of it, what it is a kind of, words of the same stock (a nurse,
 * nursing) and words near in meaning. The surest first. Read from a packaged file on first use.
 *
 * @param word in English a term, or the terms of an expression with spaces between them, as `findTerms` has them; in
 * Chinese the word itself
 * @throws ModelError on the first call when the packaged file is missing or damaged.
 * @example
 * relatedTerms('spous', 'en')[0] // { terms: ['husband'], weight: … }
 */
export function relatedTerms(word: string, language: ThesaurusLanguage): readonly RelatedTerm[] {
  const table = (loaded[language] ??= load(RELATED_TABLE_FILES[language]))
  const row = rowOf(table, word)
  if (row < 0) return []
  const known = kept[language].get(row)
  if (known !== undefined) return known
  const related: RelatedTerm[] = []
  for (let at = table.starts[row] ?? 0; at < (table.starts[row + 1] ?? 0); at++) {
    const other = table.words[table.others[at] ?? 0] ?? ''
    const terms = language === 'en' ? other.split(' ') : [...new Set(findTerms(other))]
    related.push({ terms, weight: (table.weights[at] ?? 0) / WEIGHT_STEPS })
  }
  if (kept[language].size >= MOST_KEPT) kept[language].clear()
  kept[language].set(row, related)
  return related
}

function load(name: PackagedFile): RelatedTable {
  return decodeRelatedTable(name, readPackagedData(name))
}

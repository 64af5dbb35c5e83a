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

/** Maximum words in the cache before it is cleared. */
const MAX_CACHED_WORDS = 2_048
const cache = { en: new Map<string, readonly RelatedTerm[]>(), zh: new Map<string, readonly RelatedTerm[]>() }

const loaded: Partial<Record<ThesaurusLanguage, RelatedTable>> = {}

/**
 * Returns words of the same or a near meaning, the most confident first: synonyms, kinds (“poodle” for “dog”), wider words (“animal”),
 * and derived words (“nursing” for “nurse”). The packaged table is read on first use.
 *
 * @param word in English a term, or the terms of an expression separated by spaces, as `findTerms` returns them. In Chinese the word itself
 * @throws ModelError on the first call if the packaged file is missing or damaged
 * @example
 * relatedTerms('spous', 'en')[0] // { terms: ['husband'], weight: … }
 */
export function relatedTerms(word: string, language: ThesaurusLanguage): readonly RelatedTerm[] {
  const cached = cache[language].get(word)
  if (cached !== undefined) return cached
  const file = RELATED_TABLE_FILES[language]
  const table = (loaded[language] ??= decodeRelatedTable(file, readPackagedData(file)))
  const row = rowOf(table, word)
  if (row < 0) return []
  const related: RelatedTerm[] = []
  for (let index = table.starts[row] ?? 0; index < (table.starts[row + 1] ?? 0); index++) {
    const otherWord = table.words[table.others[index] ?? 0] ?? ''
    // Statements begin with “The user”, which is meant as no synonym of another word.
    if (otherWord === 'user' || otherWord === '用户') continue
    const terms = language === 'en' ? otherWord.split(' ') : [...new Set(findTerms(otherWord))]
    related.push({ terms, weight: (table.weights[index] ?? 0) / WEIGHT_STEPS })
  }
  if (cache[language].size >= MAX_CACHED_WORDS) cache[language].clear()
  cache[language].set(word, related)
  return related
}

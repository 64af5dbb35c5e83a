import { readFileSync } from 'node:fs'
import { relate, type Relations } from './write-related-table.ts'

/** The weight between words that may replace each other. */
const SYNONYM_WEIGHT = 0.7
/** The weight between a word and a kind of it. */
const KIND_WEIGHT = 0.6

/**
 * Relates words by a list of our own. Dictionaries lack some relations of everyday talk: in them a dog is no pet, and a boss is related to
 * “leader” rather than to “manager”.
 * A line of the list is either synonyms with commas between them, or a word, a colon, and kinds of it.
 *
 * @param asKey converts a word or an expression to a key of the table
 */
export function relateByEverydayWords(
  relations: Relations,
  language: 'en' | 'zh',
  asKey: (expression: string) => string,
): void {
  const list = readFileSync(new URL(`everyday-${language}.txt`, import.meta.url), 'utf8')
  for (const line of list.split('\n').filter(Boolean)) {
    const [head = '', kinds] = line.split(': ')
    if (kinds === undefined) relateAll(relations, read(head, asKey))
    else relateKinds(relations, asKey(head), read(kinds, asKey))
  }
}

function read(words: string, asKey: (expression: string) => string): string[] {
  return words.split(', ').map(asKey)
}

function relateAll(relations: Relations, words: readonly string[]): void {
  for (const word of words) for (const other of words) relate(relations, word, other, SYNONYM_WEIGHT)
}

function relateKinds(relations: Relations, whole: string, kinds: readonly string[]): void {
  for (const kind of kinds) {
    relate(relations, whole, kind, KIND_WEIGHT)
    relate(relations, kind, whole, KIND_WEIGHT)
  }
}

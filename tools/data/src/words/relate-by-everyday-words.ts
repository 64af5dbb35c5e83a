import { readFileSync } from 'node:fs'
import { relate, type Relations } from './write-related-table.ts'

/** How sure it is that one word of a line is meant by another; and a kind by what it is one of, and back. */
const ALIKE = 0.7
const KIND = 0.6

/**
 * Relates words by a list of our own: dictionaries order words by what things are (a boss is a leader, a manager an
 * administrator, a dog no pet), talk by what they are to a person, and questions are put more formally than talk.
 * A line of the list is either words of which each may stand for another, with commas between, or a word, a colon,
 * and what it may be of.
 *
 * @param asKey makes of a word or an expression what the thesaurus calls it
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
  for (const word of words) for (const other of words) relate(relations, word, other, ALIKE)
}

function relateKinds(relations: Relations, whole: string, kinds: readonly string[]): void {
  for (const kind of kinds) {
    relate(relations, whole, kind, KIND)
    relate(relations, kind, whole, KIND)
  }
}

import { LRUCache } from 'lru-cache'
import {
  findTerms,
  hashText,
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  normaliseText,
} from '@keepsake/text'

const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the', '的'])
const NEGATIONS: ReadonlySet<string> = new Set(
  'no not nor neither never without 不 没 沒 無 无 未 别'.split(' '),
)

/** Returns every word and Han character in order, including those that `findTerms` omits. */
function readWords(text: string): string[] {
  const plain = normaliseText(text).replaceAll(/n't\b/g, ' not')
  return plain.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the function words: "in" or "out of", "his" or "her", "not". */
function grammarOf(text: string): string {
  return readWords(text)
    .filter((word) => !ARTICLES.has(word))
    .filter((word) => isEnglishFunctionWord(word) || isChineseFunctionCharacter(word))
    .join(' ')
}

/**
 * Checks whether two sentences say the same. Ignores only word forms, case, accents and articles, while
 * `compareValues` compares content words alone.
 *
 * @example
 * sameStatement('The user likes cats.', 'User likes a cat') // true
 * sameStatement('The user likes cats.', 'The user does not like cats.') // false
 */
export function sameStatement(first: string, second: string): boolean {
  // Equal fingerprints are compared in full, because hashes may collide.
  return fingerprintOf(first) === fingerprintOf(second) && isSame(first, second)
}

function isSame(first: string, second: string): boolean {
  const terms = findTerms(first)
  // Without content words, the texts are compared.
  if (terms.length === 0) return normaliseText(first) === normaliseText(second)
  return terms.join(' ') === findTerms(second).join(' ') && grammarOf(first) === grammarOf(second)
}

/** Caches fingerprints, because parsing takes the time. Holds only hashes, so that no erased text remains. */
const fingerprints = new LRUCache<string, number>({ max: 50_000 })

/** Hashes a statement so that equal ones have equal fingerprints. */
export function fingerprintOf(text: string): number {
  const key = `${text.length}:${hashText(text, 1)}:${hashText(text, 2)}`
  const known = fingerprints.get(key)
  if (known !== undefined) return known
  const terms = findTerms(text)
  const read = terms.length === 0 ? normaliseText(text) : `${terms.join(' ')}\n${grammarOf(text)}`
  const fingerprint = hashText(read, 1)
  fingerprints.set(key, fingerprint)
  return fingerprint
}

/** Checks for the same number of negations, so that a refinement does not reverse a statement. */
export function samePolarity(first: string, second: string): boolean {
  const count = (text: string): number => readWords(text).filter((word) => NEGATIONS.has(word)).length
  return count(first) === count(second)
}

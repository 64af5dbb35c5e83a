// Compares statements: whether they say the same, and whether one denies the other.
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

/** Returns all words and Chinese characters in order, including the function words that `findTerms` skips. */
function readWords(text: string): string[] {
  const plain = normaliseText(text).replaceAll(/n't\b/g, ' not')
  return plain.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the function words of a text, such as "in", "his" or "not". */
function functionWordsOf(text: string): string {
  return readWords(text)
    .filter((word) => !ARTICLES.has(word))
    .filter((word) => isEnglishFunctionWord(word) || isChineseFunctionCharacter(word))
    .join(' ')
}

/** Checks whether sentences say the same: only word forms, case, accents and articles may differ; “not” counts. */
export function sameStatement(first: string, second: string): boolean {
  // Equal fingerprints are compared in full, because hashes may collide.
  return fingerprintOf(first) === fingerprintOf(second) && isSame(first, second)
}

function isSame(first: string, second: string): boolean {
  const terms = findTerms(first)
  // Texts without content words are compared as they are.
  if (terms.length === 0) return normaliseText(first) === normaliseText(second)
  return terms.join(' ') === findTerms(second).join(' ') && functionWordsOf(first) === functionWordsOf(second)
}

/** Caches fingerprints, because parsing is slow. Its keys are hashes, so that no erased text remains in memory. */
const fingerprints = new LRUCache<string, number>({ max: 50_000 })

/** Returns a hash of a statement. Statements that say the same have the same hash. */
export function fingerprintOf(text: string): number {
  const key = `${text.length}:${hashText(text, 1)}:${hashText(text, 2)}`
  const known = fingerprints.get(key)
  if (known !== undefined) return known
  const terms = findTerms(text)
  const comparable = terms.length === 0 ? normaliseText(text) : `${terms.join(' ')}\n${functionWordsOf(text)}`
  const fingerprint = hashText(comparable, 1)
  fingerprints.set(key, fingerprint)
  return fingerprint
}

/** Checks whether two sentences have the same number of negations. If not, one may deny the other. */
export function samePolarity(first: string, second: string): boolean {
  const count = (text: string): number => readWords(text).filter((word) => NEGATIONS.has(word)).length
  return count(first) === count(second)
}

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

/** Every word in order, and every Han character: what `findTerms` leaves out as telling nothing is among them. */
function readWords(text: string): string[] {
  const plain = normaliseText(text).replaceAll(/n't\b/g, ' not')
  return plain.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []
}

/** The words that say how the others stand to each other: "in" or "out of", "his" or "her", "not". */
function grammarOf(text: string): string {
  return readWords(text)
    .filter((word) => !ARTICLES.has(word))
    .filter((word) => isEnglishFunctionWord(word) || isChineseFunctionCharacter(word))
    .join(' ')
}

/**
 * Whether two sentences say the same. Stricter than `compareValues`, which looks at content words alone: to it, liking
 * and not liking coffee are one. Here word forms, case, accents and articles make no difference, and everything else does.
 *
 * @example
 * sameStatement('The user likes cats.', 'User likes a cat') // true
 * sameStatement('The user likes cats.', 'The user does not like cats.') // false
 */
export function sameStatement(one: string, other: string): boolean {
  // What reads otherwise is not the same; what reads alike is compared in full, as a hash may err.
  return fingerprintOf(one) === fingerprintOf(other) && isSame(one, other)
}

function isSame(one: string, other: string): boolean {
  const terms = findTerms(one)
  // Nothing but words that tell nothing: there is only what stands there to compare.
  if (terms.length === 0) return normaliseText(one) === normaliseText(other)
  return terms.join(' ') === findTerms(other).join(' ') && grammarOf(one) === grammarOf(other)
}

/**
 * Each new statement is compared with every one known of its subject, and reading is what takes the time. Only hashes are
 * kept, so that no text outlives its erasure here.
 */
const fingerprints = new LRUCache<string, number>({ max: 50_000 })

/** Alike for statements that say the same, and seldom for others. */
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

/** Whether two sentences deny as much: what is told more exactly must not turn into its opposite. */
export function samePolarity(one: string, other: string): boolean {
  const count = (text: string): number => readWords(text).filter((word) => NEGATIONS.has(word)).length
  return count(one) === count(other)
}

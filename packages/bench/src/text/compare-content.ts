import { isInPlain, type Content, type ContentWord } from './read-content.ts'
import { compareQuantities, showQuantity } from './compare-quantities.ts'
import type { Quantity } from './read-quantities.ts'

/** The result of comparing a found text with an expected one. */
export interface ContentComparison {
  /** Share of the expected content that is found with the same sense, 0 to 1. `null`: there is no expected content. */
  readonly share: number | null
  /** Expected words and values that are found. */
  readonly covered: readonly string[]
  /** Expected words and values that are not found. */
  readonly missing: readonly string[]
  /** Words that one text affirms and the other denies. */
  readonly opposed: readonly string[]
  /** The share of expected words that are opposed, 0 to 1. Numbers do not count, as texts do not deny them. */
  readonly opposedShare: number
  /** Other values in place of expected ones, such as `2 dog ≠ 3 dog`. */
  readonly conflicts: readonly string[]
  /** Whether an expected number, date or name is missing. */
  readonly lacksValue: boolean
  /** Whether at least half of the shared content is opposed. */
  readonly contradicts: boolean
  /** Whether the found text calls something possible that is expected to be certain. */
  readonly isLessSure: boolean
  /** Whether the found text is about another person. */
  readonly isOfAnother: boolean
  /** Keys of the covered content, with its subject. They are joined if several texts are compared together. */
  readonly keys: ReadonlySet<string>
}

interface CompareOptions {
  /** Keys that are left out, such as words of the question. */
  readonly without?: ReadonlySet<string>
  /** Whether both texts are statements about the memory's user. Subjects at their start are then compared as persons, not as content. */
  readonly areStatements?: boolean
}

/** Compares the content of two texts. */
export function compareContent(
  expected: Content,
  found: Content,
  options: CompareOptions = {},
): ContentComparison {
  const words = expectedWords(expected, found, options)
  const quantities = compareQuantities(expected.quantities, found.quantities)
  const { agreed, conflicting } = quantities
  const byState = Map.groupBy(words, (word) => stateOf(word, found))
  const covered = byState.get('covered') ?? []
  const opposed = byState.get('opposed') ?? []
  const missing = byState.get('missing') ?? []
  const coveredWords = [...expected.words.values()].filter((word) => stateOf(word, found) === 'covered')
  const valueCount = agreed.length + conflicting.length + quantities.missing.length
  const total = weigh(words) + valueCount
  return {
    share: total === 0 ? null : (weigh(covered) + agreed.length) / total,
    covered: [...covered.map(surfaceOf), ...agreed.map(showQuantity)],
    missing: [...missing.map(surfaceOf), ...quantities.missing.map(showQuantity)],
    opposed: opposed.map(surfaceOf),
    opposedShare: words.length === 0 ? 0 : weigh(opposed) / weigh(words),
    conflicts: conflicting.map((pair) => `${showQuantity(pair.expected)} ≠ ${showQuantity(pair.found)}`),
    lacksValue: conflicting.length + quantities.missing.length > 0 || missing.some(({ isName }) => isName),
    contradicts: opposed.length > 0 && weigh(opposed) >= weigh(covered),
    isLessSure: found.isHedged && !expected.isHedged,
    isOfAnother: options.areStatements === true && isOfAnother(expected, found),
    keys: new Set([...coveredWords.map(({ key }) => key), ...agreed.map(keyOfQuantity)]),
  }
}

/** Makes the key of a quantity, for sets that also have keys of words. */
export function keyOfQuantity({ kind, value }: Quantity): string {
  return `${kind} ${value}`
}

/** Reports whether a text has no word or value to compare. */
export function isEmptyContent({ words, quantities }: Content): boolean {
  return words.size === 0 && quantities.length === 0
}

function expectedWords(expected: Content, found: Content, options: CompareOptions): ContentWord[] {
  const candidates = [...expected.words.values()].filter(({ key }) => options.without?.has(key) !== true)
  if (options.areStatements !== true) return candidates
  const content = candidates.filter((word) => !word.isLeading && !isSubjectInChinese(word, expected, found))
  // If a text has only a name, the name is the content.
  return content.length + expected.quantities.length === 0 ? candidates : content
}

/** Maximum number of characters of a Chinese name. Most have two or three. */
const MAX_CHINESE_NAME = 3

/** Reports whether a word belongs to the subject of a Chinese text: the common beginning of both texts, or the beginning of one if the other begins with 用户 (user). */
function isSubjectInChinese({ key }: ContentWord, expected: Content, found: Content): boolean {
  if (!/^\p{Script=Han}/u.test(expected.plain) || expected.hasGenericSubject) return false
  const start = found.hasGenericSubject
    ? expected.plain.slice(0, MAX_CHINESE_NAME)
    : commonStart(expected.plain, found.plain).slice(0, MAX_CHINESE_NAME)
  return start.startsWith(key) || (key.length === 1 && start.includes(key))
}

function commonStart(text: string, otherText: string): string {
  let length = 0
  while (length < text.length && text[length] === otherText[length]) length += 1
  return text.slice(0, length)
}

function stateOf(word: ContentWord, found: Content): 'covered' | 'opposed' | 'missing' {
  const foundSenses = found.words.get(word.key)?.denied ?? sensesInChinese(word.key, found)
  if (foundSenses === null) return 'missing'
  return [...word.denied].some((isDenied) => foundSenses.has(isDenied)) ? 'covered' : 'opposed'
}

/** Returns whether a text affirms or denies a Chinese word. It looks for its characters, because word boundaries vary. `null`: the word is absent. */
function sensesInChinese(key: string, found: Content): ReadonlySet<boolean> | null {
  if (!isInPlain(found.plain, key)) return null
  const similar = [...found.words.values()].find((word) => word.key.includes(key) || key.includes(word.key))
  return similar?.denied ?? new Set([false])
}

/** Reports whether two statements are about different persons, by the relation (“my sister”) or the names with which they begin. */
function isOfAnother(expected: Content, found: Content): boolean {
  if (expected.relation !== found.relation) {
    const relation = found.relation ?? expected.relation
    const textWithout = found.relation === null ? found : expected
    if (relation !== null && !textWithout.plain.includes(relation)) return true
  }
  const expectedNames = leadingNames(expected)
  const foundNames = leadingNames(found)
  if (expectedNames.length === 0 || foundNames.length === 0) return false
  const shareNames =
    expectedNames.some(({ key }) => found.words.has(key)) ||
    foundNames.some(({ key }) => expected.words.has(key))
  return !shareNames
}

function leadingNames({ words, hasGenericSubject }: Content): ContentWord[] {
  return hasGenericSubject ? [] : [...words.values()].filter(({ isLeading }) => isLeading)
}

function weigh(words: readonly ContentWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}

function surfaceOf({ surface }: ContentWord): string {
  return surface
}

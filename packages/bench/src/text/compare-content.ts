import { isInPlain, type Content, type ContentWord } from './read-content.ts'
import { compareQuantities, showQuantity } from './compare-quantities.ts'
import type { Quantity } from './read-quantities.ts'

export interface ContentComparison {
  /** Share of the expected content present with the same sense, 0 to 1; `null` without expected content. */
  readonly share: number | null
  readonly covered: readonly string[]
  readonly missing: readonly string[]
  /** Words that one affirms and the other denies. */
  readonly opposed: readonly string[]
  /** Their share of the expected words, 0 to 1; numbers are not denied, so they do not count. */
  readonly opposedShare: number
  /** `expected ≠ found`. */
  readonly conflicts: readonly string[]
  /** Whether an expected number, date or name is missing. */
  readonly lacksValue: boolean
  /** Whether at least as much of the shared content is opposed as agrees. */
  readonly contradicts: boolean
  /** Whether it is only possible where certainty is expected. */
  readonly isLessSure: boolean
  /** Whether it is about another person. */
  readonly isOfAnother: boolean
  /** Keys of the covered content, including the subject, for unions. */
  readonly keys: ReadonlySet<string>
}

interface CompareOptions {
  /** Keys that do not count, such as words of the question. */
  readonly without?: ReadonlySet<string>
  /** Whether both are statements about the memory's user: their leading subjects are compared as such and are not content. */
  readonly areStatements?: boolean
}

/** Compares `expected` with `found`, word by word. */
export function compareContent(
  expected: Content,
  found: Content,
  options: CompareOptions = {},
): ContentComparison {
  const words = expectedWords(expected, found, options)
  const quantities = compareQuantities(expected.quantities, found.quantities)
  const { agreed, conflicting } = quantities
  const byState = Map.groupBy(words, (word) => stateOf(word, found))
  const [covered = [], opposed = [], missing = []] = (['covered', 'opposed', 'missing'] as const).map(
    (state) => byState.get(state),
  )
  const coveredWords = [...expected.words.values()].filter((word) => stateOf(word, found) === 'covered')
  const values = agreed.length + conflicting.length + quantities.missing.length
  const total = weigh(words) + values
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

/** Key of a quantity among those of words. */
export function keyOfQuantity({ kind, value }: Quantity): string {
  return `${kind} ${value}`
}

/** Whether a text has nothing to compare. */
export function isEmptyContent({ words, quantities }: Content): boolean {
  return words.size === 0 && quantities.length === 0
}

function expectedWords(expected: Content, found: Content, options: CompareOptions): ContentWord[] {
  const candidates = [...expected.words.values()].filter(({ key }) => options.without?.has(key) !== true)
  if (options.areStatements !== true) return candidates
  const content = candidates.filter((word) => !word.isLeading && !isSubjectInChinese(word, expected, found))
  // A text of a name alone is about that name.
  return content.length + expected.quantities.length === 0 ? candidates : content
}

const MAX_CHINESE_NAME = 3

/** Chinese has no capitals: the subject is the common start or, where the other begins with a word like 用户, the first word. */
function isSubjectInChinese({ key }: ContentWord, expected: Content, found: Content): boolean {
  if (!/^\p{Script=Han}/u.test(expected.plain) || expected.hasGenericSubject) return false
  const start = found.hasGenericSubject
    ? expected.plain.slice(0, MAX_CHINESE_NAME)
    : commonStart(expected.plain, found.plain).slice(0, MAX_CHINESE_NAME)
  return start.startsWith(key) || (key.length === 1 && start.includes(key))
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return one.slice(0, length)
}

function stateOf(word: ContentWord, found: Content): 'covered' | 'opposed' | 'missing' {
  const denied = found.words.get(word.key)?.denied ?? deniedInChinese(word.key, found)
  if (denied === null) return 'missing'
  return [...word.denied].some((one) => denied.has(one)) ? 'covered' : 'opposed'
}

/** Chinese word boundaries vary by sentence, so a word also counts where its characters are adjacent. */
function deniedInChinese(key: string, found: Content): ReadonlySet<boolean> | null {
  if (!isInPlain(found.plain, key)) return null
  const similar = [...found.words.values()].find((word) => word.key.includes(key) || key.includes(word.key))
  return similar?.denied ?? new Set([false])
}

function isOfAnother(expected: Content, found: Content): boolean {
  if (expected.relation !== found.relation) {
    const [relation, other] =
      found.relation === null ? [expected.relation, found] : [found.relation, expected]
    if (relation !== null && !other.plain.includes(relation)) return true
  }
  const mine = leadingNames(expected)
  const theirs = leadingNames(found)
  if (mine.length === 0 || theirs.length === 0) return false
  return !mine.some(({ key }) => found.words.has(key)) && !theirs.some(({ key }) => expected.words.has(key))
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

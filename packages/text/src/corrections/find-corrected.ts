// Finds the words of an earlier statement that a correction (read-correction.ts) replaces.
import { escapePattern } from '../pattern.ts'
import { isGivenName } from '../rules/english/word-kinds.ts'
import leven from 'leven'
import { normaliseText } from '../terms/normalise-text.ts'
import { simplifyChinese } from '../terms/simplify-chinese.ts'
import { segmentChinese } from '../vectors/chinese-words.ts'
import type { Correction } from './read-correction.ts'

/**
 * Finds the words of a statement that a correction replaces. The words that it names come first. Without them, the only words of the same
 * kind are taken (a weekday, a number with its unit, a name), or else words with a similar spelling.
 *
 * @param statement what the same speaker said before, in simplified characters
 * @param values values of facts that rest on the statement
 * @param fitting words of the statement in whose place the right value states the same kind of fact; see {@link findFitting}
 * @returns the words as written in the statement, or `null` if the correction is not about it
 * @example
 * findCorrected({ right: 'Tuesday', wrong: null, … }, 'My appointment is on Thursday.', []) // 'Thursday'
 */
export function findCorrected(
  correction: Omit<Correction, 'before' | 'place' | 'frame'>,
  statement: string,
  values: readonly string[],
  fitting: readonly string[] = [],
): string | null {
  const found = findWrong(correction, statement, values, fitting)
  return found === null ? null : withSharedWords(statement, found, correction.right ?? '')
}

/** Finds the wrong words of a statement, by the surest sign first: words that are named, framed, of the same kind, spelled alike, alone. */
function findWrong(
  { right, wrong, isExplicit, isBare, isWithin }: Omit<Correction, 'before' | 'place' | 'frame'>,
  statement: string,
  values: readonly string[],
  fitting: readonly string[],
): string | null {
  if (right === null) return null
  if (wrong !== null) return findNamed({ right, wrong, isBare }, statement, values, fitting)
  if (findWords(statement, right) !== null) return null
  const framed = HAN.test(right) ? findFramed(statement, right) : null
  if (framed !== null) return framed
  const found = right.includes('@')
    ? onlyOne([...statement.matchAll(EMAIL)].map(([email]) => email))
    : findKind(statement, right)
  if (found !== undefined) return found

  // “Sorry, Anna.” may only address someone, so a bare given name replaces nothing but a given name.
  const mayAddress = !isExplicit && isGivenName(right) && !fitting.some(isGivenName)
  const isName = isExplicit || (/^\p{Lu}/u.test(right) && !mayAddress)
  const alike = fitting.find((words) => isSpelledAlike(words, right))
  const fit = alike ?? (isName ? onlyFit(fitting) : null)
  if (fit !== null) return fit
  const statedValues = values.flatMap((value) => findWords(statement, value) ?? [])
  const value = onlyOne(statedValues.filter((one) => isAlikeIn(one, right, isExplicit)))
  if (value !== null) return value
  const name = HAN.test(right) ? null : findName(statement, right, isExplicit)
  if (name !== null || !isWithin || mayAddress) return name
  // Within a sentence a correction follows right after the wrong words, so that the last ones are meant.
  const endOf = (words: string): number => statement.lastIndexOf(words) + words.length
  return fitting.toSorted((first, second) => endOf(second) - endOf(first))[0] ?? null
}

/** Finds the words that the correction itself names as wrong: “Tuesday, not Thursday”. */
function findNamed(
  { right, wrong, isBare }: { readonly right: string; readonly wrong: string; readonly isBare: boolean },
  statement: string,
  values: readonly string[],
  fitting: readonly string[],
): string | null {
  const fit = fitting.find((words) => findWords(wrong, words) !== null)
  const named = fit ?? wholeName(statement, findWords(statement, wrong))
  if (named === null || isSame(named, right)) return null
  const isValue = fit !== undefined || values.some((value) => isSame(value, named))
  if (isBare && !isValue && !isOneKind(named, right)) return null
  return findKind(named, right) ?? named
}

/** Returns the shortest fitting words if all are ends of the longest ones (“small bakery”, “bakery”). Otherwise several may be meant. */
function onlyFit(fitting: readonly string[]): string | null {
  const [longest, ...rest] = fitting
  if (longest === undefined || !rest.every((words) => longest.endsWith(words))) return null
  return rest.at(-1) ?? longest
}

/** Matches the end of words before a value that say what it is: a verb with a preposition, 住在. */
const FRAME_END =
  /(?<verb>\p{L}+)\s(?<preposition>in|at|for|from|on|as)$|(?<only>take|teach|stud[yi]|play|drive|speak)(?:e?s)?$|(?<han>[住教学练姓]在?|在)(?:的[是叫])?$/iu
/** Matches a contracted “is”, which refers back: “it's in”. */
const REFERS_BACK = /\b(?:it|that|he|she|they)(?:['’](?:s|re)| is| was| are) \p{L}+$/iu

/** Matches words before a value whose subject is the speaker: “I live in”, 我现在住在, but not “my sister lives in”. */
const OF_SPEAKER =
  /(?:^|[,.!?]\s*)(?:(?:and|but|so|well|yes)\s)?I\b[^,.]*$|我们?(?:现在|目前|一直|已经|还|就|也|是|家|曾经?)*[住教学练姓]?在?的?[是叫]?$/iu

function isOfSpeaker(words: string): boolean {
  return OF_SPEAKER.test(words.trim())
}

/** Reports whether the words before the right value fit those before the wrong one: “live in”, not “work in”. “it's” fits any. */
export function fitsFrame({ frame, wrong }: Pick<Correction, 'frame' | 'wrong'>, statement: string): boolean {
  if (frame === null) return false
  const { verb, preposition, only, han } = FRAME_END.exec(frame)?.groups ?? {}
  const [before = ''] = wrong === null ? [] : statement.split(patternOf(wrong))
  if (isOfSpeaker(frame) && !isOfSpeaker(before)) return false
  if (han !== undefined) return before.endsWith(han)
  if (only !== undefined) return before.toLowerCase().includes(only.toLowerCase())
  if (preposition === undefined) return true
  if (REFERS_BACK.test(frame)) return findWords(before, preposition) !== null
  const stem = (word: string): string => word.toLowerCase().replace(/(?:s|d|ing|e)$/u, '')
  const said = FRAME_END.exec(before.trim())?.groups
  return said?.['preposition'] === preposition && stem(said['verb'] ?? '') === stem(verb ?? '')
}

/** Reports whether two values are names, or numbers or days of one form, or spelled nearly the same. */
function isOneKind(first: string, second: string): boolean {
  if (isSpelledAlike(first, second) || typeof findKind(first, second) === 'string') return true
  return [first, second].every((value) => !HAN.test(value) && /^(?:[Tt]he )?\p{Lu}/u.test(value))
}

/**
 * Removes the words, or Chinese characters, that two values begin and end with: “the 4th” and “the 14th” become “4th” and “14th”.
 */
export function narrowValues(wrong: string, right: string): [wrong: string, right: string] {
  const pieces = (text: string): string[] => text.match(HAN.test(text) ? /./gu : /\S+\s*/gu) ?? []
  let [first, second] = [pieces(wrong), pieces(right)]
  const sharePieceAt = (index: number): boolean =>
    first.length > 1 &&
    second.length > 1 &&
    simplifyChinese(first.at(index) ?? '') === simplifyChinese(second.at(index) ?? '')
  while (sharePieceAt(0)) [first, second] = [first.slice(1), second.slice(1)]
  while (sharePieceAt(-1)) [first, second] = [first.slice(0, -1), second.slice(0, -1)]
  return [first.join('').trim(), second.join('').trim()]
}

function isSame(first: string, second: string): boolean {
  return normaliseText(first).toLowerCase() === normaliseText(second).toLowerCase()
}

/** Completes a name that is cut: “the Royal” of “the Royal Infirmary”. */
function wholeName(statement: string, words: string | null): string | null {
  if (words === null || !/^the \p{Lu}/u.test(words)) return words
  return new RegExp(`${escapePattern(words)}(?: \\p{Lu}[\\p{L}'’-]*)*`, 'u').exec(statement)?.[0] ?? words
}

/** Finds words in a text and returns them as the text writes them. In scripts with spaces, only whole words match. */
function findWords(text: string, words: string): string | null {
  return patternOf(words).exec(text)?.[0] ?? null
}

function patternOf(words: string, flags = ''): RegExp {
  const before = isSpaced(words.charAt(0)) ? `(?<!${EDGE})` : ''
  const after = isSpaced(words.at(-1) ?? '') ? `(?!${EDGE})` : ''
  return new RegExp(`${before}${escapePattern(words)}${after}`, `iv${flags}`)
}

/**
 * Replaces words in a text. In scripts with spaces, only whole words match. Traditional characters match their simplified forms.
 *
 * @returns `null` if the text does not have the words
 * @example
 * replaceWords('The user lives in Porto.', 'Porto', 'Lisbon') // 'The user lives in Lisbon.'
 */
export function replaceWords(text: string, words: string, by: string): string | null {
  let [replaced, from] = ['', 0]
  for (const { 0: found, index } of simplifyChinese(text).matchAll(patternOf(simplifyChinese(words), 'g'))) {
    replaced += text.slice(from, index) + by
    from = index + found.length
  }
  return from === 0 ? null : replaced + text.slice(from)
}

/** Finds the words of a statement, longest first, in whose place `right` states a fact with the same key. `read` reads the facts. */
export function findFitting(
  statement: string,
  right: string,
  read: (text: string) => readonly { readonly key: string; readonly taken: readonly string[] }[],
): string[] {
  const fits = (key: string, words: string): boolean => {
    const replaced = replaceWords(statement, words, right)
    const facts = replaced === null ? [] : read(replaced)
    return facts.some(
      (fact) =>
        fact.key === key && fact.taken.some((taken) => endsOf(taken).some((end) => isSame(end, right))),
    )
  }
  const words = read(statement).flatMap(({ key, taken }) =>
    taken.flatMap(endsOf).map((end) => [key, end] as const),
  )
  const fitting = words.filter(([key, end]) => !isSame(end, right) && fits(key, end)).map(([, end]) => end)
  return [...new Set(fitting)].toSorted((first, second) => second.length - first.length)
}

/** Reports whether a text contains words, or an end of them: “works at Bosch since May” contains the end of “I work at Bosch”. */
export function namesEnd(text: string, words: string): boolean {
  return endsOf(words).some(
    (end) => (end.length > 1 || end === words) && replaceWords(text, end, '') !== null,
  )
}

/** Maximum number of words, or Chinese characters, that may be cut off the beginning of a value. */
const MAX_CUT = 8

/** Returns words, and each end of them: “a small bakery”, “small bakery”, “bakery”. A name such as “New York” is not cut. */
function endsOf(words: string): string[] {
  const pieces = HAN.test(words) ? Array.from(words) : words.split(/(?<=\s)/u)
  const ends = pieces.map((_, index) => pieces.slice(index).join(''))
  return ends
    .slice(0, MAX_CUT)
    .filter((end, index) => index === 0 || !isInName(words.slice(0, words.length - end.length), end))
}

/** Reports whether a cut divides a name: “Bank of | America”. In Chinese, a cut after a verb or between two words divides none. */
function isInName(before: string, after: string): boolean {
  if (HAN.test(after)) {
    const [last = '', first = ''] = [segmentChinese(before).at(-1), segmentChinese(after)[0]]
    return (
      !/[在到去回叫是姓为从于对过了着个名学教练做当吃喝养爱欢有]$/u.test(before) &&
      Math.min(last.length, first.length) < 2
    )
  }
  return /^\p{Lu}/u.test(after) && /(?:^|\s)\p{Lu}[\p{L}.'’-]*(?: (?:of|the|de|la|le|upon))*\s$/u.test(before)
}

/** Adds the first words that the wrong value shares with the right one: “York” becomes “New York” for “New Haven”. */
function withSharedWords(statement: string, wrong: string, right: string): string {
  const pieces = HAN.test(right) ? Array.from(right) : right.split(/(?<=\s)/u)
  const leads = pieces.map((_, index) => pieces.slice(0, index).join('') + wrong).toReversed()
  return leads.map((words) => findWords(statement, words)).find((words) => words !== null) ?? wrong
}

function isSpaced(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character) && !HAN.test(character)
}

function onlyOne(found: readonly string[]): string | null {
  const different = [...new Set(found)]
  return different.length === 1 ? (different[0] ?? null) : null
}

/** Finds the only words of the kind of a number, weekday or month. `null` if there are several or none, `undefined` for other values. */
function findKind(statement: string, value: string): string | null | undefined {
  const pieces = [...value.matchAll(PIECE)].map(([piece]) => ({ piece, kind: kindOf(piece) }))
  const isKind = pieces.some(({ kind }) => kind !== undefined)
  if (!isKind || pieces.some(({ piece, kind }) => kind === undefined && HAN.test(piece) && !UNIT.test(piece)))
    return undefined
  const pattern = pieces.map(
    ({ piece, kind }) => kind ?? (/^\s+$/u.test(piece) ? String.raw`\s*` : escapePattern(piece)),
  )
  const kind = new RegExp(`(?<!${EDGE}|\\d[:.])${pattern.join('')}(?!${EDGE}|[:.]\\d)`, 'giv')
  return onlyOne([...statement.matchAll(kind)].map(([words]) => words))
}

function kindOf(piece: string): string | undefined {
  return KINDS_OF_WORD.find(([isOfKind]) => isOfKind.test(piece))?.[1]
}

/** Reports whether a right value without numbers may replace a fact's value: both are names, or both are not. */
function isAlikeIn(value: string, right: string, isExplicit: boolean): boolean {
  if (isSpelledAlike(value, right)) return true
  if (!isExplicit || HAN.test(value) !== HAN.test(right)) return false
  const isName = (text: string): boolean => /^\p{Lu}/u.test(text)
  return HAN.test(value) || isName(value) === isName(right)
}

function isSpelledAlike(first: string, second: string): boolean {
  const [short, long] = [first, second].toSorted((left, right) => left.length - right.length)
  if (short === undefined || long === undefined || first === second) return false
  if (HAN.test(first)) return isHanAlike(first, second)
  return (
    short.length >= 3 &&
    leven(first.toLowerCase(), second.toLowerCase()) <= Math.max(1, Math.floor(long.length / 3))
  )
}

/** Matches a capitalised name within a sentence. */
const NAME = /(?<=[\p{Ll}\p{N},;:'’]\s)\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*)*/gu
/** Matches words right before a name: “called”. */
const NAMING = /\b(?:called|named|names?(?:['’]s| is)|it['’]s)\s+$/iu

/** Finds the only word with a similar spelling, or else the only name that an English value may replace. */
function findName(statement: string, right: string, isExplicit: boolean): string | null {
  const words = statement.match(/[\p{L}'’-]{3,}/gu) ?? []
  const alike = onlyOne(words.filter((word) => isSpelledAlike(word, right)))
  if (alike !== null || !/^\p{Lu}/u.test(right)) return alike
  const names = [...statement.matchAll(NAME)].filter(([name]) => name !== 'I')
  const introduced = names.filter(({ index }) => NAMING.test(statement.slice(0, index)))
  return onlyOne((isExplicit && introduced.length === 0 ? names : introduced).map(([name]) => name))
}

/** Finds the words that begin and end as a Chinese value does: 对花生过敏 for the value 对虾过敏. */
function findFramed(statement: string, right: string): string | null {
  for (let begins = right.length - 1; begins > 0; begins -= 1) {
    const from = statement.indexOf(right.slice(0, begins))
    if (from < 0) continue
    for (let ends = begins + 1; ends < right.length; ends += 1) {
      const last = right.slice(ends)
      const at = statement.indexOf(last, from + begins)
      if (at > 0 && begins + last.length >= 3) return statement.slice(from, at + last.length)
    }
    return null
  }
  return null
}

function isHanAlike(first: string, second: string): boolean {
  return first.length === second.length && first.length > 1 && countShared(first, second) * 2 >= first.length
}

function countShared(first: string, second: string): number {
  return Array.from(first).filter((character, index) => character === second.charAt(index)).length
}

const WEEKDAY = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const MONTH = 'january|february|march|april|may|june|july|august|september|october|november|december'
const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
/** Kinds of words that may replace each other, such as weekdays. Each has a test for a word and the pattern of its kind. */
const KINDS_OF_WORD: readonly (readonly [isOfKind: RegExp, kind: string])[] = [
  [new RegExp(`^(?:${WEEKDAY})$`, 'iu'), `(?:${WEEKDAY})`],
  [new RegExp(`^(?:${MONTH})$`, 'iu'), `(?:${MONTH})`],
  [new RegExp(`^(?:${NUMBER_WORD})$`, 'iu'), `(?:${NUMBER_WORD})`],
  [
    /^\d+(?:st|nd|rd|th)?$/iu,
    String.raw`(?:\d+(?:st|nd|rd|th)?|(?!one)(?:${NUMBER_WORD})(?:-(?:${NUMBER_WORD}))?)`,
  ],
  [/^[零〇一二两三四五六七八九十百千万半]+$/u, '[零〇一二两三四五六七八九十百千万半]+'],
  [/^(?:周|星期|礼拜)[一二三四五六日天末]$/u, '(?:周|星期|礼拜)[一二三四五六日天末]'],
]
/** Matches the pieces of a value: a weekday, a number, a word, spaces, any other character. */
const PIECE =
  /(?:周|星期|礼拜)[一二三四五六日天末]|[零〇一二两三四五六七八九十百千万半]+|\d+(?:st|nd|rd|th)?|[\p{L}--\p{Script=Han}]+|\s+|[^]/gv
/** Matches a unit of Chinese numbers. Any other character beside a numeral belongs to a name: 三亚. */
const UNIT = /^[年月日号岁点分块元个天周米平度楼路斤克公里钱%]$/u
/** A letter or digit. A value next to one is part of a longer word or number. */
const EDGE = String.raw`[[\p{L}\p{N}]--\p{Script=Han}]`
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu
const HAN = /\p{Script=Han}/u

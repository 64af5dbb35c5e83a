import {
  findTerms,
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  normaliseText,
  relatedTerms,
} from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { compareClaim, RELATION_OF } from './compare-claim.ts'
import { compareDates, compareNumbers, DATE } from './compare-particulars.ts'
import { languageOf, open, textOf, type Difference, type Talk } from './difference.ts'
import { hasHan, isUserWord, namesOfSpeakers } from './find-unsupported.ts'
import { isUnitWord } from './read-quantities.ts'

/**
 * Compares a statement with what was said: numbers, units, dates, person, negation, degree and its other words.
 *
 * @returns the first certain difference, else the first open one; `null` if the statement says what was said
 */
export function compareStatement(given: Candidate, said: Talk): Difference | null {
  const candidate = isEntry(given) ? { ...given, text: given.value ?? '' } : given
  const particulars = [...compareNumbers(candidate, said), ...compareDates(candidate, said)]
  // The wording of a long statement proves nothing: it collects what many turns say.
  const isShort =
    findTerms(candidate.text).length <= MAX_TERMS[hasHan(candidate.text) ? 'unspaced' : 'spaced']
  const claims = isShort
    ? [...(said.isConfirmed ? [] : compareClaim(candidate, said)), compareWords(candidate, said)]
    : []
  const differences = [...particulars, ...claims].filter((value) => value !== null)
  const certain = differences.find(({ outcome }) => outcome === 'wrong')
  return certain ?? (isShort ? (differences[0] ?? null) : null)
}

/** Checks for a key and value instead of a sentence: "Maya, favourite food: ramen." */
function isEntry({ text, value }: Candidate): boolean {
  return value !== null && /[:：]\s*$/.test(text.replace(/[.。]$/, '').split(value)[0] ?? '')
}

/** Maximum number of terms of a statement of which all words are compared. */
const MAX_TERMS = { spaced: 16, unspaced: 40 }

/** Terms that statements use whatever was said. */
const COMMON_TERMS = new Set(
  findTerms(
    'user users agent assistant say said mention mentioned called named name own owns keep have has own plans plan planning want wants believe believes think thinks feel feels find finds found like likes live lives work works go goes went make made take took get got currently recently now person people thing things woman man year years old age time call date day days month week part place since about born turn currently both also former previously lately longer roughly approximately around together responsible two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand first second third half twice 用户 助手 说 提到 表示 认为 觉得 有 是 在 叫 名叫 打算 计划 现在 目前 最近 今年 去年 年 月 日 号 岁 天 的 人 家 到 从 因为 所以 曾经 已经 将 会 每 中 上',
  ),
)
/** Minimum share of a statement's words that must have been said. */
const MIN_SAID_SHARE = { spaced: 0.75, unspaced: 0.8 }

/** Compares the content words and names of a statement with those that were said. */
function compareWords(candidate: Candidate, said: Talk): Difference | null {
  const talk = textOf(said)
  const heard = new Set(findTerms(normaliseText(talk)))
  const isChinese = hasHan(candidate.text)
  const text = candidate.text.replaceAll(DATE, ' ')
  const isOther = languageOf(candidate.text) === 'other'
  const first = new Set(said.turns.flatMap(({ speaker }) => findTerms(speaker?.split(/\s+/)[0] ?? '')))
  const terms = [...new Set(findTerms(normaliseText(text)))].filter((term) => {
    if (first.has(term) || isUnitWord(term) || isUserWord(term) || (isOther && term.length < 4)) return false
    if (COMMON_TERMS.has(term) || /^\d/.test(term) || RELATION_OF.has(term)) return false
    return isChinese ? term.length === 1 && !isChineseFunctionCharacter(term) : !isEnglishFunctionWord(term)
  })
  const unsaid = terms.filter(
    (term) => !heard.has(term) && !isRelated(term, heard, languageOf(candidate.text)),
  )
  const name = unsaidName(candidate, said)
  if (name !== null) return open(`"${name}" was not said`)
  const changed = isChinese ? changedCharacter(text, talk, unsaid) : null
  if (changed !== null) return open(`"${changed}" stands for another word`)
  const share = terms.length === 0 ? 1 : 1 - unsaid.length / terms.length
  return share >= MIN_SAID_SHARE[isChinese ? 'unspaced' : 'spaced']
    ? null
    : open(`much of it was not said: ${unsaid.slice(0, 5).join(', ')}`)
}

/** Finds a Chinese character that replaces another one next to the same character: 本田 for 丰田. */
function changedCharacter(text: string, talk: string, unsaid: readonly string[]): string | null {
  const isOther = (char: string | undefined): boolean =>
    char !== undefined && hasHan(char) && !text.includes(char) && !isChineseFunctionCharacter(char)
  const chars = Array.from(text)
  const place = chars.findIndex((char, index) => {
    if (!unsaid.includes(char)) return false
    const [before = '', after = ''] = [chars[index - 1], chars[index + 1]]
    return Array.from(talk).some(
      (one, at, all) =>
        isOther(one) &&
        ((hasHan(before) && all[at - 1] === before) || (hasHan(after) && all[at + 1] === after)),
    )
  })
  return place < 0 ? null : (chars[place] ?? null)
}

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}’'-]+/gu
/** Matches a name in Chinese: what follows a word of naming or of place. */
const NAMED_IN_CHINESE =
  /(?:名叫|叫|姓|在|去|到|住|来自)(\p{Script=Han}{2})|(?:[老小]?)(\p{Script=Han})(?=阿姨|叔|老师|医生|师傅|先生|女士|小姐|经理|总(?!是|共|算|之|统|部))/gu
const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Finds a name in a statement that was not said; `null` if there is none. */
function unsaidName(candidate: Candidate, { turns, ...rest }: Talk): string | null {
  const said = normaliseText(textOf({ turns, ...rest }))
  const text = candidate.text.replaceAll(DATE, ' ')
  const called = namesOfSpeakers(turns)
  if (hasHan(text)) {
    const names = [...text.matchAll(NAMED_IN_CHINESE)].flatMap(([, name, short]) => name ?? short ?? [])
    return (
      names.find(
        (name) => !Array.from(name).every((char) => said.includes(char) || isChineseFunctionCharacter(char)),
      ) ?? null
    )
  }
  const names = (text.match(CAPITALISED) ?? [])
    .map((name) => name.replace(/['’]s?$/, ''))
    // In other languages the first word is often an article.
    .filter((name) => languageOf(text) === 'en' || !text.startsWith(name))
  return (
    names.find((name) => {
      const word = normaliseText(name)
      if (
        said.includes(word) ||
        called.has(word) ||
        isUserWord(word) ||
        isUnitWord(name) ||
        CALENDAR.test(word) ||
        RELATION_OF.has(word) ||
        isEnglishFunctionWord(word)
      )
        return false
      const [term = word] = findTerms(word)
      return !COMMON_TERMS.has(term)
    }) ?? null
  )
}

/** Checks whether a related word or another form of a term was said. */
function isRelated(term: string, heard: ReadonlySet<string>, language: 'en' | 'zh' | 'other'): boolean {
  if (language === 'zh') return false
  if (language === 'other') return [...heard].some((word) => sharesPrefix(word, term))
  return relatedTerms(term, 'en').some(({ terms }) => terms.every((term) => heard.has(term)))
}

/** Minimum share of the longer of two words that both start with. */
const MIN_PREFIX_SHARE = 0.6

function sharesPrefix(first: string, second: string): boolean {
  let length = 0
  while (length < first.length && first[length] === second[length]) length += 1
  return length >= 3 && length >= MIN_PREFIX_SHARE * Math.max(first.length, second.length)
}

// Compares a statement word by word with the talk on which it rests.
import {
  findTerms,
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  normaliseText,
  relatedTerms,
} from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { compareClaim, RELATION_OF } from './compare-claim.ts'
import { compareOrder } from './compare-order.ts'
import { CALENDAR, compareDates, compareNumbers, DATE } from './compare-particulars.ts'
import { languageOf, open, textOf, type Difference, type Talk } from './difference.ts'
import { startsWithUserWord, namesOfSpeakers } from './find-unsupported.ts'
import { isUnitWord } from './read-quantities.ts'
import { hasHan } from './word-lists.ts'

/**
 * Compares a statement with the talk: its numbers, units, dates, person, negation, degree and other words.
 *
 * @returns the first certain difference, else the first open one; `null` if there is no difference
 */
export function compareStatement(statement: Candidate, said: Talk): Difference | null {
  const candidate = isEntry(statement) ? { ...statement, text: statement.value ?? '' } : statement
  const particulars = [...compareNumbers(candidate, said), ...compareDates(candidate, said)]
  const maxTerms = MAX_TERMS[hasHan(candidate.text) ? 'unspaced' : 'spaced']
  // A long statement summarises many turns, so its words differ. Only certain differences count.
  const isLong = findTerms(candidate.text).length > maxTerms
  if (isLong) return particulars.find(({ outcome }) => outcome === 'wrong') ?? null
  const claims = said.isConfirmed ? [] : compareClaim(candidate, said)
  const compared = [...particulars, ...claims, compareOrder(candidate, said), compareWords(candidate, said)]
  const differences = compared.filter((difference) => difference !== null)
  return differences.find(({ outcome }) => outcome === 'wrong') ?? differences[0] ?? null
}

/** Checks for a statement that is a key and a value instead of a sentence: “Maya, favourite food: ramen.” */
function isEntry({ text, value }: Candidate): boolean {
  return value !== null && /[:：]\s*$/.test(text.replace(/[.。]$/, '').split(value)[0] ?? '')
}

/** The words of longer statements are not compared. Chinese, which has no spaces, has one term per character. Chosen, not measured. */
const MAX_TERMS = { spaced: 16, unspaced: 40 }

/** Terms that a model uses in statements although they were not said. */
const COMMON_TERMS = new Set(
  findTerms(
    `user users agent assistant say said mention mentioned called named name own owns keep have has own plans plan
    planning want wants believe believes think thinks feel feels find finds found like likes live lives work works go
    goes went make made take took get got currently recently now person people thing things woman man year years old age
    time call date day days month week part place since about born turn currently both also former previously lately
    longer roughly approximately around together responsible two three four five six seven eight nine ten eleven twelve
    twenty thirty forty fifty hundred thousand first second third half twice 用户 助手 说 提到 表示 认为 觉得 有 是 在 叫
    名叫 打算 计划 现在 目前 最近 今年 去年 年 月 日 号 岁 天 的 人 家 到 从 因为 所以 曾经 已经 将 会 每 中 上`,
  ),
)
/** Minimum share of a statement's words that the talk contains. Chosen, not measured. */
const MIN_SAID_SHARE = { spaced: 0.75, unspaced: 0.8 }

/** Compares the content words and names of a statement with those of the talk. */
function compareWords(candidate: Candidate, said: Talk): Difference | null {
  const talk = textOf(said)
  const saidTerms = new Set(findTerms(normaliseText(talk)))
  const isChinese = hasHan(candidate.text)
  const text = candidate.text.replaceAll(DATE, ' ')
  const language = languageOf(candidate.text)
  const firstNames = new Set(said.turns.flatMap(({ speaker }) => findTerms(speaker?.split(/\s+/)[0] ?? '')))
  const isCompared = (term: string): boolean => {
    // In other languages, function words are recognised by their length.
    if (language === 'other' && term.length < 4) return false
    if (firstNames.has(term) || isUnitWord(term) || startsWithUserWord(term)) return false
    if (COMMON_TERMS.has(term) || /^\d/.test(term) || RELATION_OF.has(term)) return false
    return isChinese ? term.length === 1 && !isChineseFunctionCharacter(term) : !isEnglishFunctionWord(term)
  }
  const terms = [...new Set(findTerms(normaliseText(text)))].filter(isCompared)
  const unsaid = terms.filter((term) => !saidTerms.has(term) && !isRelated(term, saidTerms, language))
  const name = unsaidName(candidate, said)
  if (name !== null) return open(`"${name}" was not said`)
  const changed = isChinese ? changedCharacter(text, talk, unsaid) : null
  if (changed !== null) return open(`"${changed}" stands for another word`)
  const share = terms.length === 0 ? 1 : 1 - unsaid.length / terms.length
  return share >= MIN_SAID_SHARE[isChinese ? 'unspaced' : 'spaced']
    ? null
    : open(`much of it was not said: ${unsaid.slice(0, 5).join(', ')}`)
}

/** Finds a Chinese character of a statement that replaces one of the talk beside the same character: 本田 for 丰田. */
function changedCharacter(text: string, talk: string, unsaid: readonly string[]): string | null {
  const isOnlyInTalk = (char: string): boolean =>
    hasHan(char) && !text.includes(char) && !isChineseFunctionCharacter(char)
  const chars = Array.from(text)
  const changed = chars.find((char, index) => {
    if (!unsaid.includes(char)) return false
    const [before = '', after = ''] = [chars[index - 1], chars[index + 1]]
    return Array.from(talk).some((replaced, at, talkChars) => {
      if (!isOnlyInTalk(replaced)) return false
      const isAfterSame = hasHan(before) && talkChars[at - 1] === before
      return isAfterSame || (hasHan(after) && talkChars[at + 1] === after)
    })
  })
  return changed ?? null
}

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}’'-]+/gu
/** Matches a name in Chinese after a verb of naming or place, or before a title: 叫小芳, 去南京, 王老师. */
const NAMED_IN_CHINESE =
  /(?:名叫|叫|姓|在|去|到|住|来自)(\p{Script=Han}{2})|(?:[老小]?)(\p{Script=Han})(?=阿姨|叔|老师|医生|师傅|先生|女士|小姐|经理|总(?!是|共|算|之|统|部))/gu
/** Finds a name in a statement that was not said; `null` if there is none. */
function unsaidName(candidate: Candidate, talk: Talk): string | null {
  const said = normaliseText(textOf(talk))
  const text = candidate.text.replaceAll(DATE, ' ')
  const unsaid = hasHan(text) ? findUnsaidChineseName(text, said) : findUnsaidLatinName(text, said, talk)
  return unsaid ?? null
}

function findUnsaidChineseName(text: string, said: string): string | undefined {
  const names = [...text.matchAll(NAMED_IN_CHINESE)].flatMap(([, name, surname]) => name ?? surname ?? [])
  const isSaid = (char: string): boolean => said.includes(char) || isChineseFunctionCharacter(char)
  return names.find((name) => !Array.from(name).every(isSaid))
}

function findUnsaidLatinName(text: string, said: string, { turns }: Talk): string | undefined {
  const speakers = namesOfSpeakers(turns)
  const names = (text.match(CAPITALISED) ?? [])
    .map((name) => name.replace(/['’]s?$/, ''))
    // In other languages the first word is often an article.
    .filter((name) => languageOf(text) === 'en' || !text.startsWith(name))
  return names.find((name) => {
    const word = normaliseText(name)
    if (said.includes(word) || speakers.has(word)) return false
    if (startsWithUserWord(word) || isUnitWord(name) || CALENDAR.test(word)) return false
    if (RELATION_OF.has(word) || isEnglishFunctionWord(word)) return false
    const [term = word] = findTerms(word)
    return !COMMON_TERMS.has(term)
  })
}

/** Checks whether the talk contains a related word or another form of a term. */
function isRelated(term: string, saidTerms: ReadonlySet<string>, language: 'en' | 'zh' | 'other'): boolean {
  if (language === 'zh') return false
  if (language === 'other') return [...saidTerms].some((word) => sharesPrefix(word, term))
  return relatedTerms(term, 'en').some(({ terms }) => terms.every((related) => saidTerms.has(related)))
}

/** Minimum length of a common prefix, as a share of the longer word, of two forms of one word. Chosen, not measured. */
const MIN_PREFIX_SHARE = 0.6

function sharesPrefix(first: string, second: string): boolean {
  let length = 0
  while (length < first.length && first[length] === second[length]) length += 1
  return length >= 3 && length >= MIN_PREFIX_SHARE * Math.max(first.length, second.length)
}

import { isEnglishFunctionWord } from '@keepsake/text'
import { ORDINARY_CAPITALS, TITLES_BEFORE } from './ordinary-capitals.ts'

/** A run of capitalised words: `Oluwaseun Adeyemi`, `Anna-Maria`. */
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{Lu}?[\p{L}\p{M}]+)*/gu
/** A sentence start, where a capital means nothing. */
const SENTENCE_START = /(?:^|[.!?…:;"“”「『(\n*>-])\s*$/u
const AFTER_TITLE = /\b(?:Dr|Mr|Mrs|Ms|Mx|Prof|St)\.?\s+$/u
const POSSESSIVE = /['’]s$/u
/** `OK`, `TV`, `LOVE`: letters, or shouted words. */
const ALL_CAPITALS = /^\p{Lu}+$/u

const SURNAMES =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文'
const SURNAME = `[${SURNAMES}]`
const CHINESE_NAMES: readonly RegExp[] = [
  /(?:我叫|名叫|叫做|名字叫|名字是|姓名是)([\p{Script=Han}]{2,3})(?=[，。！？、；\s,.!]|$)/gu,
  new RegExp(`(?:我是|叫)(${SURNAME}\\p{Script=Han}{1,2})(?=[，。！？、；\\s,.!]|$)`, 'gu'),
  new RegExp(`[小老阿]${SURNAME}`, 'gu'),
  new RegExp(`${SURNAME}\\p{Script=Han}?(?:先生|女士|小姐|老师|医生|经理|师傅|阿姨|叔叔|同学|主任)`, 'gu'),
]

/** Finds names: capitalised words inside sentences, and in Chinese what follows 我叫 or precedes 老师. Prefers too many to too few. */
export function findNames(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...capitalisedIn(text), ...chineseIn(text)]))]
}

function capitalisedIn(text: string): string[] {
  const names: string[][] = []
  let end = -1
  for (const { 0: found, index } of text.matchAll(CAPITALISED)) {
    const word = found.replace(POSSESSIVE, '')
    const continuesName =
      names.length > 0 && /^\s+$/u.test(text.slice(end, index)) && end === endOfLast(found, word, end)
    end = index + found.length
    const before = text.slice(0, index)
    const startsSentence = SENTENCE_START.test(before) && !AFTER_TITLE.test(before)
    if (isOrdinary(word) || (startsSentence && !continuesName)) {
      names.push([])
      continue
    }
    const last = names.at(-1)
    if (continuesName && last !== undefined && last.length > 0) last.push(word)
    else names.push([word])
  }
  return names.filter((words) => words.length > 0).map((words) => words.join(' '))
}

/** A possessive ends a name: `Mia's Porto` is two. */
function endOfLast(found: string, word: string, end: number): number {
  return found === word ? end : -1
}

function isOrdinary(word: string): boolean {
  const small = word.toLowerCase()
  return (
    ALL_CAPITALS.test(word) ||
    isEnglishFunctionWord(small) ||
    ORDINARY_CAPITALS.has(small) ||
    TITLES_BEFORE.has(small)
  )
}

function chineseIn(text: string): string[] {
  return CHINESE_NAMES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]),
  ).filter((name) => name.length > 1)
}

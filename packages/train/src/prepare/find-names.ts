import { isEnglishFunctionWord } from '@keepsake/text'
import { ORDINARY_CAPITALS, TITLES_BEFORE } from './ordinary-capitals.ts'

/** Matches a capitalised word, also one of two parts: `Adeyemi`, `Anna-Maria`. */
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{Lu}?[\p{L}\p{M}]+)*/gu
/** Matches the text before the start of a sentence, where a capital is no sign of a name. */
const SENTENCE_START = /(?:^|[.!?…:;"“”「『(\n*>-])\s*$/u
const AFTER_TITLE = /\b(?:Dr|Mr|Mrs|Ms|Mx|Prof|St)\.?\s+$/u
const POSSESSIVE = /['’]s$/u
/** Matches abbreviations and shouted words: `OK`, `TV`, `LOVE`. */
const ALL_CAPITALS = /^\p{Lu}+$/u

/** Frequent Chinese surnames of one character. */
const SURNAMES =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文'
const SURNAME = `[${SURNAMES}]`
const CHINESE_NAMES: readonly RegExp[] = [
  /(?:我叫|名叫|叫做|名字叫|名字是|姓名是)([\p{Script=Han}]{2,3})(?=[，。！？、；\s,.!]|$)/gu,
  new RegExp(`(?:我是|叫)(${SURNAME}\\p{Script=Han}{1,2})(?=[，。！？、；\\s,.!]|$)`, 'gu'),
  new RegExp(`[小老阿]${SURNAME}`, 'gu'),
  new RegExp(`${SURNAME}\\p{Script=Han}?(?:先生|女士|小姐|老师|医生|经理|师傅|阿姨|叔叔|同学|主任)`, 'gu'),
]

/**
 * Finds names: capitalised words inside sentences, and in Chinese the words after 我叫 (“I am called”) or before 老师 (“teacher”).
 * It finds too many names rather than too few.
 */
export function findNames(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...capitalisedIn(text), ...chineseIn(text)]))]
}

/** Returns runs of capitalised words, without ordinary ones and those that only begin a sentence. */
function capitalisedIn(text: string): string[] {
  const names: string[][] = []
  let end = -1
  for (const { 0: found, index } of text.matchAll(CAPITALISED)) {
    const word = found.replace(POSSESSIVE, '')
    const isPossessive = found !== word
    const continuesName = names.length > 0 && !isPossessive && /^\s+$/u.test(text.slice(end, index))
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

function isOrdinary(word: string): boolean {
  const lower = word.toLowerCase()
  return (
    ALL_CAPITALS.test(word) ||
    isEnglishFunctionWord(lower) ||
    ORDINARY_CAPITALS.has(lower) ||
    TITLES_BEFORE.has(lower)
  )
}

function chineseIn(text: string): string[] {
  return CHINESE_NAMES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]),
  ).filter((name) => name.length > 1)
}

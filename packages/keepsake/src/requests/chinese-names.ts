// Recognises Chinese names. Chinese has neither spaces nor capitals, so a name may be part of a longer name or of other words.
import { simplifyChinese } from '@keepsake/text'
import { segmentHan } from './topic-meaning.ts'
import { PERSON_ZH } from './topic-relations.ts'

/**
 * Returns a test for texts that contain a Chinese name or word, in three steps. Weather is removed (小雪 in 下小雪了). A verb
 * with a divided object counts (整容 in 整过容). Else the name must occur outside longer names and other words.
 */
export function testHanName(name: string, texts: Iterable<string>): (text: string) => boolean {
  const simple = simplifyChinese(name)
  const longerNames = findLongerNames(simple, texts)
  const weather = /[雪雨雾霜]$/u.test(name) ? matchWeather(simple) : null
  return (fullText) => {
    const plain = simplifyChinese(fullText)
    const text = weather === null ? plain : plain.replace(weather, '，')
    const withoutLonger = longerNames.reduce((rest, other) => rest.replaceAll(other, '，'), text)
    return containsDivided(text, simple) || containsHanWord(withoutLonger, simple)
  }
}

/** Returns a pattern of a name that means the weather: 小雪 (light snow) may also be a person. */
function matchWeather(name: string): RegExp {
  const afterVerb = `(?<![留放丢扔撇])[下飘降转][^，。！？、]{0,4}?${name}` // 下小雪了, but not 留下小雪
  const beforeWord = `${name}(?:天气?|节气?|时节|转|到|纷)` // 小雪天
  return new RegExp(`${afterVerb}|${beforeWord}`, 'gu')
}

/** Finds longer names that begin with a name: 王伟民 for 王伟. They end like a given name, or a sentence introduces them. */
function findLongerNames(name: string, texts: Iterable<string>): readonly string[] {
  const longerNames = new Set<string>()
  const afterVerb = String.raw`(?:叫|叫做)${name}\p{Script=Han}(?=[，。！？、；,.!?\s]|$)` // 他叫王伟民。
  const asSubject = String.raw`(?<![\p{Script=Han}])${name}\p{Script=Han}(?=[是叫][我你他她咱])` // 王伟民是我同事
  const introductions = new RegExp(`${afterVerb}|${asSubject}`, 'gu')
  for (const text of texts) {
    if (!text.includes(name)) continue
    const words = segmentHan(text)
    for (const { index } of text.matchAll(new RegExp(name, 'gu'))) {
      const end = index + name.length
      const nextCharacter = text.charAt(end)
      const beginsWord = words.some(({ index: start, segment }) => start === end && segment.length > 1)
      if (GIVEN_NAME_END.test(nextCharacter) && !beginsWord) longerNames.add(name + nextCharacter)
    }
    for (const [match] of text.matchAll(introductions)) longerNames.add(match.slice(match.indexOf(name)))
  }
  return [...longerNames].filter((longer) => !NO_NAME_END.test(longer.slice(name.length)))
}

/**
 * Checks whether a text contains a phrase whose verb and object are divided: 整容 in 整过容, but not 花生 in 花了|生活费. Before a
 * longer phrase no other person may come, because the phrase would be about that person.
 */
function containsDivided(text: string, phrase: string): boolean {
  const [verb = '', object = '', ...more] = phrase
  if (!text.includes(verb)) return false
  if (more.length > 0) {
    const afterNoPerson = `(?<!(?:${PERSON_ZH.source}|[他她])[^，。！？；]{0,6})`
    return new RegExp(afterNoPerson + Array.from(phrase).join(`${DIVIDER}?`), 'u').test(text)
  }
  const found = new RegExp(`${verb}(?:[了过着完]|了[一两几]次)(?=${object})`, 'u').exec(text)
  if (found === null) return false
  const objectStart = found.index + found[0].length
  const isInWord = segmentHan(text).some(({ index, segment }) => index === objectStart && segment.length > 1)
  return !isInWord
}

/** Checks whether a word occurs more often than other words contain it: 小白, but not in 小白菜, nor 小美 in 小|美容|店. */
function containsHanWord(text: string, word: string): boolean {
  const occurrences = text.split(word).length - 1
  if (occurrences === 0) return false
  const otherWords = segmentHan(text).filter(({ segment, index }) => {
    if (segment.length > word.length && segment.includes(word)) return true
    // The last character of the word begins this segment: 美 of 小美 in 小|美容.
    const start = index - (word.length - 1)
    const takesLastCharacter = segment.length > 1 && start >= 0 && text.startsWith(word, start)
    // After a family name this is chance: 李明|白天 contains 李明.
    return takesLastCharacter && !SURNAME.test(word)
  })
  return occurrences > otherWords.length
}

/** Matches what divides a verb and its object: 过 in 整过容, 了五万块 in 欠了五万块信用卡. */
const DIVIDER = '(?:[了过着完]?[一二两三四五六七八九十百千万几\\d]+[块元万千百个张次]*|[了过着完])'

/** Matches a character that often ends a given name. Characters that are often words by themselves, such as 刚 and 飞, are missing. */
const GIVEN_NAME_END =
  /[民明国强军华平东海峰磊杰涛勇辉鹏宇浩然轩豪文武斌林森鑫波龙伟洋洁梅燕霞云珍莹倩欣雨桐彤妍琪瑶佳颖萱蕾薇怡婷娜丽娟敏静雅雪琳琴芳芬兰英玲涵晨阳昊俊凯东霖睿泽诚义良康福贵荣祥宝柱华]/u
/** Matches a character after a name that is no part of it: a title or a word of grammar. */
const NO_NAME_END =
  /[姐哥弟妹叔姨爷奶妈爸总工老师们家是也还都就又才只曾不本原已正真可却仍的和跟与或在有说叫做给被把让对]/u

/** Matches two to four Chinese characters, which may be a name or a word: 王伟, 地址. */
export const HAN_WORD = /^\p{Script=Han}{2,4}$/u

/** Matches a Chinese name by its family name: 王伟. The list covers nine people in ten. */
export const SURNAME =
  /^[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤]\p{Script=Han}{1,2}$/u

/** The family names alone, as a character class. */
export const FAMILY_NAME = SURNAME.source.slice(1, SURNAME.source.indexOf(']') + 1)

const TIME = '(?:之前|以前|上次|昨天|那次|那天|当时|刚才)?'
/** Matches a person and a matter. In 我跟王敏借的钱, `name` is 王敏 and `rest` is 借的钱. */
export const CHINESE_MATTER = new RegExp(
  `^${TIME}(?:我们?)?(?:[跟和与同]|欠|借给?)?(?<name>${SURNAME.source.slice(1, -1)}?)(?:之间)?(?<rest>\\p{Script=Han}{2,})$`,
  'u',
)

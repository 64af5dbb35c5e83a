// Reads the names of a topic, and tests texts for them.
import { conceptOf, escapePattern, findTerms, isEnglishFunctionWord, simplifyChinese } from '@keepsake/text'
import { isSameRelation, RELATION_WORDS } from '../entities/read-relations.ts'
import { relationsTo } from '../entities/same-name.ts'
import { segmentHan } from './topic-meaning.ts'

/** Removes the speaker from a topic such as "Tom and me" or 我的地址, because the speaker says "I" in any sentence. */
export function withoutSpeaker(about: string): string {
  return RELATION_ZH.test(about)
    ? about
    : about
        .replace(/^(?:me|myself|us)\s+and\s+|\s+and\s+(?:me|i|myself|us)$/i, '')
        .replace(/^我们?(?:和|跟|与|的)?(?=\p{Script=Han}{2})/u, '')
        .replace(/(?<=\p{Script=Han}{2})的$/u, '')
}

const RELATION_IN_TEXT = new RegExp(String.raw`\b(?:${RELATION_WORDS.en})\b|${RELATION_WORDS.zh}`, 'giu')

/** Removes the words that relate people. */
export function withoutRelations(text: string): string {
  return text.replace(RELATION_IN_TEXT, ' ')
}

/** Returns a topic in capitals in the case of the user's texts: “IDA” as “Ida”, “THE BOAT” as “the boat”, “NATO” as it is. */
export function withUsualCase(topic: string, texts: Iterable<string> = []): string {
  if (/\p{Ll}/u.test(topic) || !/\p{Lu}{2}/u.test(topic)) return topic
  const words = new Set([...texts].flatMap((text) => text.match(/\p{L}[\p{L}'-]*/gu) ?? []))
  return topic.replace(/\p{Lu}[\p{Lu}'-]+/gu, (word) => {
    const small = word.toLowerCase()
    if (isEnglishFunctionWord(small)) return small
    const name = word.charAt(0) + small.slice(1)
    return [name, small, word].find((form) => words.has(form)) ?? small
  })
}

/** Checks whether a Chinese name is a person's: it has a family name, or the topic has a relation before it. */
export function isPersonName(name: string, topic: string): boolean {
  return SURNAME.test(name) || RELATION_ZH.test(topic)
}

/** Checks whether a term is a common word with a concept, such as “job”, and so no name. */
export function hasEnglishConcept(term: string): boolean {
  return conceptOf(term) !== term
}

/** Returns the name of which a part of a topic consists; `null` for other words. */
export function nameIn(part: string): string | null {
  if (findTerms(part).some(hasEnglishConcept)) return null
  const name = NAME_EN.exec(part.replace(/[’]/g, "'").replace(/'s$/, ''))?.[1]
  if (name !== undefined) return name
  const plain = part.replace(RELATION_ZH, '')
  return HAN_WORD.test(plain) && !/^[我你他她它这那]|[的了吗呢吧]/.test(plain) ? plain : null
}

/** Matches capitalised words. They are names, because a topic is not a sentence. */
export const NAMES_IN =
  /(?<![\p{L}\p{N}'’])(?!(?:I|The|My|Our|That|This|Those|These|What|How|When|Where|Why|A|An)\b)\p{Lu}[\p{L}'-]*/gu

/** Returns the names that a topic contains. */
export function listNames(about: string): string[] {
  const chinese = CHINESE_MATTER.exec(about)?.groups?.['name']
  if (chinese !== undefined) return [chinese]
  return [...about.matchAll(NAMES_IN)].map(([name]) => name.replace(/['’]s$/, ''))
}

/** Returns the relation beside a name: “sister” of “my sister Mia” and “Mia, my sister”. */
export function relationIn(given: string): string | null {
  const chinese = RELATION_ZH.exec(given)?.[0].replace(/^(?:我们?|咱)(?:家|的)?/, '')
  const before = /^(?:my|our|the)\s+(?:\p{Ll}+\s+){0,2}?(?<relation>\p{Ll}[\p{Ll}-]+)\s+\p{Lu}/u.exec(given)
  const behind = /^\p{Lu}\S*,?\s+(?:the|my|our)\s+(?<relation>\p{Ll}[\p{Ll}-]+)$/u.exec(given)
  return chinese ?? before?.groups?.['relation'] ?? behind?.groups?.['relation'] ?? null
}

/** A test for texts that contain a name. */
export type NameTest = (text: string) => boolean

/** Returns the coverage of a person: 1 for a text with the name, unless it states another relation, such as “my sister Mia”. */
export function coverageOfPerson(
  name: string,
  relation: string,
  isNamed: NameTest,
  texts: Iterable<string> = [],
): (text: string) => number {
  const isOf = (other: string): boolean =>
    isSameRelation(relation, other) || (/^ex\b/.test(relation) && /^ex\b/.test(other))
  // Computed once, on first use.
  let ownAdditions: Set<string | null> | undefined
  return (text) => {
    if (!isNamed(text)) return 0
    const relations = relationsTo(name, text)
    if (relations.some(isOf)) return 1
    const addition = additionTo(name, text)
    ownAdditions ??= new Set(
      [...texts]
        .filter((other) => other.includes(name) && relationsTo(name, other).some(isOf))
        .map((other) => additionTo(name, other)),
    )
    return relations.length === 0 && (addition === null || ownAdditions.has(addition)) ? 1 : 0
  }
}

/** Returns what distinguishes a person from others of the name: “Marx” of “Karl Marx”, “from yoga”, 楼下的 before 小明; else `null`. */
export function additionTo(name: string, text: string): string | null {
  const written = escapePattern(name)
  const pattern = /\p{Script=Han}/u.test(name)
    ? String.raw`(\p{Script=Han}(?![我咱他她你们])\p{Script=Han})的${written}`
    : String.raw`(?<![\p{L}\p{N}])${written} ((?!(?:${MONTHS}|\p{Lu}\p{Ll}+days?|I)\b)(?:\p{Lu}\p{Ll}[\p{L}'-]*|from (?:the )?\p{L}+|the \p{Ll}+))`
  return new RegExp(pattern, 'u').exec(text)?.[1] ?? null
}

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const NAMES_OF_THINGS = [
  'Grace|Rose|Will|Mark|Hope|Joy|Faith|Art|Bill|Dawn|Summer|Autumn|Amber|Ruby|Pearl|Daisy|Lily|Ivy|Iris|Violet',
  'Heather|Holly|Jasmine|Olive|Hazel|Ginger|Sandy|Rob|Pat|Sue|Nick|Chuck|Drew|Frank|Grant|Miles|Chase|Rich|Ray',
  'Skip|Gene|Guy|Penny|Melody|Star|Sky|Sunny|Angel|Charity|Patience|Robin|Hunter|Dale|Reed|Clay|Wade|Lance|Buck',
].join('|')
/** Matches names that are also common words. */
const WORD_NAMES = new RegExp(`^(?:${MONTHS}|${NAMES_OF_THINGS})$`, 'iu')
/** Words before a month, as in “in May”. “From May” may mean a person, unless another month or a day is near. */
const BEFORE_MONTH =
  'in|by|until|till|since|during|next|last|this|early|late|mid|mid of|end of|middle of|start of|beginning of|every|each|\\d+(?:st|nd|rd|th)?(?: of)?'

/** Returns a pattern of the uses of a name as a common word: “in May”, “May 3”, “Will you”. */
function usesAsWord(name: string): RegExp {
  const month = `(?:${MONTHS})`
  const asVerb = String.raw`\b${name}\s+(?:I|we|you|he|she|they|it|this|that|there)\b`
  if (!new RegExp(`^${month}$`, 'iu').test(name)) return new RegExp(asVerb, 'giu')
  const asMonth = [
    String.raw`\b(?:${BEFORE_MONTH})[\s-]+${name}\b(?!['’]s\s+\p{Ll}+)`,
    String.raw`\b${name}\b[,\s]+\d+`,
    String.raw`\b${month}\s*(?:to|and|or|until|till|[-–])\s*${name}\b`,
    String.raw`\b${name}\b\s*(?:to|or|until|till|[-–])\s*${month}\b`,
  ]
  return new RegExp([...asMonth, asVerb].join('|'), 'giu')
}

/** Returns a pattern of a name that is also a common word, for texts without capitals: only beside words about people. */
function usesAsName(name: string): RegExp {
  return new RegExp(
    String.raw`\b(?:${RELATION_WORDS.en}|ex|with|and|called|named|met|miss|love|hate|dating|dated|kissed|told) ${name}\b|\b${name}(?: and (?:i|me)|['’]s)\b`,
    'iu',
  )
}

/** Returns a pattern of words about the weather with a name that ends in snow, rain or mist: 下小雪了 (it snows). */
const usesAsWeather = (name: string): RegExp =>
  new RegExp(
    `(?<![留放丢扔撇])[下飘降转][^，。！？、]{0,4}?${name}|${name}(?:天气?|节气?|时节|转|到|纷)`,
    'gu',
  )

/**
 * Returns a test for texts that contain a name. A verb with its object may be divided: 整过容.
 *
 * @param texts the user's texts. A longer name that they contain, such as 王伟民, does not contain the name 王伟.
 */
export function nameTest(name: string, texts: Iterable<string> = []): NameTest {
  return HAN_WORD.test(name) ? testHanName(name, texts) : testSpacedName(name)
}

function testHanName(name: string, texts: Iterable<string>): NameTest {
  const simple = simplifyChinese(name)
  const longerNames = longerNamesOf(simple, texts)
  const weather = /[雪雨雾霜]$/u.test(name) ? usesAsWeather(simple) : null
  return (fullText) => {
    const plain = simplifyChinese(fullText)
    const text = weather === null ? plain : plain.replace(weather, '，')
    const withoutLonger = longerNames.reduce((rest, other) => rest.replaceAll(other, '，'), text)
    return containsDivided(text, simple) || containsHanWord(withoutLonger, simple)
  }
}

function testSpacedName(name: string): NameTest {
  const escaped = escapePattern(name)
  const edges = [String.raw`(?<![\p{Script=Latin}\p{N}])`, String.raw`(?![\p{Script=Latin}\p{N}])`] as const
  const exact = new RegExp(`${edges[0]}(?:${escaped}|${escaped.toUpperCase()})${edges[1]}`, 'u')
  const isWord = WORD_NAMES.test(name)
  const anyCase = isWord ? usesAsName(escaped) : new RegExp(`${edges[0]}${escaped}${edges[1]}`, 'iu')
  const asWord = isWord ? usesAsWord(escaped) : null
  // Texts without capitals are matched ignoring case.
  return (fullText) => {
    const text = asWord === null ? fullText : fullText.replace(asWord, ' … ')
    return exact.test(text) || (!/\p{Lu}/u.test(text) && anyCase.test(text))
  }
}

/** Matches a character that often ends a given name. Characters that are often words by themselves, such as 刚 and 飞, are missing. */
const GIVEN_NAME_END =
  /[民明国强军华平东海峰磊杰涛勇辉鹏宇浩然轩豪文武斌林森鑫波龙伟洋洁梅燕霞云珍莹倩欣雨桐彤妍琪瑶佳颖萱蕾薇怡婷娜丽娟敏静雅雪琳琴芳芬兰英玲涵晨阳昊俊凯东霖睿泽诚义良康福贵荣祥宝柱华]/u
/** Matches a character after a name that is no part of it: a title or a word of grammar. */
const NO_NAME_END =
  /[姐哥弟妹叔姨爷奶妈爸总工老师们家是也还都就又才只曾不本原已正真可却仍的和跟与或在有说叫做给被把让对]/u

/** Finds longer names that begin with a Chinese name, by their last character or by a sentence that introduces them. */
function longerNamesOf(name: string, texts: Iterable<string>): readonly string[] {
  const longerNames = new Set<string>()
  const introduced = new RegExp(
    String.raw`(?:叫|叫做)${name}\p{Script=Han}(?=[，。！？、；,.!?\s]|$)|(?<![\p{Script=Han}])${name}\p{Script=Han}(?=[是叫][我你他她咱])`,
    'gu',
  )
  for (const text of texts) {
    if (!text.includes(name)) continue
    const words = segmentHan(text)
    for (const { index } of text.matchAll(new RegExp(name, 'gu'))) {
      const end = index + name.length
      const last = text.charAt(end)
      const beginsWord = words.some(({ index: start, segment }) => start === end && segment.length > 1)
      if (GIVEN_NAME_END.test(last) && !beginsWord) longerNames.add(name + last)
    }
    for (const [match] of text.matchAll(introduced)) longerNames.add(match.slice(match.indexOf(name)))
  }
  return [...longerNames].filter((longer) => !NO_NAME_END.test(longer.slice(name.length)))
}

/** Checks whether a word occurs outside other words of the dictionary: 小白, but not in 小白菜, nor 小美 in 小|美容|店. */
function containsHanWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false
  const inOtherWords = segmentHan(text).filter(({ segment, index }) => {
    if (segment.length > word.length && segment.includes(word)) return true
    // The last character may begin another word, so that the word does not occur. After a family name this is chance: 李明|白天.
    const overlaps =
      segment.length > 1 && !SURNAME.test(word) && text.startsWith(word, index - word.length + 1)
    return overlaps && index >= word.length - 1
  })
  const occurrences = text.split(word).length - 1
  return occurrences > inOtherWords.length
}

/** Matches what may divide a verb and its object: 过 in 整过容, 了五万块 in 欠了五万块信用卡. */
const DIVIDES = '(?:[了过着完]?[一二两三四五六七八九十百千万几\\d]+[块元万千百个张次]*|[了过着完])'

/**
 * Checks whether a text contains a phrase whose verb and object are divided: 整容 in 整过容, but not 花生 in 花了|生活费. Before a
 * longer phrase no other person may come, because the phrase would be about that person.
 */
function containsDivided(text: string, phrase: string): boolean {
  const [verb = '', object = '', ...more] = phrase
  if (!text.includes(verb)) return false
  if (more.length > 0) {
    const others = `(?<!(?:${PERSON_ZH.source}|[他她])[^，。！？；]{0,6})`
    return new RegExp(others + Array.from(phrase).join(`${DIVIDES}?`), 'u').test(text)
  }
  const found = new RegExp(`${verb}(?:[了过着完]|了[一两几]次)(?=${object})`, 'u').exec(text)
  const end = found === null ? -1 : found.index + found[0].length
  return end >= 0 && segmentHan(text).every(({ index, segment }) => index !== end || segment.length === 1)
}

/** Finds names of a person whom the topic describes: for “my ex”, Tom in “my ex Tom”. */
export function findNamesOf(about: string, texts: readonly string[]): string[] {
  const relation = about.trim().replace(/^(?:my|our)\s+|^我们?(?:家|的)?/i, '')
  if (relation === about.trim() || !/^(?:[\p{Ll}-]+(?: [\p{Ll}-]+)?|\p{Script=Han}{1,5})$/u.test(relation))
    return []
  const isChinese = HAN_WORD.test(relation) || /\p{Script=Han}/u.test(relation)
  const name = isChinese
    ? `(?:叫|是)?(${FAMILY_NAME}\\p{Script=Han})`
    : String.raw`(?:,)?\s+(?:is\s+)?(?:called\s+|named\s+)?((?!I\b)\p{Lu}[\p{L}'-]*)`
  const pattern = new RegExp(`${relation}${name}`, 'gu')
  const names = texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))
  return [...new Set(names)]
}

/** Matches a relation before a name: “my sister ”. */
const RELATION_EN = String.raw`(?:(?:my|our|the|that|this)\s+(?:(?!at\b|in\b|on\b|of\b|for\b|with\b|to\b|from\b)\p{Ll}+\s+){1,3})?`
/** Matches a topic that is an English name, with or without a relation: “my sister Mia”, “Tom Miller”. */
const NAME_EN = new RegExp(`^${RELATION_EN}((?!I\\b|I')\\p{Lu}[\\p{L}'-]*(?:\\s\\p{Lu}[\\p{L}'-]*)*)$`, 'u')
const RELATIONS_ZH = [
  '男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|领导|导师|老师|教练',
  '老公|老婆|丈夫|妻子|对象|未婚夫|未婚妻',
  '哥哥?|弟弟?|姐姐?|妹妹?|表[哥弟姐妹]|堂[哥弟姐妹]|叔叔|阿姨|舅舅|姑姑|儿子|女儿|猫|狗|任',
].join('|')
/** Matches a relation before a name: 我前男友李航. */
const RELATION_ZH = new RegExp(
  `^(?:我|我们|咱)(?:家|的)?(?:前|新|老|大|小|那个|好)?(?:${RELATIONS_ZH})(?=\\p{Script=Han}{2,4}$|\\p{Script=Latin})`,
  'u',
)
/** Matches two to four Chinese characters, which may be a name or a word. */
export const HAN_WORD = /^\p{Script=Han}{2,4}$/u

const PEOPLE_EN = [
  'friend|mother|father|mum|mom|dad|brother|sister|son|daughter|wife|husband|boyfriend|girlfriend|partner',
  'boss|manager|colleague|coworker|neighbou?r|roommate|flatmate',
  'cousin|uncle|aunt|grandmother|grandfather|grandma|grandpa|teacher|doctor',
].join('|')
/** Match words for other people that a pronoun may mean. */
export const PERSON_EN = new RegExp(String.raw`\b(?:${PEOPLE_EN})\b`, 'i')
export const PERSON_ZH =
  /男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|导师|老师|老公|老婆|丈夫|妻子|妈|爸|哥|弟|姐|妹|叔|姨|舅|姑|爷|奶|外公|外婆|儿子|女儿|医生/

/** Matches a Chinese name by its family name. The list covers nine people in ten. */
const SURNAME =
  /^[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤]\p{Script=Han}{1,2}$/u

/** The family names alone, as a character class. */
export const FAMILY_NAME = SURNAME.source.slice(1, SURNAME.source.indexOf(']') + 1)

/** Matches a person and a matter: 我跟王敏借的钱, 王敏欠我的钱. */
export const CHINESE_MATTER = new RegExp(
  `^(?:之前|以前|上次|昨天|那次|那天|当时|刚才)?(?:我们?)?(?:[跟和与同]|欠|借给?)?(?<name>${SURNAME.source.slice(1, -1)}?)(?:之间)?(?<rest>\\p{Script=Han}{2,})$`,
  'u',
)

/** Matches a relation with a name but without “my”: “sister Mia”. */
export const BARE_RELATION = new RegExp(String.raw`^(?:${RELATION_WORDS.en})\s+\p{Lu}\S*$`, 'u')

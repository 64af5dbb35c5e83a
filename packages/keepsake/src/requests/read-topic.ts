// Reads the topic of a request to forget, and checks whether texts mention it.
import {
  conceptOf,
  findTerms,
  readStatedKind,
  splitSentences,
  normaliseText,
  segmentWords,
} from '@keepsake/text'
import { isSameRelation, RELATION_WORDS } from '../entities/read-relations.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'

/** The topic of a request to forget, as a test for texts. */
export interface Topic {
  /** Returns the share of the topic's content words that a text contains, 0 to 1; for a name, 0 or 1. */
  coverageIn(text: string): number
  /** Number of content words. 1 for a name or for several topics. */
  readonly size: number
  /** Whether the topic consists of names only. */
  readonly isName: boolean
  /** Whether the topic contains a name. */
  readonly hasName: boolean
  /**
   * A wider topic, which is used if no text matches this one. For several names it matches any of them, for a name with a
   * relation it matches the name alone.
   */
  readonly anyName?: Topic
  /** Checks whether a text states the relation of the name. Only for a name with a relation. */
  readonly statesRelation?: (text: string) => boolean
}

/** Matches a relation before a name: “my sister ”. */
const RELATION_EN = String.raw`(?:(?:my|our|the|that|this)\s+(?:(?!at\b|in\b|on\b|of\b|for\b|with\b|to\b|from\b)\p{Ll}+\s+){1,2})?`
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
const HAN_WORD = /^\p{Script=Han}{2,4}$/u

const PEOPLE_EN = [
  'friend|mother|father|mum|mom|dad|brother|sister|son|daughter|wife|husband|boyfriend|girlfriend|partner',
  'boss|manager|colleague|coworker|neighbou?r|roommate|flatmate',
  'cousin|uncle|aunt|grandmother|grandfather|grandma|grandpa|teacher|doctor',
].join('|')
/** Match words for other people that a pronoun may mean. */
export const PERSON_EN = new RegExp(String.raw`\b(?:${PEOPLE_EN})\b`, 'i')
export const PERSON_ZH =
  /男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|导师|老师|老公|老婆|丈夫|妻子|妈|爸|哥|弟|姐|妹|叔|姨|舅|姑|爷|奶|外公|外婆|儿子|女儿|医生/

/** The topic of a request without a topic, such as “forget that”. */
export const NO_TOPIC: Topic = { coverageIn: () => 0, size: 0, isName: false, hasName: false }

/**
 * Minimum share of a topic's content words in a text that mentions it. Of a short topic, a text must contain all words,
 * because deleting the wrong memory is worse than asking again.
 */
const MIN_COVERAGE = 0.75
const MAX_SHORT_TOPIC = 3

/** Checks whether a share of the topic's words is enough for a mention. */
export function isCovered(topic: Topic, coverage: number): boolean {
  return topic.size > 0 && coverage >= (topic.size <= MAX_SHORT_TOPIC ? 1 : MIN_COVERAGE)
}

/** Checks whether a text mentions the topic. */
export function mentionsTopic(topic: Topic, text: string): boolean {
  return isCovered(topic, topic.coverageIn(text))
}

/** Returns the topic if any item mentions it, else its wider topic if it has one. */
export async function chooseTopic<Item>(
  topic: Topic,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
): Promise<Topic> {
  if (topic.anyName === undefined) return topic
  const isMentioned = topic.statesRelation ?? ((text: string) => mentionsTopic(topic, text))
  const mentions = (item: Item): readonly Item[] => (textsOf(item).some(isMentioned) ? [item] : [])
  return (await flatMapInPieces(items, mentions)).length > 0 ? topic : topic.anyName
}

/** Reads several descriptions of one topic. A text that mentions any of them mentions the topic. */
export function readTopics(descriptions: readonly string[], similarity?: Similarity): Topic {
  const [first = NO_TOPIC, ...more] = descriptions.map((about) => readTopic(about, similarity))
  if (more.length === 0) return first
  const topics = [first, ...more]
  return {
    coverageIn: (text) => (topics.some((topic) => mentionsTopic(topic, text)) ? 1 : 0),
    size: 1,
    isName: topics.some(({ isName }) => isName),
    hasName: topics.some(({ hasName }) => hasName),
  }
}

let segmenter: Intl.Segmenter | undefined

/** Nouns without a meaning of their own: “the business with Tom”, “my health problems”. */
const VAGUE = new Set(
  findTerms(
    'thing things stuff business matter story part bit problem problems issue issues situation details episode whole conversation talk subject topic',
  ),
)

/**
 * Reads the topic of a request. Names match as written ("Rose" is no "rose"). Other words match by stem. Of several names, a
 * text must mention all. For "the money I owe Tom", one sentence must name Tom and have a similar meaning.
 *
 * @param similarity similarity of meaning; without it, only the words are compared
 */
export function readTopic(words: string, similarity?: Similarity): Topic {
  // “sister Mia” means “my sister Mia”.
  const given = BARE_RELATION.test(words) ? `my ${words}` : words
  const about = withoutSpeaker(given)
  const matter = readMatter(about)
  const names = about
    .split(/\s*(?:,|、|\band\b|\bor\b|&)\s*|(?<=\p{Script=Han})(?:和|跟|与)(?=\p{Script=Han}{2,4}$)/u)
    .filter((part) => part !== '')
    .map(nameIn)
  const kind = readStatedKind(given)
  const isOwn = OWN_STATE.test(given) && !PERSON_EN.test(given) && !PERSON_ZH.test(given)
  const word = DEFINITE_WORD.exec(given)?.[1]
  const mayBeNames = kind === null && matter?.isChinese !== true
  if (mayBeNames && names.length > 0 && names.every((name) => name !== null)) {
    const isOwnMatter = isOwn && HAN_WORD.test(about) && !isPersonName(about, given)
    const tests = names.flatMap((name) => {
      if (name === null) return []
      const test = nameTest(name)
      return [isOwnMatter ? (text: string) => test(withoutOthers(text)) : test]
    })
    const isName = names.every((name) => name !== null && (!HAN_WORD.test(name) || isPersonName(name, given)))
    const topic = { size: 1, isName, hasName: isName }
    const anyName = { ...topic, coverageIn: (text: string) => (tests.some((test) => test(text)) ? 1 : 0) }
    const relation = relationIn(given)
    if (tests.length === 1 && relation !== null)
      return { ...topic, ...testsOfRelation(names[0] ?? '', relation), anyName }
    if (tests.length === 1) return anyName
    return { ...topic, coverageIn: (text) => (tests.every((test) => test(text)) ? 1 : 0), anyName }
  }
  const topicTerms = termsOf(about)
  // Some languages add endings to names: “Berna” is Bern.
  const isForeign = topicTerms.size > 1 && findTerms(about).some(isOfOtherLanguage)
  const coverageIn = (said: string): number => {
    const text = isOwn ? withoutOthers(said) : said
    if (kind !== null && splitSentences(text).some((sentence) => kind.states.test(sentence.text))) return 1
    if (word !== undefined && topicTerms.size === 1) return containsNoun(text, word) ? 1 : 0
    const share = shareOf(topicTerms, text, isForeign)
    const isRelated = share < 1 && similarity !== undefined && matter !== null
    return isRelated && mentionsMatter(matter, text, similarity) ? 1 : share
  }
  return { coverageIn, size: topicTerms.size, isName: false, hasName: matter !== null }
}

const BARE_RELATION = new RegExp(String.raw`^(?:${RELATION_WORDS.en})\s+\p{Lu}\S*$`, 'u')
/** Matches a topic about the speaker: “I'm ill”, “my depression”. */
const OWN_STATE = /^(?:that )?I(?:['’]m| am| have|['’]ve)\b|^my\b|^我(?:的|有|得|是|对|患)/i
/** Matches a text about another person: “my mother is …”. */
const OF_ANOTHER = new RegExp(
  String.raw`^\W*(?:my|our|the user['’]s) (?:\p{L}+ )?(?:${PERSON_EN.source})(?!.*\b(?:I|me|my)\b)|^(?:我|用户)(?:家|的)?(?:${PERSON_ZH.source})(?!.*我)`,
  'iu',
)

/** Matches words by which a text returns to the speaker. */
const OF_SPEAKER = /\b(?:I|me|my|the user)\b|我|用户/i

/** Returns a text without its sentences about other persons. What follows them is about them too, until it names the speaker. */
function withoutOthers(text: string): string {
  let isOther = false
  const rest = splitSentences(text).filter((sentence) => {
    isOther = OF_ANOTHER.test(sentence.text) || (isOther && !OF_SPEAKER.test(sentence.text))
    return !isOther
  })
  return rest.map((sentence) => sentence.text).join(' ')
}

/** Matches a topic of one noun: “the bill”. An article distinguishes it from a name that is written small. */
const DEFINITE_WORD = /^(?:the|my|our|that|this|these|those)\s+(\p{Ll}+)$/u
const BEFORE_NOUN = String.raw`\b(?:the|my|our|your|his|her|their|these|those|some|of|\d+)\s+`

/** Checks whether a text contains a noun: “bill” or “the bills”, but neither “billed” nor the name “Bill” within a sentence. */
function containsNoun(text: string, noun: string): boolean {
  const plural = String.raw`(?<=${BEFORE_NOUN})${noun}e?s`
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${noun}|${plural})(?![\p{L}\p{N}])`, 'giu')
  const found = splitSentences(text).flatMap((sentence) =>
    [...sentence.text.matchAll(pattern)].map(({ 0: form, index }) => ({
      isCapital: /^\p{Lu}\p{Ll}/u.test(form),
      isFirst: !/\p{L}/u.test(sentence.text.slice(0, index)),
    })),
  )
  const hasName = found.some(({ isCapital, isFirst }) => isCapital && !isFirst)
  return found.some(({ isCapital, isFirst }) => !isCapital || (isFirst && !hasName))
}

/** Returns the content terms of a topic, without vague nouns if others remain. */
function termsOf(about: string): ReadonlySet<string> {
  const terms = findTerms(about).map(conceptOf)
  const specific = terms.filter((term) => !VAGUE.has(term))
  return new Set(specific.length === 0 ? terms : specific)
}

/** A topic of people and something about them: “the money I owe Tom”. */
interface Matter {
  /** A test for each name. */
  readonly names: readonly ((text: string) => boolean)[]
  /** The words without the names. */
  readonly rest: string
  readonly isChinese: boolean
}

/** Matches capitalised words. They are names, because a topic is not a sentence. */
const NAMES_IN =
  /(?<![\p{L}\p{N}'’])(?!(?:I|The|My|Our|That|This|Those|These|What|How|When|Where|Why|A|An)\b)\p{Lu}[\p{L}'-]*/gu

/** Reads the names and the other words of a topic; `null` without names or without other words. */
function readMatter(about: string): Matter | null {
  const [first] = listNames(about)
  const chinese = CHINESE_MATTER.exec(about)?.groups?.['rest']
  if (first !== undefined && chinese !== undefined)
    return { names: [nameTest(first)], rest: chinese, isChinese: true }
  const rest = about.replace(NAMES_IN, ' ')
  if (first === undefined || [...termsOf(rest)].every((term) => VAGUE.has(term))) return null
  return { names: listNames(about).map(nameTest), rest, isChinese: false }
}

/** Returns the names that a topic contains. */
export function listNames(about: string): string[] {
  const chinese = CHINESE_MATTER.exec(about)?.groups?.['name']
  if (chinese !== undefined) return [chinese]
  return [...about.matchAll(NAMES_IN)].map(([name]) => name.replace(/['’]s$/, ''))
}

/** Checks whether a sentence names all the people and has a meaning similar to the other words of the topic. */
function mentionsMatter({ names, rest }: Matter, text: string, similarity: Similarity): boolean {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  return sentences.some((sentence, index) => {
    if (!names.every((isNamed) => isNamed(sentence))) return false
    const next = sentences[index + 1] ?? ''
    return hasSameMeaning(rest, HAS_PRONOUN.test(next) ? `${sentence} ${next}` : sentence, similarity)
  })
}
const HAS_PRONOUN = /\b(?:he|she|him|her|they|them|it)\b|[他她它]/i

/**
 * Returns the share of terms that a text contains, 0 to 1.
 *
 * @param isForeign whether a term may have one letter more than in the text, as an ending
 */
export function shareOf(terms: ReadonlySet<string>, text: string, isForeign = false): number {
  if (terms.size === 0) return 0
  const found = new Set(findTerms(text).map(conceptOf))
  const isFound = (term: string): boolean =>
    found.has(term) || (isForeign && term.length > MIN_NAME_LENGTH && found.has(term.slice(0, -1)))
  return [...terms].filter(isFound).length / terms.size
}

const MIN_NAME_LENGTH = 4

function isOfOtherLanguage(term: string): boolean {
  return conceptOf(term) !== term
}

/** Removes the speaker from a topic such as "Tom and me" or 我的地址, because the speaker says "I" in any sentence. */
function withoutSpeaker(about: string): string {
  return RELATION_ZH.test(about)
    ? about
    : about
        .replace(/^(?:me|myself|us)\s+and\s+|\s+and\s+(?:me|i|myself|us)$/i, '')
        .replace(/^我们?(?:和|跟|与|的)?(?=\p{Script=Han}{2})/u, '')
        .replace(/(?<=\p{Script=Han}{2})的$/u, '')
}

/** Matches a Chinese name by its family name. The list covers nine people in ten. */
const SURNAME =
  /^[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤]\p{Script=Han}{1,2}$/u

/** The family names alone, as a character class. */
export const FAMILY_NAME = SURNAME.source.slice(1, SURNAME.source.indexOf(']') + 1)

/** Matches a person and a matter: 我跟王敏借的钱, 王敏欠我的钱. */
const CHINESE_MATTER = new RegExp(
  `^(?:之前|以前|上次|昨天|那次|那天|当时|刚才)?(?:我们?)?(?:[跟和与同]|欠|借给?)?(?<name>${SURNAME.source.slice(1, -1)}?)(?:之间)?(?<rest>\\p{Script=Han}{2,})$`,
  'u',
)

function isPersonName(name: string, given: string): boolean {
  return SURNAME.test(name) || RELATION_ZH.test(given)
}

/** Returns the name of which a part of a topic consists; `null` for other words. */
function nameIn(part: string): string | null {
  if (findTerms(part).some(isOfOtherLanguage)) return null
  const name = NAME_EN.exec(part.replace(/[’]/g, "'").replace(/'s$/, ''))?.[1]
  if (name !== undefined) return name
  const plain = part.replace(RELATION_ZH, '')
  return HAN_WORD.test(plain) && !/^[我你他她它这那]|[的了吗呢吧]/.test(plain) ? plain : null
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Returns the relation beside a name: “sister” of “my sister Mia” and “Mia, my sister”. */
function relationIn(given: string): string | null {
  const chinese = RELATION_ZH.exec(given)?.[0].replace(/^(?:我们?|咱)(?:家|的)?/, '')
  const before = /^(?:my|our|the)\s+(?:\p{Ll}+\s+)??(?<relation>\p{Ll}[\p{Ll}-]+)\s+\p{Lu}/u.exec(given)
  const behind = /^\p{Lu}\S*,?\s+(?:the|my|our)\s+(?<relation>\p{Ll}[\p{Ll}-]+)$/u.exec(given)
  return chinese ?? before?.groups?.['relation'] ?? behind?.groups?.['relation'] ?? null
}

/**
 * Returns tests for a person by name and relation: “my friend Mia” does not mention “my sister Mia”. A text that names Mia without a
 * relation may mean her.
 */
function testsOfRelation(
  name: string,
  relation: string,
): Pick<Topic, 'coverageIn'> & Required<Pick<Topic, 'statesRelation'>> {
  const isNamed = nameTest(name)
  const isOf = (other: string): boolean =>
    isSameRelation(relation, other) || (/^ex\b/.test(relation) && /^ex\b/.test(other))
  return {
    coverageIn: (text) => {
      if (!isNamed(text)) return 0
      const relations = relationsTo(name, text)
      return relations.length === 0 || relations.some(isOf) ? 1 : 0
    },
    statesRelation: (text) => isNamed(text) && relationsTo(name, text).some(isOf),
  }
}

/** Returns the words that relate a person: “my friend Mia”, “the user's friend is called Mia”, “Mia, my friend”, 同事王强. */
function relationsTo(name: string, text: string): string[] {
  const written = escapeRegExp(name)
  const own = String.raw`(?:\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir)|['’]s)\s+(?:\p{Ll}+\s+)??(\p{Ll}[\p{Ll}-]+)`
  const patterns = HAN_WORD.test(name)
    ? [`(${RELATIONS_ZH})(?:叫|是)?${name}`]
    : [
        String.raw`${own},?\s+(?:is\s+)?(?:called\s+|named\s+)?${written}\b`,
        String.raw`\b${written}(?:\s+\p{Lu}\S*)?(?:,|\s+is)?\s+${own}`,
      ]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'gu'))].map(([, relation = '']) => relation),
  )
}

/** Returns a test for texts that contain a name. */
function nameTest(name: string): (text: string) => boolean {
  if (HAN_WORD.test(name)) return (text) => containsHanWord(text, name)
  const escaped = escapeRegExp(name)
  const edges = [String.raw`(?<![\p{Script=Latin}\p{N}])`, String.raw`(?![\p{Script=Latin}\p{N}])`] as const
  const exact = new RegExp(`${edges[0]}(?:${escaped}|${escaped.toUpperCase()})${edges[1]}`, 'u')
  const anyCase = new RegExp(`${edges[0]}${escaped}${edges[1]}`, 'iu')
  // Texts without capitals are matched ignoring case.
  return (text) => exact.test(text) || (!/\p{Lu}/u.test(text) && anyCase.test(text))
}

/** Checks whether a word occurs outside other words of the dictionary: 小白, but not in 小白菜, nor 小美 in 小|美容|店. */
function containsHanWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const inOtherWords = [...segmenter.segment(text)].filter(({ segment, index }) => {
    if (segment.length > word.length && segment.includes(word)) return true
    // A word that begins with the last character and goes on behind it. After a family name this is chance: 李明|白天.
    const isOver = segment.length > 1 && !SURNAME.test(word) && text.startsWith(word, index - word.length + 1)
    return isOver && index >= word.length - 1
  })
  const occurrences = text.split(word).length - 1
  return occurrences > inOtherWords.length
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

/** Cosine of two texts, −1 to 1. */
export type Similarity = (one: string, other: string) => number

/**
 * Minimum mean similarity between the words of a topic and the nearest words of a sentence about the same person. With “the
 * money I owe”, the similarity of “lent me four thousand” is 0.34, of a trip to the cinema 0.24, of a birthday below 0.1.
 */
const MIN_SIMILARITY = { en: 0.3, zh: 0.4 }
/** In a longer sentence, each further word raises the minimum, because one of many words may be similar by chance. */
const SHORT_SENTENCE = 8
const INCREASE_PER_WORD = 0.015
const HAN = /\p{Script=Han}/u

/** Checks whether the words of a topic have similar words in a sentence, on average. */
function hasSameMeaning(topic: string, sentence: string, similarity: Similarity): boolean {
  const [topicWords, words] = [contentWords(topic), contentWords(sentence)]
  if (topicWords.length === 0 || words.length === 0) return false
  const best = topicWords.map((word) =>
    Math.max(...words.map((other) => compareWords(word, other, similarity))),
  )
  const mean = best.reduce((sum, score) => sum + score, 0) / best.length
  const extra = Math.max(0, words.length - SHORT_SENTENCE) * INCREASE_PER_WORD
  return mean >= (HAN.test(topic) ? MIN_SIMILARITY.zh : MIN_SIMILARITY.en) + extra
}

function compareWords(first: string, second: string, similarity: Similarity): number {
  return findTerms(first)[0] === findTerms(second)[0] ? 1 : similarity(first, second)
}

function contentWords(text: string): string[] {
  const words = [...segmentWords(normaliseText(text))].flatMap((segment) =>
    segment.script === 'han' ? wordsOfHan(segment.text) : [segment.text],
  )
  return [...new Set(words)].filter((word) => findTerms(word).length > 0)
}

function wordsOfHan(run: string): string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return [...segmenter.segment(run)].map(({ segment }) => segment)
}

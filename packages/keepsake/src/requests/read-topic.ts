import { conceptOf, findTerms, readStatedKind, splitSentences } from '@keepsake/text'
import { PERSON_EN, PERSON_ZH } from './continue-topic.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { isAboutTheSame, type Similarity } from './related-words.ts'

export interface Topic {
  /** Share of the request's content words that a text holds, 0 to 1; of a name, all or nothing. */
  coverageIn(text: string): number
  /** Content words; 1 for a name or for several topics. */
  readonly size: number
  readonly isName: boolean
  readonly hasName: boolean
  /** For several names: each name alone, used when no text mentions them all. */
  readonly apart?: Topic
}

const RELATION_EN = String.raw`(?:(?:my|our|the|that|this)\s+(?:(?!at\b|in\b|on\b|of\b|for\b|with\b|to\b|from\b)\p{Ll}+\s+){1,2})?`
const NAME_EN = new RegExp(`^${RELATION_EN}((?!I\\b|I')\\p{Lu}[\\p{L}'-]*(?:\\s\\p{Lu}[\\p{L}'-]*)*)$`, 'u')
/** Matches a relation before a name: 我前男友李航. */
const RELATION_ZH =
  /^(?:我|我们|咱)(?:家|的)?(?:前|新|老|大|小|那个|好)?(?:男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|领导|导师|老师|教练|老公|老婆|丈夫|妻子|对象|未婚夫|未婚妻|哥哥?|弟弟?|姐姐?|妹妹?|表[哥弟姐妹]|堂[哥弟姐妹]|叔叔|阿姨|舅舅|姑姑|儿子|女儿|猫|狗|任)(?=\p{Script=Han}{2,4}$|\p{Script=Latin})/u
const HAN_WORD = /^\p{Script=Han}{2,4}$/u

/** The topic of a request that names nothing. */
export const NO_TOPIC: Topic = { coverageIn: () => 0, size: 0, isName: false, hasName: false }

/**
 * Minimum share of a request's content words that a text must contain: all of one to three words, three quarters of more. Deleting the
 * wrong memory is worse than asking again.
 */
const LEAST_COVERAGE = 0.75

export function isCovered(topic: Topic, coverage: number): boolean {
  return topic.size > 0 && coverage >= (topic.size <= 3 ? 1 : LEAST_COVERAGE)
}

export function tellsOf(topic: Topic, text: string): boolean {
  return isCovered(topic, topic.coverageIn(text))
}

/** Prefers texts that mention all names; falls back to texts with any of them. */
export async function settleTopic<Item>(
  topic: Topic,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
): Promise<Topic> {
  if (topic.apart === undefined) return topic
  const telling = (item: Item): readonly Item[] =>
    textsOf(item).some((text) => tellsOf(topic, text)) ? [item] : []
  return (await flatMapInPieces(items, telling)).length > 0 ? topic : topic.apart
}

/** Parses alternative descriptions of a topic; a mention of one is a mention of the topic. */
export function readTopics(given: readonly string[], similarity?: Similarity): Topic {
  const [first = NO_TOPIC, ...more] = given.map((about) => readTopic(about, similarity))
  if (more.length === 0) return first
  const topics = [first, ...more]
  return {
    coverageIn: (text) => (topics.some((topic) => tellsOf(topic, text)) ? 1 : 0),
    size: 1,
    isName: topics.some(({ isName }) => isName),
    hasName: topics.some(({ hasName }) => hasName),
  }
}

let segmenter: Intl.Segmenter | undefined

/** Vague nouns that match any statement: “the business with Tom”, “my health problems”. */
const VAGUE = new Set(
  findTerms(
    'thing things stuff business matter story part bit problem problems issue issues situation details episode whole conversation talk subject topic',
  ),
)

/**
 * Parses the topic of a request. Names match exactly as written ("Rose" is no "rose"), and several joined by "and" match together (see
 * `settleTopic`); other words match by stem. For a name with other words ("the money I owe Tom") a sentence must name the person and have a
 * similar meaning.
 *
 * @param similarity without it only words count
 */
export function readTopic(given: string, similarity?: Similarity): Topic {
  const about = withoutSpeaker(given)
  const matter = matterOf(about)
  const names = about
    .split(/\s*(?:,|、|\band\b|\bor\b|&)\s*|(?<=\p{Script=Han})(?:和|跟|与)(?=\p{Script=Han}{2,4}$)/u)
    .filter((part) => part !== '')
    .map(nameIn)
  const kind = readStatedKind(given)
  const isOwn = OWN_STATE.test(given)
  const mayBeNames = kind === null && matter?.isChinese !== true
  if (mayBeNames && names.length > 0 && names.every((name) => name !== null)) {
    const holds = names.flatMap((name) => (name === null ? [] : [nameTest(name)]))
    const isName = names.every((name) => name !== null && (!HAN_WORD.test(name) || isPersonName(name, given)))
    const topic = { size: 1, isName, hasName: isName }
    const apart = { ...topic, coverageIn: (text: string) => (holds.some((test) => test(text)) ? 1 : 0) }
    if (holds.length === 1) return apart
    return { ...topic, coverageIn: (text) => (holds.every((test) => test(text)) ? 1 : 0), apart }
  }
  const askedTerms = termsOf(about)
  // A language with endings of its own writes names otherwise, too: “Berna” is Bern.
  const isForeign = askedTerms.size > 1 && findTerms(about).some(isOfOtherLanguage)
  const coverageIn = (text: string): number => {
    if (kind !== null && splitSentences(text).some((sentence) => kind.states.test(sentence.text))) return 1
    if (isOwn && OF_ANOTHER.test(text)) return 0
    const share = shareOf(askedTerms, text, isForeign)
    const isRelated = share < 1 && similarity !== undefined && matter !== null
    return isRelated && tellsOfMatter(matter, text, similarity) ? 1 : share
  }
  return { coverageIn, size: askedTerms.size, isName: false, hasName: matter !== null }
}

/** Matches a topic that states something of the speaker, and a text that begins with another's state: “my mother is …”. */
const OWN_STATE = /^(?:that )?I(?:['’]m| am| have|['’]ve)\b|^我(?:有|得|是|对|患)/i
const OF_ANOTHER = new RegExp(
  String.raw`^\W*(?:my|our) (?:\p{L}+ )?(?:${PERSON_EN.source})(?!.*\bI\b)|^我(?:家|的)?(?:${PERSON_ZH.source})`,
  'iu',
)

function termsOf(about: string): ReadonlySet<string> {
  const terms = findTerms(about).map(conceptOf)
  const telling = terms.filter((term) => !VAGUE.has(term))
  return new Set(telling.length === 0 ? terms : telling)
}

/** The person in a request, and what it says of them. */
interface Matter {
  readonly names: readonly ((text: string) => boolean)[]
  readonly rest: string
  readonly isChinese: boolean
}

/** Matches capitalised words; a request is no sentence, so they are names. */
const NAMES_IN =
  /(?<![\p{L}\p{N}'’])(?!(?:I|The|My|Our|That|This|Those|These|What|How|When|Where|Why|A|An)\b)\p{Lu}[\p{L}'-]*/gu

function matterOf(about: string): Matter | null {
  const [first] = namesNamed(about)
  const chinese = CHINESE_MATTER.exec(about)?.groups?.['rest']
  if (first !== undefined && chinese !== undefined)
    return { names: [nameTest(first)], rest: chinese, isChinese: true }
  const rest = about.replace(NAMES_IN, ' ')
  if (first === undefined || [...termsOf(rest)].every((term) => VAGUE.has(term))) return null
  return { names: namesNamed(about).map(nameTest), rest, isChinese: false }
}

export function namesNamed(about: string): string[] {
  const chinese = CHINESE_MATTER.exec(about)?.groups?.['name']
  if (chinese !== undefined) return [chinese]
  return [...about.matchAll(NAMES_IN)].map(([name]) => name.replace(/['’]s$/, ''))
}

function tellsOfMatter({ names, rest }: Matter, text: string, similarity: Similarity): boolean {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  return sentences.some((sentence, index) => {
    if (!names.every((isNamed) => isNamed(sentence))) return false
    const next = sentences[index + 1] ?? ''
    return isAboutTheSame(rest, GOES_ON.test(next) ? `${sentence} ${next}` : sentence, similarity)
  })
}
const GOES_ON = /\b(?:he|she|him|her|they|them|it)\b|[他她它]/i

export function shareOf(askedTerms: ReadonlySet<string>, text: string, isForeign = false): number {
  if (askedTerms.size === 0) return 0
  const held = new Set(findTerms(text).map(conceptOf))
  const isHeld = (term: string): boolean =>
    held.has(term) || (isForeign && term.length > SHORTEST_NAME && held.has(term.slice(0, -1)))
  return [...askedTerms].filter(isHeld).length / askedTerms.size
}

const SHORTEST_NAME = 4

function isOfOtherLanguage(term: string): boolean {
  return conceptOf(term) !== term
}

/** Removes the speaker: in "Tom and me" and 我的地址, the speaker's sentences say "I". */
function withoutSpeaker(about: string): string {
  return RELATION_ZH.test(about)
    ? about
    : about
        .replace(/^(?:me|myself|us)\s+and\s+|\s+and\s+(?:me|i|myself|us)$/i, '')
        .replace(/^我们?(?:和|跟|与|的)?(?=\p{Script=Han}{2})/u, '')
        .replace(/(?<=\p{Script=Han}{2})的$/u, '')
}

/** The most common Chinese family names, a closed class that covers nine in ten. */
export const SURNAME =
  /^[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤]\p{Script=Han}{1,2}$/u

export const FAMILY_NAME = SURNAME.source.slice(1, SURNAME.source.indexOf(']') + 1)

/** Matches a person and a matter: 我跟王敏借的钱, 王敏欠我的钱. */
const CHINESE_MATTER = new RegExp(
  `^(?:之前|以前|上次|昨天|那次|那天|当时|刚才)?(?:我们?)?(?:[跟和与同]|欠|借给?)?(?<name>${SURNAME.source.slice(1, -1)}?)(?:之间)?(?<rest>\\p{Script=Han}{2,})$`,
  'u',
)

function isPersonName(name: string, given: string): boolean {
  return SURNAME.test(name) || RELATION_ZH.test(given)
}

function nameIn(part: string): string | null {
  if (findTerms(part).some(isOfOtherLanguage)) return null
  const name = NAME_EN.exec(part.replace(/[’]/g, "'").replace(/'s$/, ''))?.[1]
  if (name !== undefined) return name
  const plain = part.replace(RELATION_ZH, '')
  return HAN_WORD.test(plain) && !/^[我你他她它这那]|[的了吗呢吧]/.test(plain) ? plain : null
}

function nameTest(name: string): (text: string) => boolean {
  if (HAN_WORD.test(name)) return (text) => holdsHanWord(text, name)
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const edges = [String.raw`(?<![\p{Script=Latin}\p{N}])`, String.raw`(?![\p{Script=Latin}\p{N}])`] as const
  const written = new RegExp(`${edges[0]}(?:${escaped}|${escaped.toUpperCase()})${edges[1]}`, 'u')
  const careless = new RegExp(`${edges[0]}${escaped}${edges[1]}`, 'iu')
  // Texts without capitals are matched ignoring case.
  return (text) => written.test(text) || (!/\p{Lu}/u.test(text) && careless.test(text))
}

/** Checks that the word occurs outside longer dictionary words: 小白 but not 小白菜. */
function holdsHanWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const swallowed = [...segmenter.segment(text)].filter(
    ({ segment }) => segment.length > word.length && segment.includes(word),
  )
  const occurrences = text.split(word).length - 1
  return occurrences > swallowed.length
}

/** Finds names for people whom a request describes: “my ex” in “my ex Tom”, 前男友 in 前男友李航. */
export function namedIn(about: string, texts: readonly string[]): string[] {
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

import { findTerms } from '../text/analyse-text.ts'

/** What a request names, and whether words tell of it. */
export interface Topic {
  /** Share of the request's content words that a text holds, 0 to 1; of a name, all or nothing. */
  coverageIn(text: string): number
  /** Content words; 1 for a name. */
  readonly size: number
  readonly isName: boolean
}

const RELATION_EN = String.raw`(?:(?:my|our|the|that|this)\s+(?:(?!at\b|in\b|on\b|of\b|for\b|with\b|to\b|from\b)\p{Ll}+\s+){1,2})?`
const NAME_EN = new RegExp(`^${RELATION_EN}((?!I\\b|I')\\p{Lu}[\\p{L}'-]*(?:\\s\\p{Lu}[\\p{L}'-]*)*)$`, 'u')
/** 我前男友李航: who it is to the speaker stands before the name. */
const RELATION_ZH =
  /^(?:我|我们|咱)(?:家|的)?(?:前|新|老|大|小|那个|好)?(?:男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|领导|导师|老师|教练|老公|老婆|丈夫|妻子|对象|未婚夫|未婚妻|哥哥?|弟弟?|姐姐?|妹妹?|表[哥弟姐妹]|堂[哥弟姐妹]|叔叔|阿姨|舅舅|姑姑|儿子|女儿|猫|狗|任)(?=\p{Script=Han}{2,4}$|\p{Script=Latin})/u
const HAN_WORD = /^\p{Script=Han}{2,4}$/u

let segmenter: Intl.Segmenter | undefined

/**
 * Reads what a request names. A name is looked for as it is written ("Rose" is no "rose"), several joined by "and"
 * each on their own; other words by their stems.
 */
export function readTopic(given: string): Topic {
  const about = withoutSpeaker(given)
  const names = about
    .split(/\s*(?:,|、|\band\b|\bor\b|&)\s*|(?<=\p{Script=Han})(?:和|跟|与)(?=\p{Script=Han}{2,4}$)/u)
    .filter((part) => part !== '')
    .map(nameIn)
  if (names.length > 0 && names.every((name) => name !== null)) {
    const holds = names.flatMap((name) => (name === null ? [] : [nameTest(name)]))
    return {
      coverageIn: (text) => (holds.some((test) => test(text)) ? 1 : 0),
      size: 1,
      isName: names.every((name) => name !== null && (!HAN_WORD.test(name) || isPersonName(name, given))),
    }
  }
  const asked = new Set(findTerms(about))
  return { coverageIn: (text) => shareOf(asked, text), size: asked.size, isName: false }
}

/** Share of the terms that a text holds. */
export function shareOf(asked: ReadonlySet<string>, text: string): number {
  if (asked.size === 0) return 0
  const held = new Set(findTerms(text))
  return [...asked].filter((term) => held.has(term)).length / asked.size
}

/** Of "Tom and me" and 我的地址 the speaker is no part: words about them say "I" or their name. */
function withoutSpeaker(about: string): string {
  return RELATION_ZH.test(about)
    ? about
    : about
        .replace(/^(?:me|myself|us)\s+and\s+|\s+and\s+(?:me|i|myself|us)$/i, '')
        .replace(/^我们?(?:和|跟|与|的)?(?=\p{Script=Han}{2})/u, '')
}

/** The commonest family names, which nine in ten Chinese bear; a language's closed class. */
const SURNAME =
  /^[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤]\p{Script=Han}{1,2}$/u

function isPersonName(name: string, given: string): boolean {
  return SURNAME.test(name) || RELATION_ZH.test(given)
}

function nameIn(part: string): string | null {
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
  // Who writes no capitals writes none for names either.
  return (text) => written.test(text) || (!/\p{Lu}/u.test(text) && careless.test(text))
}

/** Whether the word stands in a text, and not only inside a longer word of the dictionary: 小白 in 小白菜. */
function holdsHanWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const swallowed = [...segmenter.segment(text)].filter(
    ({ segment }) => segment.length > word.length && segment.includes(word),
  )
  const occurrences = text.split(word).length - 1
  return occurrences > swallowed.length
}

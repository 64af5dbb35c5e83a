// Reads which thing, place or language a question asks for.
import { segmentChinese } from '../vectors/chinese-words.ts'
import { RELATIVE } from './asked-relation.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { isChineseFunctionCharacter } from '../terms/function-words.ts'

/**
 * Reads the asked thing as terms that an answer must have: “car” for “What car do I drive?”. Returns `null` if there is none, or if answers
 * do not repeat it, as with “colour”.
 */
export function readAskedThing(question: string): readonly string[] | null {
  if (/\p{Script=Han}/u.test(question)) return chineseThing(question)
  for (const pattern of ASKED) {
    const thing = pattern.exec(question)?.groups?.['thing']
    const terms = thing === undefined ? [] : findTerms(thing)
    if (terms.length > 0 && !terms.some((term) => CATEGORY_TERMS.has(term))) return terms
  }
  return null
}

function chineseThing(question: string): readonly string[] | null {
  for (const pattern of ASKED_CHINESE) {
    const thing = pattern.exec(question.trim())?.groups?.['thing']
    const word = segmentChinese(thing ?? '').at(-1) ?? ''
    // Answers may name a relative by other words: 我妹 for 我的妹妹.
    if (word === '' || CHINESE_CATEGORY.test(word) || IS_RELATIVE.test(thing ?? '')) continue
    if (Array.from(word).every(isChineseFunctionCharacter)) continue
    const terms = findTerms(word)
    // A word of several characters must occur whole: 血压 does not answer for 血型, although both have 血.
    const longTerms = terms.filter((term) => term.length > 1)
    return longTerms.length > 0 ? longTerms : terms
  }
  return null
}

/** Reads the language or place that a question for yes or no names. Only a text that names it too can answer. */
export function readAskedName(question: string): string | null {
  const found = ASKED_NAMES.map((pattern) => pattern.exec(question.trim())?.groups?.['thing'])
  return found.find((name) => name !== undefined) ?? null
}

/**
 * Reports whether a text names a thing of its speaker: “our lab Biscuit”. Such a text may answer a question about a dog without the word.
 */
export function namesOwnThing(text: string): boolean {
  return OWN_NAMED.test(text)
}

const WORD = String.raw`(?<thing>\p{Ll}{3,})`
const LAST = String.raw`(?=\s*(?:[?,.]|$))`
const ASKED = [
  // Asks for a possession: “What car do I drive?”
  new RegExp(
    String.raw`\b(?:what|which) (?:(?:kind|sort|type|make|brand) of )?${WORD} (?:do|did) \S+ (?:drive|own|ride|use)\b`,
    'iu',
  ),
  // Asks whether a thing exists: “Do I have a dog?”
  new RegExp(
    String.raw`^(?:do|did|have|has|does) \S+ (?:have|own|got|play|keep|ever had) (?:an?|any) ${WORD}${LAST}`,
    'iu',
  ),
  new RegExp(String.raw`\bfavou?rite ${WORD}(?:${LAST}|(?=\s+(?:is|was|of)\b))`, 'iu'),
]
/** Terms of words for categories. An answer does not repeat them: “red” answers “What colour …?”. */
const CATEGORY_TERMS = new Set(
  findTerms(
    'colour color food drink meal dish place city animal thing sport hobby subject problem plan reason',
  ),
)
/** Matches Chinese words for categories. */
const CHINESE_CATEGORY =
  /^(?:东西|时候|名字|工作|职业|颜色|地方|城市|事情?|人|水果|食物|菜|季节|动物|爱好|运动|计划|办法|意见|问题)$/u

const IS_RELATIVE = /(?:[妈爸爷奶哥姐弟妹叔舅姑姨公婆]|儿子|女儿|[男女]友|丈夫|妻子)$/u
/** Match questions whether one knows a language or was at a place: “Do I speak French?”, 我去过埃及吗. */
const ASKED_NAMES = [
  new RegExp(
    String.raw`^(?:do|did|does|have|has|can) (?:\p{L}+ ){1,2}?(?:ever )?(?:speak|spoken|learn|visit|visited|(?:been|go|gone|travel|travelled|moved?) to) (?!(?:${RELATIVE})\b)${WORD}${LAST}`,
    'iu',
  ),
  /(?:[去到学住]过|会说?|懂)(?<thing>\p{Script=Han}{2,6}?)(?:吗|么|没有?)[？?]?$/u,
]
/** Match 我有狗吗 (“do I have a dog?”), 我最喜欢的书是 (“my favourite book is”) and 我的车是 (“my car is”). */
const ASKED_CHINESE = [
  /(?:有|养[了过]?|会弹)(?!没有)(?<thing>\p{Script=Han}{1,3}?)了?(?:吗|没有?|么)[？?]?$/u,
  /最(?:喜欢|爱)(?:看|听|吃|喝|玩)?的(?<thing>\p{Script=Han}{1,3})(?:是|叫)/u,
  /我的(?<thing>\p{Script=Han}{2,6}?)(?:是|叫)/u,
]
const OWN_NAMED = new RegExp(
  String.raw`\b(?:[Mm]y|[Oo]ur) (?!(?:\p{Ll}+ ){0,2}?(?:${RELATIVE})\b)(?:\p{Ll}+ ){1,3}\p{Lu}\p{Ll}|我们?家的?\p{Script=Han}{3,}`,
  'u',
)

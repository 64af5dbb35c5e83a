import { pattern } from '@keepsake/text'

/** A word or phrase that changes the sense of the words after it, such as “not” or “stopped”. */
export interface Mark {
  readonly start: number
  readonly end: number
}

/** Matches denials and endings, such as “no longer” and 不再. The words after them in the clause are denied. */
const DENIAL = pattern(
  'giu',
  /\b(?:not|no longer|no|never|none|neither|nor|without|cannot|hardly|barely)\b/,
  /\b(?:stop(?:s|ped|ping)?|quits?|quitting|ceased?|g[ai]ve[ns]? up|giving up)\b/,
  /\b(?:used to|formerly|previously)\b/,
  /\b(?:aren|(?:is|was|were|do|does|did|has|have|had|ca|wo|could|would|should|might|must|need)n)'t\b/,
  /没有|不再|从不|从没|从未|停止|放弃|早就不|以前(?!的)|从前|曾经|[不没]/,
)
/** Matches words that contain a denial but deny nothing: “not only”, 不错 (good). Also matches past experiences (去过), which have not ended. */
const NO_DENIAL = pattern(
  'giu',
  /\bnot only\b|\bno doubt\b|\bno one else\b|\bno\.\s?(?=\d)/,
  /不过|不错|不仅|不但|不只|不断|不管|不论|不得不|要不|差不多|了不起|不好意思|不同|不久|不寻常|不少/,
  /[\p{Script=Han}]不[\p{Script=Han}]得|是不是|有没有|对不对|好不好|没关系|没问题/u,
  /(?:曾经?)(?=[^，。；,.;]{0,6}过)|(?<=[\d年月天周久]\s*)以前/,
)

/** Matches denials that must be whole words. Within other words (无花果, 未来, 特别) their characters deny nothing. */
const DENYING_WORD = /^(?:[无未别非戒曾]|无法|未曾|未能|从未|并未|并非|别再|戒掉|戒烟|戒酒|不曾)$/u
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Matches words of liking, and below words of disliking. */
const LIKING = pattern(
  'giu',
  /\b(?:like[sd]?|liking|loves?|loved|loving|enjoy(?:s|ed|ing)?|ador(?:e|es|ed|ing))\b/,
  /\b(?:(?:is|am|are|was|were) fond of|(?:is|am|are) keen on)\b/,
  /喜欢|喜爱|热爱|钟爱/,
)
const DISLIKING = pattern(
  'giu',
  /\b(?:dislik(?:e|es|ed|ing)|hat(?:e|es|ed|ing)|detest(?:s|ed|ing)?|loath(?:e|es|ed|ing))\b/,
  /\b(?:can't|cannot|can not) stand\b|讨厌|厌恶|反感|痛恨/,
)

/** Matches words that call a statement merely possible: “probably”, 可能. */
const HEDGE = pattern(
  'iu',
  /\b(?:might|maybe|perhaps|possibly|probably|presumably|supposedly|apparently|likely)\b/,
  /\b(?:could(?: well)? be|may (?:be|have)|seems?|i (?:think|guess|believe|suppose))\b/,
  /\b(?:not (?:quite |entirely )?sure|unsure)\b/,
  /可能|也许|大概|或许|似乎|好像|说不定|应该是|我猜|不确定/,
)
/** Matches words that offer a choice: “or”, 还是. */
const ALTERNATIVE = /\b(?:or|either)\b|或者?|还是|要么/iu
/** Matches words that name nothing exact: “something”, “a few”, 一些. */
const VAGUE = pattern(
  'iu',
  /\b(?:some|something|someone|somewhere|sometimes?|kinds? of|sorts? of|certain|various|several)\b/,
  /\b(?:a few|a while|a bit|things?|stuff)\b/,
  /一些|有些|某些?|有点|什么的|之类|几[个种只本]|别的|不少|前阵子/,
)

/** Finds denials and endings. */
export function findDenials(text: string): Mark[] {
  const searched = text.replace(NO_DENIAL, (match) => ' '.repeat(match.length))
  const denials = find(searched, DENIAL)
  if (!/[无未别非戒曾]/u.test(searched)) return denials
  const words = [...segmenter.segment(blankMarks(searched, denials))].filter(({ segment }) =>
    DENYING_WORD.test(segment),
  )
  return [...denials, ...words.map(({ segment, index }) => ({ start: index, end: index + segment.length }))]
}

/** Finds words of liking, such as “enjoys”. */
export function findLikings(text: string): Mark[] {
  return find(text, LIKING)
}

/** Finds words of disliking, such as “hates”. */
export function findDislikings(text: string): Mark[] {
  return find(text, DISLIKING)
}

/** Reports whether a text calls its statement merely possible. */
export function isHedged(text: string): boolean {
  return HEDGE.test(text)
}

/** Reports whether a text leaves a choice open, by “or” or “either”. */
export function offersAlternative(text: string): boolean {
  return ALTERNATIVE.test(text)
}

/** Reports whether a text begins with “or”, and so continues the choice of the sentence before. */
export function opensAlternative(text: string): boolean {
  return ALTERNATIVE.exec(text)?.index === text.search(/\S/)
}

/** Reports whether a text uses words that name nothing exact. */
export function isVague(text: string): boolean {
  return VAGUE.test(text)
}

/** Replaces marks by spaces, so that the positions of other words stay. */
export function blankMarks(text: string, marks: readonly Mark[]): string {
  return marks.reduce(
    (blanked, { start, end }) => blanked.slice(0, start) + ' '.repeat(end - start) + blanked.slice(end),
    text,
  )
}

function find(text: string, pattern: RegExp): Mark[] {
  return [...text.matchAll(pattern)].map(({ 0: mark, index }) => ({ start: index, end: index + mark.length }))
}

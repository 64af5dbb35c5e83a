/** A mark that changes the sense of the following words, or of the whole. Closed classes of the two languages. */
export interface Mark {
  readonly start: number
  readonly end: number
}

/** Denials and endings: nothing after them in the clause is affirmed. */
const DENIAL =
  /\b(?:not|no longer|no|never|none|neither|nor|without|cannot|hardly|barely|stop(?:s|ped|ping)?|quits?|quitting|ceased?|g[ai]ve[ns]? up|giving up|used to|formerly|previously|aren't|(?:is|was|were|do|does|did|has|have|had|ca|wo|could|would|should|might|must|need)n't)\b|没有|不再|从不|从没|从未|停止|放弃|早就不|以前(?!的)|从前|曾经|[不没]/giu
/** Words that contain such a word and deny nothing. Past experiences (去过) have not ended. */
const NO_DENIAL =
  /\bnot only\b|\bno doubt\b|\bno one else\b|\bno\.\s?(?=\d)|不过|不错|不仅|不但|不只|不断|不管|不论|不得不|要不|差不多|了不起|不好意思|不同|不久|不寻常|不少|[\p{Script=Han}]不[\p{Script=Han}]得|是不是|有没有|对不对|好不好|没关系|没问题|(?:曾经?)(?=[^，。；,.;]{0,6}过)|(?<=[\d年月天周久]\s*)以前/giu

/** Denials as separate words; in many others (无花果, 未来, 特别) they are a syllable. */
const DENYING_WORD = /^(?:[无未别非戒曾]|无法|未曾|未能|从未|并未|并非|别再|戒掉|戒烟|戒酒|不曾)$/u
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

const LIKING =
  /\b(?:like[sd]?|liking|loves?|loved|loving|enjoy(?:s|ed|ing)?|ador(?:e|es|ed|ing)|(?:is|am|are|was|were) fond of|(?:is|am|are) keen on)\b|喜欢|喜爱|热爱|钟爱/giu
const DISLIKING =
  /\b(?:dislik(?:e|es|ed|ing)|hat(?:e|es|ed|ing)|detest(?:s|ed|ing)?|loath(?:e|es|ed|ing)|(?:can't|cannot|can not) stand)\b|讨厌|厌恶|反感|痛恨/giu

const HEDGE =
  /\b(?:might|maybe|perhaps|possibly|probably|presumably|supposedly|apparently|likely|could(?: well)? be|may (?:be|have)|seems?|i (?:think|guess|believe|suppose)|not (?:quite |entirely )?sure|unsure)\b|可能|也许|大概|或许|似乎|好像|说不定|应该是|我猜|不确定/iu
const ALTERNATIVE = /\b(?:or|either)\b|或者?|还是|要么/iu
const VAGUE =
  /\b(?:some|something|someone|somewhere|sometimes?|kinds? of|sorts? of|certain|various|several|a few|a while|a bit|things?|stuff)\b|一些|有些|某些?|有点|什么的|之类|几[个种只本]|别的|不少|前阵子/iu

export function findDenials(text: string): Mark[] {
  const read = text.replace(NO_DENIAL, (match) => ' '.repeat(match.length))
  const denials = find(read, DENIAL)
  if (!/[无未别非戒曾]/u.test(read)) return denials
  const words = [...segmenter.segment(blankMarks(read, denials))].filter(({ segment }) =>
    DENYING_WORD.test(segment),
  )
  return [...denials, ...words.map(({ segment, index }) => ({ start: index, end: index + segment.length }))]
}

export function findLikings(text: string): Mark[] {
  return find(text, LIKING)
}

export function findDislikings(text: string): Mark[] {
  return find(text, DISLIKING)
}

/** Whether it is stated as merely possible. */
export function isHedged(text: string): boolean {
  return HEDGE.test(text)
}

/** Whether it leaves a choice open. */
export function offersAlternative(text: string): boolean {
  return ALTERNATIVE.test(text)
}

/** Whether it continues with another choice. */
export function opensAlternative(text: string): boolean {
  return ALTERNATIVE.exec(text)?.index === text.search(/\S/)
}

/** Whether it uses unspecific words. */
export function isVague(text: string): boolean {
  return VAGUE.test(text)
}

/** Blanks the marks, keeping the length. */
export function blankMarks(text: string, marks: readonly Mark[]): string {
  return marks.reduce(
    (whole, { start, end }) => whole.slice(0, start) + ' '.repeat(end - start) + whole.slice(end),
    text,
  )
}

function find(text: string, rule: RegExp): Mark[] {
  return [...text.matchAll(rule)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
}

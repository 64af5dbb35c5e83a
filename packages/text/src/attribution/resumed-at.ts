// Finds where users resume in their own words below another's text. Called by mask-unspoken.ts.
import { either } from '../pattern.ts'
import { handsOver } from './leading-words.ts'

/** Returns where the user resumes below another's text (“That's from my aunt. Me, I live …”, 我自己…), or -1. */
export function resumedAt(text: string): number {
  const isLetter = LETTER.test(text)
  let isAfterGap = false
  let isAfterRule = false
  let isAfterSignature = false
  for (const { 0: lineWithEnd, index } of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (index >= text.length) break
    const line = lineWithEnd.trim()
    const isRule = /^(?:[-_*=~#]\s?){3,}$/.test(line)
    if (line === '' || isRule) {
      isAfterGap = true
      isAfterRule ||= isRule
      continue
    }
    const rest = text.slice(index)
    const isLastParagraph = rest.length <= LONGEST_OWN && !/\n\s*\n/.test(rest.trimEnd())
    isAfterGap ||= /^(?:[-–—^]|[(（]\p{L})/u.test(line)
    // Below a letter's signature, or a rule, a question about the letter is the user's.
    const asksAboutLetter = (isAfterRule || isAfterSignature) && POINTS.test(rest) && asksAboutAbove(rest)
    const isPartOfLetter = isLetter && !asksAboutLetter
    const mayResume = index > 0 && isLastParagraph && resumes(line, rest, isPartOfLetter, isAfterGap)
    // The paragraph directly after “someone posted this” is the post.
    if (mayResume && !handsOver(text.slice(0, index).trim())) return index
    isAfterGap = false
    isAfterRule = false
    isAfterSignature = SIGNATURE.test(line)
  }
  return -1
}

/** Reports whether a line is the first of the user's words below another's text. */
function resumes(line: string, rest: string, isPartOfLetter: boolean, isAfterGap: boolean): boolean {
  if (REFERS_BACK.test(line.replace(/^[-–—^]+\s*/u, ''))) return isAfterGap
  if (isPartOfLetter) return false
  if (FOR_ONESELF.test(line) || ASKS_RIGHT_BELOW.test(line)) return true
  return isAfterGap && (GOES_ON_AFTER.test(line) || ASKS_OF_ABOVE.test(rest) || asksAboutAbove(rest))
}

/** Reports whether words ask about the text above them: at their end, or in a question that points to it. */
function asksAboutAbove(words: string): boolean {
  const rest = words.replace(/^[ \t]*[>＞].*$/gmu, '')
  if (TO_READER.test(rest)) return false
  const questions = rest.match(/[^.!?。！？\n]+[?？]/gu) ?? []
  return ASKS_LAST.test(rest.trim()) || questions.some((question) => POINTS.test(question))
}

/** Matches words with which users resume after another's text, in any layout: “as for me”, 我自己. */
const FOR_ONESELF =
  /^\s*(?:(?:ok|okay|so|and|but|well|oh)[,.\s]+)*(?:as for me\b|for my part\b|me,|myself,|i myself\b|unlike (?:him|her|them|that|those|these)\b|i wrote (?:this|that|it)\b|我自己|我本人|至于我|而我(?!们)|我呢|(?:这?是)?我(?:自己)?(?:瞎|乱|随便)?[写编]的)/iu
/** Matches words with which users resume after an empty line: “anyway”, 对了. Elsewhere they may belong to the text above. */
const GOES_ON_AFTER =
  /^\s*(?:(?:ok|okay|so|and|but|well|oh)[,.\s]+)*(?:anyways?\b|btw\b|by the way\b|on another note\b|对了|话说|顺便|另外|说回|回到)/iu
/** Nouns for the text above: “letter”, “screenshot”. */
const ABOVE_KINDS = either(
  /e-?mails?|mails?|letters?|messages?|texts?|songs?|lyrics|poems?|posts?|pages?|subtitles?/u,
  /captions?|transcripts?|chats?|articles?|reviews?|tables?|files?|logs?|notes?|screenshots?/u,
)
/** Sources of the text above: “from”, “what Max”, “my aunt's letter”. */
const ABOVE_SOURCES = either(
  /from|by|what (?!I\b)\p{L}+/u,
  String.raw`(?:the|an?|my|his|her|their|our)\s(?:\p{L}+\s){0,2}?(?:${ABOVE_KINDS})`,
)
/** Chinese sources of the text above: 我收到的, 老师发来的. */
const ABOVE_SOURCES_ZH =
  '我?(?:做|翻译|收到|看到|转发?|抄|复制|粘贴|打)的.{0,6}|我?[^，。我]{1,8}(?:发|写|寄|转|说|唱)(?:来|给我)?的.{0,6}|[^，。我]{0,6}(?:邮件|短信|歌词|字幕|聊天记录|帖子|文章|网页|表格|截图|诗)'
/** Sentences about the text above: “that's from …”, 以上是…. */
const ABOVE_SENTENCES = either(
  String.raw`(?:that['’]s|that (?:is|was)|this (?:is|was)|(?:these|those) (?:are|were)|(?:all )?(?:the )?above (?:is|was))\s+(?:${ABOVE_SOURCES})\b`,
  String.raw`(?:以上|上面|前面|[这那])(?:些|个|段|封|条|首|份)?(?:就|都)?是(?:${ABOVE_SOURCES_ZH})(?=[，。,.\s]|$)`,
)
/** Matches phrases that call the preceding text a quotation: “that's from my aunt”. In a mail only these and questions are the user's. */
const REFERS_BACK = new RegExp(
  String.raw`^\s*(?:(?:ok|okay|so|and|but|well|oh)[,.\s]+)*(?:${ABOVE_SENTENCES})`,
  'iu',
)
/** Matches a question about what to do with the writer of the text above. */
const ASKS_OF_ABOVE =
  /\b(?:should I|what (?:should|do|can) I|help me|can you|could you)\s(?:\p{L}+\s){0,2}?(?:answer|reply|respond|write|tell|say)\b.{0,12}\b(?:him|her|them|this|that|it)\b|帮我(?:整理|导入|看看|看一下|回[复他她]?|改|润色|翻译|分析|总结)|怎么回|要不要回/iu
/** Matches lines of a letter or mail. Its own paragraphs may begin with the words above. */
const LETTER =
  /^[ \t]*[*_]{0,2}(?:from|to|subject|re|fwd?|date|sent|dear\b.{0,60}|发件人|收件人|主题|尊敬的.{0,30}|亲爱的.{0,30})[ \t]*[:：,，]|写道[:：]|\bwrote:\s*$/imu
/** Matches a last sentence that asks: by its mark, by its first word, or for help. */
const ASKS_LAST =
  /[?？][\s\p{P}]*$|(?:^|[.!?]\s+)(?:(?:so|and|but|ok|anyway)[\s,]+)*(?:what|how|who|why|where|when|which|should|shall|can|could|would|is|are|do|does|did|any|thoughts)\b[^.!?\n]*[\s\p{P}]*$|\b(?:draft|write|help) me\b|该不该|要不要|怎么[办回]|咋[办回]|行不行|对不对|[吗嘛呢][。！~\s]*$/iu
/** Matches words that point to the text above or its writer, or ask what to do: “she”, “should I”. */
const POINTS =
  /\b(?:s?he|they|him|her|them|this|that|these|those|it)\b|\b(?:am|should|shall) i\b|我(?:该|是不是|要不要|能)|(?<!\p{L})(?:er|sie|ihm?|ihn|den|die|das|dies\p{L}*|il|elle|lui|ça|él|ella|l[eo]|est[aeo]|es[aeo]|ela?|iss[oa])(?!\p{L})|[他她它这那]/iu
/** Matches a question about the text above that needs no gap before it. */
const ASKS_RIGHT_BELOW =
  /^(?:是不是|真的假的|真的吗|靠谱|能信|可信|咋回|怎么回|这[^，。]{0,8}(?:吗|谁|哪|什么|啥))/u
/** Matches “you” for the reader of a letter, beside that of a request to the assistant: “could you …”. */
const TO_READER =
  /\b(?<!\b(?:can|could|would|will|do|did|if|what|d['’]) )you(?! (?:think|reckon|say|make))\b|\byour\b|[你您](?![说看觉帮猜给]|能不能|可以)/iu
/** Matches the line that closes a letter. */
const SIGNATURE = /^[^.!?。！？:：]{1,30}$/u
/** Maximum characters of the user's words below another's text. Longer words count as the other's. */
const LONGEST_OWN = 300

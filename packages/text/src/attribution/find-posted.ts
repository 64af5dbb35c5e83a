// Finds posts, subtitles and reviews that were pasted. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import type { IntroducedText } from './find-introduced.ts'
import { isSpeaker } from './find-dialogue.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

/** Finds posted texts: chats with speakers on separate lines, subtitles, starred reviews, texts titled by kind, and recipes. */
export function findPosted(given: IntroducedText): Stretch[] {
  const { text, marked } = given
  const lines = given.lines.map((line) => ({ ...line, text: text.slice(line.start, line.end) }))
  if (lines.length < 2)
    return /^\s*[★⭐☆✩✭]{2,}.{0,20}\p{L}/u.test(text) ? [{ start: 0, end: text.length }] : []
  const first = lines.findIndex((line) => !isEmpty(line))
  const from = lines.findIndex(
    (line, index) =>
      hasLinesBelow(lines, index) &&
      (SHOWN_FROM.test(line.text) ||
        STARS.test(line.text) ||
        isTitle(line.text, index === first) ||
        isHeader(line.text) ||
        (CHANNEL.test(line.text) && NAME_AND_TIME.test(lines[index + 1]?.text ?? ''))),
  )
  const rated = lines.findLast((line) => RATED_BY.test(line.text))
  const isRecipe = lines.some((line, i) => i > first && RECIPE.test(line.text)) && isName(lines[first])
  return [
    ...(isRecipe ? [{ start: 0, end: text.length }] : []),
    ...(from < 0 ? [] : [{ start: lines[from]?.start ?? 0, end: marked.length }]),
    ...(rated === undefined || first < 0 ? [] : [{ start: lines[first]?.start ?? 0, end: rated.end }]),
  ]
}

function hasLinesBelow(lines: readonly Line[], index: number): boolean {
  return index < lines.length - 1
}

function isTitle(line: string, isFirst: boolean): boolean {
  return isFirst && line.length <= LONGEST_TITLE && TITLE.test(line) && !isStated(line)
}

function isStated(line: string): boolean {
  return STATES.test(line.replace(/\bwe are hiring\b|[!！]\s*$/giu, ' '))
}

/** Reports whether a line is the name of a dish. */
function isName(line: Line | undefined): boolean {
  return line !== undefined && line.text.length <= LONGEST_TITLE && !isStated(line.text)
}

/** Reports whether a line is the byline of a chat message: a speaker's name and a time. */
function isHeader(line: string): boolean {
  if (line.length > 90) return false
  const match = NAME_AND_TIME.exec(line) ?? TIME_AND_NAME.exec(line)
  const name = match?.groups?.['name']?.replace(/[\p{Extended_Pictographic}\uFE0F]/gu, '').trim() ?? ''
  return name !== '' && (isSpeaker(name) || /[—–]\s*(?:Today|Yesterday)/.test(line))
}

const CLOCK = String.raw`\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?`
const DAY = String.raw`(?:[\d/.年月日-]{4,12}|Today|Yesterday|Mon|Tue|Wed|Thu|Fri|Sat|Sun|今天|昨天|周.|星期.)`
const STAMP = String.raw`[\[(（]?(?:${DAY}[,，]?\s{0,3}(?:at\s|um\s)?\s{0,2}${CLOCK}|${CLOCK})[\])）]?`
/** Matches a byline with a name and a time: “Max Berg  10:31 AM”, “max — Today at 10:31”, 王敏 10:31. */
const NAME_AND_TIME = new RegExp(
  String.raw`^\s*(?<name>[@\p{L}][\p{L}\p{N} .'’_#\p{Extended_Pictographic}\uFE0F-]{0,38}?)\s*(?<dash>[-–—|·,，]?)\s*${STAMP}\s*$`,
  'u',
)
/** Matches a byline with the time first: “03/03/2026, 10:31 - Max Berg”. */
const TIME_AND_NAME = new RegExp(
  String.raw`^\s*${STAMP}\s*[-–—|·,，]?\s*(?<name>[@\p{L}][\p{L}\p{N} .'’_#-]{0,38})\s*$`,
  'u',
)
/** Matches the times of a subtitle. */
const SHOWN_FROM = /^\s*(?:\d{1,2}:)?\d\d:\d\d[.,]\d{1,3}\s*-->/
const STARS = /^\s*(?:[★⭐☆✩✭]{2,}|[1-5]\s*(?:\/\s*5|out of 5|stars?)\b)/iu
const RATED_BY =
  /^\s*(?:\d+\s+(?:people|persons|users?) found this|(?:was this )?(?:review )?helpful\b|有用|\d+人觉得有用)/iu
/** Names of posted texts: “minutes of”, “job ads”, “newsletter”. */
const TITLE_KINDS = either(
  /minutes of|meeting (?:minutes|notes)|(?:user|customer|guest|product|book)? ?reviews? by|testimonials?|voice ?mails?/u,
  /transcri(?:pts?|ptions?) of|obituar(?:y|ies)|announcements?|press releases?|newsletters?|horoscopes?|vacanc(?:y|ies)/u,
  /job (?:ads?|postings?|offers?|openings?|descriptions?)|(?:we are|we['’]re|now) hiring|about (?:the author|us)|curriculum vitae|r[ée]sum[ée]/u,
  /faq|frequently asked questions|postcards? from|lyrics|subtitles|classifieds?|lonely hearts|dating profiles?|case stud(?:y|ies)|press review/u,
  /letters to the editor/u,
)
/** Matches a title that names the kind of text. */
const TITLE = pattern(
  'iu',
  String.raw`\b(?:${TITLE_KINDS})\b`,
  /会议(?:纪要|记录)|个人简历|常见问题|明信片|贺卡|关于我们|启事|公告|通告|讣告|歌词|字幕|(?:买家|用户|顾客)评[价论]|聊天记录|(?:作者|人物)简介|征婚|广告|运势|语音留言|读者来信/u,
)
const STATES =
  /\b(?:I|i|my|our|is|are|was|were|has|have|had|do|does|did|got|sent|left)\b|我(?!们)|[。！？!?…;；,，]\s*$/u
const RECIPE =
  /^\s*(?:ingredients|method|directions|instructions|preparation|用料|食材|配料|原料|做法|步骤)\s*(?:[:：]|$)/iu
/** Matches the name of a chat channel: “#random”. */
const CHANNEL = /^\s*#[\p{L}\d_-]{2,40}\s*$/u
const LONGEST_TITLE = 60

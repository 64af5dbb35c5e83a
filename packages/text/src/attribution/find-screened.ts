// Finds texts from screens and recordings: subtitles, screenshots, recognised text. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import { endOfParagraph, type IntroducedText } from './find-introduced.ts'
import { isOwnLead } from './own-leads.ts'
import { FIRST_PERSON, isEmpty, type Line, type Stretch } from './stretch.ts'

/** Finds texts from a screen or a recording: timed lyrics and speech, screenshots, recognised text. */
export function findScreened({ text, lines }: IntroducedText): Stretch[] {
  const whole = lines.map((line) => ({ ...line, text: text.slice(line.start, line.end) }))
  return [
    ...sentIn(whole),
    ...(whole.length < 2 ? timedIn(whole) : [...timedIn(whole), ...shownIn(whole, text.length)]),
  ]
}

function sentIn(lines: readonly Line[]): Stretch[] {
  return lines.flatMap((line, index) => {
    const label = SENDER.exec(line.text)?.groups?.['label']
    if (label === undefined || isOwnLead(label) || FIRST_PERSON.test(label)) return []
    return [{ start: line.start, end: endOfParagraph(lines, index) }]
  })
}

function timedIn(lines: readonly Line[]): Stretch[] {
  const stamped = lines.filter((line) => STAMPED.test(line.text))
  const verses = lines.filter((line) => VERSE_END.test(line.text))
  if (verses.length > 1) return [{ start: verses[0]?.start ?? 0, end: lines.at(-1)?.end ?? 0 }]
  return lines.filter((line) => TIMED.test(line.text) || (stamped.length > 1 && STAMPED.test(line.text)))
}

/** Returns the text from its start, or from a recognition heading, to the last bar or button. */
function shownIn(lines: readonly Line[], end: number): Stretch[] {
  const first = lines.findIndex((line) => !isEmpty(line))
  const bar = lines.some((line) => isBar(line.text))
  const button = lines.findLastIndex((line, i) => i > first && (isButtons(line.text) || isCard(line.text)))
  const title = lines[first]?.text.trim() ?? ''
  return [
    ...(bar ? [{ start: 0, end }] : []),
    ...(button < 0 ? [] : [{ start: 0, end: lines[button]?.end ?? 0 }]),
    ...(headsText(title) ? [{ start: lines[first]?.end ?? 0, end }] : []),
  ]
}

function isBar(line: string): boolean {
  return line.length <= LONGEST_TITLE && NETWORK.test(line) && isMadeOf(line, STATUS)
}

function isButtons(line: string): boolean {
  return line.length <= LONGEST_TITLE && (SURE_BUTTON.test(line) || isMadeOf(line, BUTTONS))
}

/** Reports whether a line has at least two elements of a kind, and no other words. */
function isMadeOf(line: string, elements: RegExp): boolean {
  const found = line.match(elements) ?? []
  return found.length > 1 && !/\p{L}/u.test(line.replace(elements, ' '))
}

function isCard(line: string): boolean {
  return CARD.test(line) && CARD_SAYS.test(line) && !/我/.test(line)
}

/** Reports whether a title names a recognised text, a file, or another person's work. */
function headsText(title: string): boolean {
  const named = title.replace(/《[^》]*》|自我/gu, '')
  if (title === '' || title.length > LONGEST_TITLE || FIRST_PERSON.test(named)) return false
  if (WORK_OF.test(named)) return true
  return (READ_OFF.test(named) && !STATES.test(named)) || (FILE.test(title) && !STATES.test(title))
}

/** Matches the time of a lyric or subtitle line in hundredths of a second: “[00:12.30]”. */
const TIMED = /^\s*\[\d{1,3}:\d\d[.:]\d{1,3}\]/
/** Matches a time stamp before a message: “[18:02] …”. Several such lines are needed. */
const STAMPED = /^\s*[[(（【]\d{1,2}:\d\d(?::\d\d)?[\])）】]\s*\S/
/** Matches a slash that ends a line of verse. */
const VERSE_END = /\s\/\s*$/
/** Matches the status bar of a phone. */
const STATUS =
  /\d{1,2}:\d\d(?:\s?[AP]M)?|\d{1,3}\s?%|\b[2-5]G\b|\bLTE\b|\bVoLTE\b|\bWi-?Fi\b|battery|signal|no service|电量|信号|中国(?:移动|联通|电信)|📶|🔋|🔇/giu
const NETWORK = /%|\d\s?G\b|LTE|battery|signal|电量|信号|📶|🔋/iu
/** Labels of buttons and counters: “likes”, “see more”. */
const BUTTON_WORDS = either(
  /likes?|comments?|shares?|repl(?:y|ies)|retweets?|reposts?|follow(?:ing|ers)?|subscribe|save|report/u,
  /(?:see|show|read|view) (?:more|less|translation|all)|views?|edited|pinned|verified(?: (?:buyer|purchase))?|helpful|delivered|seen|typing/u,
)
/** Matches button labels and their counters. */
const BUTTONS = pattern(
  'giu',
  String.raw`\b(?:${BUTTON_WORDS})\b`,
  /展开(?:全文)?|收起|收藏|评论|点赞|赞|转发|分享|回复|已读|未读|已?送达|已?关注|举报|查看更多|全文|阅读|浏览|次观看|对方正在输入/u,
  /[\p{So}\p{Sm}\p{Extended_Pictographic}]\uFE0F?\s?\d[\d.,]{0,9}\s?[km万]?/u,
)
/** Matches labels that alone prove a screenshot, because users do not write them on a separate line. */
const SURE_BUTTON =
  /^\s*(?:delivered|\d[\d,.]{0,8}\s?[km万]?\s?(?:个赞|条评论|次转发|次浏览|次观看|人觉得有用|likes?|comments?|views?|retweets?|reposts?)|(?:seen|read|delivered) (?:at )?\d{1,2}:\d\d.{0,5}|(?:see|show|read) (?:more|translation)|typing(?:…|\.{3})|展开(?:全文)?|收起|已读|未读|已?送达|对方正在输入(?:…|\.{3})?)\s*$/iu
/** Matches two facts of a profile card in one line: “2 miles away • Active today”. */
const CARD = /^(?!.*\b(?:I|my|me)\b)[^.!?\n]{2,40}\s[•·‧・|]\s[^.!?\n]{2,40}$/u
const CARD_SAYS =
  /\b(?:active|online|ago|away|followers?|likes?|views?|read|joined|edited|verified)\b|在线|关注|粉丝|阅读|距离|前$/iu
/** Kinds of recognised or generated text: “OCR”, “subtitles”, “AI-generated”. */
const RECOGNISED_KINDS = either(
  /ocr|screenshots?|scan(?:ned)?|transcri(?:pts?|ptions?|bed)|subtitles?|captions?|dictation/u,
  /speech[- ]to[- ]text|auto-?generated|(?:ai|gpt|bot|machine)[- ](?:generated|written|made)/u,
)
/** Matches the heading of text recognised from an image or a recording. */
const READ_OFF = pattern(
  'iu',
  String.raw`\b(?:${RECOGNISED_KINDS})\b`,
  /\b(?:podcast|episode|video|livestream|stream|radio|broadcast)\b.{0,20}\b\d{1,2}:\d\d(?::\d\d)?$/u,
  /(?:AI|GPT|模型|机器人?|助手)\s?(?:生成|写|编)的|(?:播客|视频|直播|电台).{0,10}\d{1,2}:\d\d$/u,
  /(?:截图|截屏|识别|扫描|转写|语音|OCR).{0,8}(?:结果|内容|文字|文本|记录|稿|转文字)|(?:截图|截屏|字幕|转写|转文字)$/u,
)
const FILE =
  /^(?:[\p{L}\d]+ ){0,5}[\w-]{1,60}\.(?:png|jpe?g|gif|heic|webp|pdf|docx?|txt|csv|xlsx?|mp[34]|m4a|wav|srt|vtt|eml|html?|json|xml|log)\s*$/iu
const STATES =
  /\b(?:is|are|was|were|has|have|had|see|sent|attached|uploaded|took)\b|[。！？!?…;；,，]\s*$|了$/iu
/** Matches the title of another person's account, essay or song: 候选人简历, 孩子的作文《我的家》. */
const WORK_OF =
  /^(?!(?:个人|自我|本人|自己|今[天日]|昨[天日]|每日|我))[^，。！？：:\s]{1,12}(?:简历|作文|日记|自述|笔录|口供|证词|访谈|采访|演讲稿|台词|自传|回忆录|检讨书|读后感|情书|遗书|发言稿?|声明)$/u
/** Matches the sender of a service message: 【家校通】…. */
const SENDER = /^\s*【(?<label>[^】\n]{2,14})】(?=\s*\S)/u
const LONGEST_TITLE = 60

// Finds texts of others behind a label or below a title: “Customer: I am …”. Called by mask-unspoken.ts.
import { pattern } from '../pattern.ts'
import { isSpeakingSign } from './find-sounded.ts'
import {
  endOfParagraph,
  headsOf,
  isDelimited,
  isEmptyAt,
  type IntroducedText,
  type Head,
} from './find-introduced.ts'
import { LONGEST_LEAD } from './leading-words.ts'
import { isBorne, isOwnLead } from './own-leads.ts'
import { FIRST_PERSON, isEmpty, type Line, type Stretch } from './stretch.ts'

/** Matches the start of a speaker's statement or of a request. */
const AS_IF_SPOKEN =
  /^[\s\p{P}\p{S}]*(?:I\b|I['’]|i\s|i['’]m\b|my\b|we\b|our\b|我|咱|本人|(?:please )?(?:forget|delete|erase|remove|ignore|disregard|remember|store|save|don['’]t)\b|[请忘删别])/iu

/**
 * Finds the text after a label that is not known to be the user's own: “The tattoo on his back: I live in Berlin”, 他背上的纹身：….
 * The text runs to the end of its lines. After a label on its own line it runs to the end of the message or list. A question is never
 * part of the text.
 */
export function findLabelled(given: IntroducedText): Stretch[] {
  const { text, lines } = given
  const found: Stretch[] = []
  const first = lines.findIndex((line) => !isEmpty(line))
  const title = lines[first]
  if (isForeignTitle(lines, first) && title !== undefined)
    return isDelimited(given, title.end) && !NOTIFIES.test(title.text.trim())
      ? []
      : [{ start: title.end, end: text.length }]
  for (const [index, line] of lines.entries()) {
    if (line.start < (found.at(-1)?.end ?? 0)) continue
    const isHeading = index === first && isHeader(lines[index + 1])
    const head = headsOf(line).find((head) => !isOwn(head, line, isHeading) && !isDelimited(given, head.end))
    if (head === undefined) continue
    found.push({ start: head.end, end: isHeading ? text.length : endBehind(given, index, head) })
  }
  return found
}

/** Matches the next topic of one's own account: “First the dentist: he says …”. */
const NEXT_THING = /^\s*(?:first|then|next|later|after that),?(?: up)? (?:the|my|our) \p{L}+$/iu

/** Reports whether a label is the user's own. A value without the first person, such as “Status: single”, cannot be another's claim. */
function isOwn(head: Head, line: Line, isHeading: boolean): boolean {
  const rest = line.text.slice(head.end - line.start)
  if (isOwnLead(labelOf(head, line)) || (NEXT_THING.test(head.text) && !AS_IF_SPOKEN.test(rest))) return true
  return !isHeading && rest.trim() !== '' && !FIRST_PERSON.test(rest) && !AS_IF_SPOKEN.test(rest)
}

/** Returns the text of a label. If it is only a number, the words before it in the line belong to it: “entry no. 2”. */
function labelOf(head: Head, line: Line): string {
  return /\p{L}/u.test(head.text)
    ? head.text
    : line.text.slice(0, head.end - line.start - 1).slice(-LONGEST_LEAD)
}

/** Returns where the text after a label ends. */
function endBehind({ text, marked, lines }: IntroducedText, index: number, head: Head): number {
  const line = lines[index]
  if (line === undefined) return head.end
  const rest = line.text.slice(head.end - line.start)
  if (rest.trim() === '') {
    let next = index + 1
    while (isEmptyAt(lines, next)) next += 1
    if (next >= lines.length) return line.end
    return /^\s*(?:[-*•·]|\d+[.)、])\s*/.test(lines[next]?.text ?? '')
      ? endOfParagraph(lines, next)
      : text.length
  }
  if (AS_IF_SPOKEN.test(rest)) return endOfParagraph(lines, index)
  const question = /^[^.!?。！？]*[?？]/u.exec(marked.slice(head.end, line.end))
  return question === null ? line.end : head.end + question[0].length
}

/** Reports whether the next line makes a line the header of a document: “Title: …” above “Genre: …”. */
function isHeader(next: Line | undefined): boolean {
  if (next === undefined) return false
  return headsOf(next).some(({ text, start }) => start === next.start && !isOwnLead(text))
}

const BEGINS_AS_THING =
  /^[^\p{L}]*(?:on|in|inside|at|under|above|behind|from|seen|heard|overheard|found|spotted|written|carved|etched|engraved|printed|scratched|embroidered|painted|stitched|sprayed|words|text|the|a|an|his|her|their|my|\p{L}+['’]s)\s/iu
/** Matches a noun phrase such as “caption of her photo”. */
const NAMES_WORDS =
  /^[^\p{L}]*(?:captions?|quotes?|inscription|slogan|motto|lyrics?|subtitle|status|headline)\s(?:of|on|under|from|in|by)\s/iu
const IS_CLAUSE =
  /\b(?:i|we|you|he|she|they|is|are|was|were|am|be|has|have|had|do|does|did|will|would|can|could|got|went|came|gave|made|took)\b|n['’]t\b|['’]s (?:been|gone|done|not|so|a|\p{L}+ed)\b|[.!?…,]\s*$/iu
const LONGEST_TITLE = 60

/** Reports whether a title is a noun phrase: “On a mug in the kitchen”. */
function namesThing(text: string): boolean {
  return (BEGINS_AS_THING.test(text) || NAMES_WORDS.test(text)) && !IS_CLAUSE.test(text.trim())
}

/** Matches a line in which users note a value: “Pain today 3/5”, “Weight 82.5 kg”. */
const NOTES_VALUE = /(?<![\d/.])\d{1,3}[.,/]\d{1,3}\s?(?:%|\p{L}{1,4})?$/u

/** Matches a question without its mark. */
const ASKS_HOW =
  /^(?:请问|问下|问一下|想问)|怎么|如何|多少|几[分个天点]|什么|哪[里个家]|能不能|可不可以|[吗呢]$/u

/** Reports whether a line is the title of another's text below it: “A toast by my cousin”, 湖边长椅上刻着. Topics do not count. */
function isForeignTitle(lines: readonly Line[], index: number): boolean {
  const title = lines[index]?.text.trim() ?? ''
  if (index < 0 || index >= lines.length - 1 || title === '' || title.length > LONGEST_TITLE) return false
  if (handsOn(title)) return true
  if (isArticle(title)) return /^[§第]/.test(title) || !isOwnLead(title)
  if (isNumbered(title)) return !IS_CLAUSE.test(title)
  const below = SHOWN_BELOW.exec(title)
  if (below !== null) return !isOwnLead(title.slice(below[0].length))
  if (/[.!?…。！？,，;；:：]\s*$/u.test(title)) return false
  if (isOwnLead(title) || NOTES_VALUE.test(title) || ASKS_HOW.test(title)) return false
  if (/\p{Script=Han}/u.test(title)) return isSpeakingSign(title) || isSeparated(lines, index)
  return (
    namesThing(title) ||
    (isSeparated(lines, index) && !IS_CLAUSE.test(title) && (isBorne(title) || !/(?:ing|ed)\b/i.test(title)))
  )
}

/** Reports whether a line only says that the text below was received or forwarded: “got this in the group chat”, 小王刚发来的. */
function handsOn(title: string): boolean {
  return (
    NOTIFIES.test(title) ||
    /^[^\p{L}]*(?:i |we |just |so )*(?:got|received|passing|forwarding|forwarded|fwd|sharing|pasting|relaying|copying|copied|screenshot(?:ted)?|saved|stole|spotted|via|from)\b.{0,40}\b(?:this|these|it|along|on|what|from|via|chat|group|thread|feed|inbox|board|forum|newsletter|list)\b/iu.test(
      title,
    ) ||
    /^[^\p{L}]*(?:http\S*|status|exit|return|response|stdout|stderr|output|rc|code|状态码|返回码|退出码)(?: code)?[\s\d:：/.]*$/iu.test(
      title,
    ) ||
    /^(?!.*我(?:写|发|说)).*(?:(?:发|转|传|寄|递|捎|甩|贴)(?:来|过来|给我|到群里|出来)?的|(?:群里|朋友圈|网上|论坛|微博|评论区|公众号|邮箱|收件箱|后台|客户)的?(?:消息|信息|话|留言|帖子|回复|内容|原文)?|截图|截屏|(?:上|里)?(?:抄|收到|看到|复制|摘|截)的|的(?:消息|短信|邮件|留言|帖子|原话|回复|原文|自述|来信))(?:[哈呵嘿啊呢吧~～]|了)*$/u.test(
      title,
    )
  )
}

/** Verbs of notifications: “replied”, “tagged”. */
const NOTICE_VERBS =
  'replied|responded|mentioned|messaged|tagged|texted|wrote|sent|commented|reacted|shared|posted'
/** Matches a notification that a program shows its user: “Lee replied to you”, 小李回复了你. */
const NOTIFIES = pattern(
  'u',
  String.raw`^[^\p{L}]*(?!I\b|We\b)\p{Lu}[\p{L}\p{N}. ]{0,40}\s(?:${NOTICE_VERBS})\s(?:to |on |in |with |a \p{L}+ (?:to|on|with) )?(?:you|your \p{L}+)(?: in .{1,40}| a .{1,30})?$`,
  /^(?!我)\S{1,12}(?:回复|提到|艾特|@|转发给|评论|私信)了?[你您](?:的.{1,8})?$/u,
)

/** Matches a line that names the kind of the text below: “Here is the forum post”, 以下是论坛原帖. */
const SHOWN_BELOW =
  /^(?:(?:and |so |ok |okay )?(?:here|below|what follows|the following)(?:\s+(?:is|are|comes|come)|['’]s)\s|(?:以下|下面|接下来)[是为])/iu

/** Reports whether a line is a numbered heading of a document: “Section 4.2 Tenant declaration”, 第四条 租客声明. */
function isNumbered(title: string): boolean {
  return /^(?:(?:article|clause|section|paragraph|annex|appendix|schedule|exhibit)\s+[\da-z]{1,3}(?:\.\d{1,3}){0,4}|§+\s*\d+(?:\.\d{1,3}){0,4}|(?:(?!我)[\p{Script=Han}《》]){0,12}第[一二三四五六七八九十\d]+[条款项节])[.:：、]?\s+\S.{0,50}$/iu.test(
    title,
  )
}

/** Reports whether a line is the heading of an article: “§ 1”, 第一条. */
function isArticle(title: string): boolean {
  return /^\s*(?:§+\s*\d+|(?:article|clause|section|paragraph|item)\s+[\divx]+|\p{Lu}\p{L}+ (?:[A-Z]|\d{1,3}|[IVX]+)|第[一二三四五六七八九十\d]+[条款项节]|\p{Script=Han}{2,4}[一二三四五六七八九十\d]+)\s*$/iu.test(
    title,
  )
}

/** Reports whether an empty line separates a title from the text below it. */
function isSeparated(lines: readonly Line[], index: number): boolean {
  const next = lines[index + 1]
  return next !== undefined && isEmpty(next) && lines.slice(index + 2).some((line) => !isEmpty(line))
}

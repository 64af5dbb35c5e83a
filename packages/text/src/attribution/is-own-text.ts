// Weighs the signs that a message as a whole is its sender's own writing. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import type { IntroducedText } from './find-introduced.ts'
import { findLetters } from './find-letters.ts'
import { claimsText, MADE_UP, titlesNotes } from './own-texts.ts'
import { isEmpty, linesOf } from './stretch.ts'

/** Reports whether a message as a whole is the sender's own: notes, a form, a draft, lines of a chat. */
export function isOwnText(text: string): boolean {
  if (claimsText(text)) return true
  const lines = linesOf(text)
  const [first, ...rest] = lines.filter((line) => !isEmpty(line)).map((line) => line.text)
  if (first === undefined || rest.length === 0) return false
  const last = rest.at(-1)?.slice(-LONGEST_COMMENT) ?? ''
  const beside = first.length <= LONGEST_COMMENT && /[:：?？]\s*$/.test(first) ? `${first}\n${last}` : last
  if (OF_ANOTHER.test(beside) || MADE_UP.test(beside)) return false
  if (titlesNotes(first) || DRAFTED.test(last)) return true
  const given: IntroducedText = { text, marked: text, lines }
  return ASKS_OF_NOTES.test(last) && findLetters(given).length === 0
}

/** Matches words below a draft of the speaker: that it is not sent, or a worry how it sounds. */
const DRAFTED = pattern(
  'iu',
  /\b(?:have(?:n['’]?t| not)|not|didn['’]?t) (?:yet )?(?:sent?|posted|handed)(?: (?:it|this|that))?(?: (?:in|off))?(?: yet)?\b/u,
  /\bbefore i (?:send|post|hit|submit|hand)\b|\b(?:hit|press(?:ed)?|click(?:ed)?) send\b/u,
  /\b(?:ok|okay|good|safe|ready) to (?:send|post|submit)(?: (?:it|this|that))?\s*(?:[?!.]|$)/u,
  /\b(?:should|shall|can|do) i (?:send|post|delete|submit|hand|take (?:it|this) down)\b/u,
  /\btoo (?:blunt|harsh|rude|formal|pushy|keen|soft|cold|needy|strong|stiff|direct|boring)\b|\bdid i (?:overshare|overdo|sound)/u,
  /\bhow['’]?s (?:that|this)\s*\?/u,
  /(?<!\p{L})(?:noch nicht (?:ab)?ge(?:schickt|sendet)|pas encore envoyé|(?:aún|todavía) no l[oa] he enviado|ainda não (?:mandei|enviei))/u,
  /(?:还没|还未|没有?|准备|打算)(?:发|寄|交)(?!现|生|烧)|会不会太|语气[^，。]{0,4}(?:行|可以|好|合适)/u,
)
/** Subjects of a question about missing things: “am I”, “did I”. */
const NOTES_SUBJECTS = String.raw`i['’]?m|am i|have i|i['’]?ve|did i|that['’]?s`
/** Questions for missing things in other European languages: “was fehlt”, “qué me falta”. */
const NOTES_ELSEWHERE = either(
  /was (?:fehlt|hab(?:e)? ich vergessen)|fehlt (?:noch )?(?:was|etwas)/u,
  /(?:il )?manque (?:quelque|quoi)|j['’]oublie (?:quelque|rien)|qué me falta|(?:me )?falta algo|falta alguma coisa/u,
)
/** Matches words below notes that ask whether they are complete, in order or usual. */
const ASKS_OF_NOTES = pattern(
  'iu',
  String.raw`\b(?:any(?:thing)?|what|something)(?: else)?(?: (?:${NOTES_SUBJECTS}))? (?:missing|miss|missed|forgotten|forget|left out)\b`,
  /\bam i (?:missing|being)\b|\bwhat(?: else)?(?: do you think)? (?:should|could|can) i (?:add|ask|put|do first|bring)|\banything else\b/u,
  /\bhave i (?:missed|forgotten|left)\b|\bis (?:that|this|it) (?:enough|normal|complete|too (?:much|many|long|short))\b/u,
  /\b(?:into|in) an? (?:nicer|proper|better|clean|tidy|neat|short)\w* (?:list|table|paragraph|plan|order|schedule|timetable)\b/u,
  /\b(?:tidy|sort|order|prioriti[sz]e|rank|organi[sz]e) (?:this|these|them|it|that)\b|\bdoes (?:that|this|it) (?:sound|come across|read)\b/u,
  String.raw`(?<!\p{L})(?:${NOTES_ELSEWHERE})`,
  /(?:顺序|安排|这么写|这样写|填得|写得|太满|太多|漏|缺|少)[^，。]{0,6}(?:对不对|行不行|合理|对吗|行吗|了[吗没]|什么|啥|不|吗)|(?:还|有)(?:漏|缺|差|少)(?:了)?[什啥]|順番/u,
  /抜けて|빠진/u,
)
/** Words for another writer: “she”, “my mum”. */
const OTHER_WRITERS = String.raw`he|she|they|who|my \p{L}+|friend|mum|mom|dad|someone|somebody|guy|fella|joker`
/** Matches words before or after a text that say that another wrote it. */
const OF_ANOTHER = pattern(
  'iu',
  String.raw`\b(?:${OTHER_WRITERS})(?: \p{L}+)? (?:sen[dt]|wrote|writes|posted|texted|left|gave|says|said|got|made)\b`,
  /\b(?:found|saw|got|copied|pasted|forwarded|received|sent me|from)\s(?:this|that|it|these|an?|the|my|his|her|online|reddit|\p{Lu})/u,
  /(?<!\p{L})(?:he|she|his|her|their)(?!\p{L})/u,
  /(?<!我)(?:发|写|传|寄|转)(?:来|给我|过来)|[他她]|看到|收到|翻译/u,
)
/** Maximum characters of a comment before or after a text. */
const LONGEST_COMMENT = 200

import { LRUCache } from 'lru-cache'
import { findAskedAbout } from './find-asked-about.ts'
import { findDialogue } from './find-dialogue.ts'
import { findDocuments } from './find-documents.ts'
import { findIntroduced } from './find-introduced.ts'
import { findLabelled } from './find-labelled.ts'
import { findLaidOut } from './find-laid-out.ts'
import { findLetters } from './find-letters.ts'
import { findMarkup } from './find-markup.ts'
import { findPlayed } from './find-played.ts'
import { findPosted } from './find-posted.ts'
import { findQuoted } from './find-quoted.ts'
import { findReported } from './find-reported.ts'
import { resumedAt } from './find-resumed.ts'
import { findScreened } from './find-screened.ts'
import { findSounded } from './find-sounded.ts'
import { findUnmarked } from './find-unmarked.ts'
import { blankOut, linesOf } from './stretch.ts'

/** Maximum characters of a spoken message. Everything after them counts as pasted. */
export const LONGEST_TALK = 40_000

/**
 * Replaces text that the speaker does not assert with spaces, so that offsets stay valid.
 * That is quoted speech, *actions* of role-play, titles, code, links, markup, mails, transcripts, verses, and texts
 * handed over for work.
 * Layout and marks are read first, introducers second.
 *
 * Rules cannot recognise jokes, lies, or text pasted without a mark. These pass as statements.
 *
 * @returns a text of the same length
 * @example
 * maskUnspoken('Translate this: I live in Rome.') // 'Translate this:                '
 */
export function maskUnspoken(text: string): string {
  if (text.length > LONGEST_TALK)
    return maskUnspoken(text.slice(0, LONGEST_TALK)) + text.slice(LONGEST_TALK).replace(/[^\n]/g, ' ')
  if (isPlain(text)) return text
  const known = latest.get(text)
  if (known !== undefined) return known
  const masked = maskMarked(text)
  keepMasked(text, masked)
  return masked
}

/** Minimum characters of a text worth masking in a worker thread: it takes milliseconds. */
export const WORTH_ASKING = 2_000
/** Maximum characters of texts and results in the cache, about the turns that are processed at one time. */
const KEPT_CHARACTERS = 1_000_000
/** Caches masked texts, since each turn is read for facts, for requests, for updates and for its expression. */
const latest = new LRUCache<string, string>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (masked) => 2 * masked.length + 1,
})

/** Reports whether the cache holds the result for a text. */
export function isMaskKept(text: string): boolean {
  return latest.has(text)
}

/** Caches a result that was computed elsewhere. @param masked the result of {@link maskUnspoken} for the text */
export function keepMasked(text: string, masked: string): void {
  latest.set(text, masked)
}

/** Masks others' text and keeps the user's own words below it. */
function maskMarked(text: string): string {
  const at = text.includes('\n') ? resumedAt(text) : -1
  return at < 0 ? maskPart(text) : maskPart(text.slice(0, at)) + maskPart(text.slice(at))
}

function maskPart(text: string): string {
  const marked = findQuoted(blankOut(text, findMarkup(text)))
  const lines = linesOf(marked)
  const given = { text, marked, lines }
  return blankOut(marked, [
    ...findLetters(given),
    ...findDialogue(given),
    ...findDocuments(given),
    ...findIntroduced(given),
    ...findReported(given),
    ...findAskedAbout(given),
    ...findPosted(given),
    ...findLaidOut(given),
    ...findLabelled(given),
    ...findSounded(given),
    ...findScreened(given),
    ...findPlayed(given),
    ...findUnmarked(given),
  ])
}

/** Reports whether most of a text, or all of its first person, is another's. */
export function isMostlyUnspoken(text: string): boolean {
  const own = maskUnspoken(text)
  if (own === text) return false
  if (lettersIn(own) * 2 < lettersIn(text)) return true
  return HANDED_OVER.test(text) && saysI(text) && !saysI(own)
}

/** Matches the marks that introduce another's text. */
const HANDED_OVER = /[\n:：="“「]/u

function saysI(text: string): boolean {
  return SAYS_I.test(text.replace(FOR_ME, ' '))
}

const SAYS_I = /\b(?:I|[Mm]y|[Ww]e|[Oo]ur|[Mm]e|[Uu]s)\b|\bi['’]|(?<=^|\s)i(?=\s)|我|咱/u
/** Matches the first person within requests, which states nothing: “for me”, 帮我. */
const FOR_ME = /\b(?:for|give|tell|show|help|let) (?:me|us)\b|(?:帮|给|替|跟|让)我/giu

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Matches characters without which a text has nothing quoted, laid out or introduced. Most messages have none. */
const MARKED =
  /["“”„«»‘'`*_<>|＞【「『（([{\r\n\u0085\u2028\u2029\v\f:：~#=♩♪♫♬🎵🎶%§]|\/\/|^\s*[-•·–—]\s|https?:|\b(?:sa(?:id|ys?|ying|ng)|sings?|reads|(?:shout|scream|yell|chant|squawk|sing|mutter|announc|repeat|recit|print)(?:e?s|ed|ing)?|blares|spells|goes|introduce[sd]?|below|as follows|(?:over)?heard|found|saw|spotted|noticed|copied|tells|told|wrote|writes?|repl(?:y|ied|ies)|answered|returned|returns|responded|responds|generated|produced|emitted|logged|outputs?|gave|came back|spat out|according|going by|to hear|if you (?:ask|believe)|in the (?:words|eyes|opinion|view|mind)|the way|was like|(?:claim|insist)(?:s|ed)|texted|shouted|yelled|whispered|announced|added|explained|translate|summari[sz]e|rephrase|reword|rewrite|paraphrase|proof-?read|shorten|condense|transcribe|transliterate|(?:that|which) (?:goes|begins|starts)|once upon|long ago|spell-?check)\b|\b(?:this|these|that|following|it|here)\b[^?]{0,80}\?|\b(?:turn|make|convert|put|change|transform|set|adapt) (?:this|that|it|these)\b|\b(?:this|that|here)(?: is|['’]s) (?:exactly )?(?:what|how)\b|\b(?:sms|text|message|e-?mail|note|dm|tweet|post|comment|voice ?mail) (?:from|by)\b|\s[-–—]\s|[这那].{0,40}[?？]|word is|to (?:quote|cite|paraphrase)|holler(?:s|ed)|chimed|thought|thinks|wondered|mused|draft|compose|make up|invent|prepare|such as|for (?:example|instance)|likes? to|swore|mumbl|e-?mailed|something like|these words|借用|引用|套用|心想|想道|暗想|自语|[编拟起]|翻成|说|写|答|下面|以下|宣布|嘟囔|嘀咕|嚷|通知|转告|留言|生成|打印|返回|输出|回我|一句|[按据照依]|眼里|口中|嘴里|刻|印着|绣着|[念唱贴挂标纹喷]着|播报|显示|回答|喊|[看听捡][到见]|发现|自我介绍|如下|突然|大声|告诉我|表示|从前|很久以前|[★⭐☆✩✭]{2}|\\begin|\bto=\S|role-?play|you are now|(?:he|she|they) (?:went|shouts|yells)|(?:ignore|disregard) |忽略|无视|问|my character|in character|pretend|as if \p{L}+ w|cosplay|\b(?:game|dream|nightmare|daydream|movie|film|novel|story|musical|song|poem|episode|campaign|simulation|fantasy|vision|hallucination)|游戏|梦|扮|演|小说|电影|剧|故事|动漫|漫画|动画|歌|诗|平行|想象|幻想|副本|前世|假装|\p{Script=Han}[ \u3000]\p{Script=Han}|自称|讲|喊|[留来回]言|来信|回信|翻译|总结|概括|归纳|摘要|润色|改写|译成|译为|校对|缩写|扩写|续写|提炼/iu

function isPlain(text: string): boolean {
  return !MARKED.test(text)
}

import { findAskedAbout } from './find-asked-about.ts'
import { findDialogue } from './find-dialogue.ts'
import { findDocuments } from './find-documents.ts'
import { findIntroduced } from './find-introduced.ts'
import { findLetters } from './find-letters.ts'
import { findMarkup } from './find-markup.ts'
import { findPosted } from './find-posted.ts'
import { findQuoted } from './find-quoted.ts'
import { findReported } from './find-reported.ts'
import { blankOut, linesOf } from './stretch.ts'

/** What is longer is no talk: behind so many characters everything counts as pasted. */
const LONGEST_TALK = 40_000

/**
 * Blanks out, by spaces, what is not the speaker's own plain statement: *actions* of role-play, quoted speech and titles, code,
 * links, markup, mails, transcripts, verses, and whatever is handed over to be read, summarised or translated. It goes by how a
 * text is laid out and marked first, and by what leads in to it second. Places in the text stay.
 *
 * A joke or a lie cannot be told by rule; they pass as statements. So does what somebody pastes without a mark or a word.
 *
 * @returns a text of the same length
 * @example
 * maskUnspoken('Translate this: I live in Rome.') // 'Translate this:                '
 */
export function maskUnspoken(text: string): string {
  if (text.length > LONGEST_TALK)
    return maskUnspoken(text.slice(0, LONGEST_TALK)) + text.slice(LONGEST_TALK).replace(/[^\n]/g, ' ')
  if (isPlain(text)) return text
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
  ])
}

/** Whether most of a text is somebody else's. */
export function isMostlyUnspoken(text: string): boolean {
  return !isPlain(text) && lettersIn(maskUnspoken(text)) * 2 < lettersIn(text)
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Nothing is quoted, laid out or led in to without one of these. Most talk has none. */
const MARKED =
  /["“”„«»‘'`*_<>|＞【「『（([{\r\n\u0085\u2028\u2029\v\f:：~#=]|\/\/|^\s*[-•·–—]\s|https?:|\b(?:sa(?:id|ys?)|tells|told|wrote|writes?|repl(?:y|ied|ies)|answered|texted|shouted|yelled|whispered|announced|added|explained|translate|summari[sz]e|rephrase|reword|rewrite|paraphrase|proof-?read|shorten|condense|transcribe|transliterate|once upon|long ago|spell-?check)\b|\b(?:this|these|that|following|it)\b[^?]{0,80}\?|\s[-–—]\s|[这那].{0,40}[?？]|翻成|说|写道|回答|喊|告诉我|表示|从前|很久以前|翻译|总结|概括|归纳|摘要|润色|改写|译成|译为|校对|缩写|扩写|续写|提炼/iu

function isPlain(text: string): boolean {
  return !MARKED.test(text)
}

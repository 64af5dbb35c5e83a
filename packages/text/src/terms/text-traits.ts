import { either } from '../pattern.ts'
import { simplifyChinese } from './simplify-chinese.ts'

/** Traits of a text that need no knowledge of its topic. They are bits, so that a store keeps one small number. */
export const TextTrait = {
  /** Every sentence asks something. */
  onlyAsks: 1,
  /** A sentence asks something. */
  asks: 2,
  /** The text names a time: a date, a weekday, “ago”, “yesterday”, 上周. */
  placesInTime: 4,
  /** The text has a number, in digits or words. */
  holdsNumber: 8,
  /** The text has a capitalised word inside a sentence, or a title in 《》 or quotation marks. */
  holdsName: 16,
  /** The author speaks about themself. */
  firstPerson: 32,
  /** Most of a user's turn is quoted or pasted. `isMostlyUnspoken` reads it, not `readTraits`. */
  quoting: 64,
} as const

/** Maximum characters that are read. The traits of a longer text show at its beginning. */
const MAX_CHARACTERS = 4_000

/** Returns the traits of a text as bits of `TextTrait`. */
export function readTraits(whole: string): number {
  const text = simplifyChinese(whole.slice(0, MAX_CHARACTERS))
  let traits = readAsking(text)
  if (ENGLISH_TIME.test(text) || CHINESE_TIME.test(text)) traits |= TextTrait.placesInTime
  if (NUMBER.test(text)) traits |= TextTrait.holdsNumber
  if (INNER_CAPITAL.test(text) || TITLE.test(text)) traits |= TextTrait.holdsName
  if (FIRST_PERSON.test(text)) traits |= TextTrait.firstPerson
  return traits
}

/** Returns the bits of questions, from the marks at the ends of sentences. */
function readAsking(text: string): number {
  let asking = 0
  let ends = 0
  for (const end of text.matchAll(SENTENCE_END)) {
    ends++
    if (/[?？]/.test(end[0])) asking++
  }
  if (asking === 0) return 0
  return asking === ends ? TextTrait.asks | TextTrait.onlyAsks : TextTrait.asks
}

const SENTENCE_END = /[.!?。！？…]+/g
/** English words for a time: “today”, “Mondays”, “last summer”. */
const ENGLISH_TIME_WORDS = either(
  /yesterday|today|tonight|tomorrow|ago|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?/,
  /(?:last|next|this|past|previous|coming) (?:few |couple of |two |three )?(?:night|days?|weeks?|months?|years?|summer|winter|spring|fall|autumn|weekend)/,
  /(?:january|february|april|june|july|august|september|october|november|december)|(?:in|since|last|next|early|late|of) (?:march|may)/,
  /(?:19|20)\d\d|(?:a|two|three|few) (?:days|weeks|months|years) (?:ago|back|later)|since|recently|just now|birthday|anniversary/,
)
/** Matches English words for a time: “yesterday”, “next week”, “in 2019”. */
const ENGLISH_TIME = new RegExp(String.raw`\b(?:${ENGLISH_TIME_WORDS})\b`, 'i')
const CHINESE_TIME =
  /昨天|今天|明天|前天|后天|今晚|昨晚|早上|上午|下午|晚上|周末|星期|上周|下周|这周|本周|上个|下个|去年|今年|明年|月|号|年前|天前|最近|刚才/
const NUMBER =
  /\d|[一二三四五六七八九十百千两]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|half)\b/i
/** Matches a capitalised word that is not the first of its sentence. */
const INNER_CAPITAL = /[^.!?。！？\s“"'(]\s+["“'(]?\p{Lu}(?!['’]|\s|\b[\s,.!?])\p{L}+/u
const TITLE = /《[^》]+》|["“][^"”]{2,60}["”]/
const FIRST_PERSON = /\b(?:i|me|my|mine|we|us|our)\b|\bi['’]|[我咱俺]/i

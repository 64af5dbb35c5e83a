// Reads which names a question may have, and whether speakers call each other by them.
import { segmentChinese } from '../vectors/chinese-words.ts'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from '../terms/function-words.ts'

/** A name of an addressed person must be used to address someone in at least this many texts. */
const MIN_TIMES = 2
/** A name of an addressed person must be used to address someone in at least this share of the texts that have it. */
const MIN_SHARE = 0.6

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}\p{L}+(?=['’]s(?!\p{L})|(?![\p{L}\p{N}'’]))/gu
/** Maximum number of names of a question that are looked up. */
const MAX_NAMES = 32
/** Matches characters where a Chinese question may have a name: at the head of a clause, or after certain verbs. */
const CHINESE_PLACES = /(?<=^|[，。！？、,\s]|[对给和跟让叫问替帮])\p{Script=Han}{2,3}/gu

/** Returns possible names in a question: capitalised words, or Chinese non-words in the position of a name. */
export function readPossibleNames(question: string): string[] {
  const english = (question.match(CAPITALISED) ?? []).filter(
    (word) => !isEnglishFunctionWord(word.toLowerCase()),
  )
  const chinese = [...question.matchAll(CHINESE_PLACES)].flatMap(([run]) => [run, run.slice(0, 2)])
  return [...new Set([...english, ...chinese.filter(isNoWord)])].slice(0, MAX_NAMES)
}

function isNoWord(run: string): boolean {
  return (
    !Array.from(run).some(isChineseFunctionCharacter) && segmentChinese(run).every((word) => word.length < 2)
  )
}

const GREETINGS =
  'hi|hello|hey|dear|oh|ah|thanks|thank you|sorry|congratulations|congrats|good (?:night|morning|evening|afternoon)|welcome|welcome back|well done|bye|goodbye|yes|no|ok|okay|then'
const CHINESE_GREETINGS =
  '晚安|早安?|你好|您好|恭喜|谢谢|多谢|辛苦了?|欢迎|好的|好|嗨|哈喽|加油|再见|抱歉|生日快乐'

/** Reports whether a speaker addresses someone by a name: “Sorry to hear it, Marg.”. `texts` are the speaker's texts with the name. */
export function isAddressedAs(name: string, texts: readonly string[]): boolean {
  if (texts.length < MIN_TIMES) return false
  const pattern = patternOf(name)
  const times = texts.filter((text) => pattern.test(text)).length
  return times >= MIN_TIMES && times >= MIN_SHARE * texts.length
}

/** Returns a pattern for a name that addresses someone. Words before it are in a lookbehind, which is much faster. */
function patternOf(name: string): RegExp {
  return /\p{Script=Han}/u.test(name)
    ? new RegExp(`(?<=^|[，。！？…,.!?~～\\s]|${CHINESE_GREETINGS})${name}(?=$|[，。！？…,.!?~～\\s])`, 'u')
    : new RegExp(`(?<=^|[,.!?…:;—]\\s*|\\b(?:${GREETINGS})\\s+)${name}\\s*(?=$|[,.!?…;—)])`, 'iu')
}

const ASKS_NAME =
  /what (?:should|can|may|do|shall) (?:i|we) call you|your name|who (?:are you|am i (?:talking|speaking|chatting))|怎么称呼|你?叫什么|贵姓|你是谁|怎么叫你/i

/** Reports whether a question asks for the speaker's name (“What should I call you?”) and the answer begins with the name. */
export function isGivenAs(name: string, question: string, answer: string): boolean {
  if (!ASKS_NAME.test(question)) return false
  const begins = new RegExp(
    `^\\W{0,3}(?:i['’]?m |it['’]?s |just |my name is |call me |我是?|叫我?|我叫|姓.{1,3}[，, ])?${name}(?![\\p{Ll}\\p{N}])`,
    'iu',
  )
  return begins.test(answer)
}

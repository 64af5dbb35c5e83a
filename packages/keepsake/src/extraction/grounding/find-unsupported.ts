// Finds the names and numbers of a statement that its evidence does not contain.
import type { Candidate } from '../../memories/candidate.ts'
import { normaliseText } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import { numbersOfTimes } from './dates-of-statement.ts'
import { isUnitWord } from './read-quantities.ts'

/** Matches capitalised words that begin neither a sentence nor the text. */
const NAME = /(?<![.!?。！？]\s*)(?<=\S\s*)\b\p{Lu}[\p{L}'’-]+/gu
/** Matches numbers in digits (“1,250.5”, “14:30”), and Chinese ones of at least two characters (二十). */
const NUMBER = /\d+(?:[.,:]\d+)*|[〇零一二三四五六七八九十百千万两]{2,}/gu
/** The place of each word is its number. */
const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** Words for the user in many languages, as alternatives of a pattern. */
const USER_WORDS = [
  '(?:be)?nutzer(?:in|s)?|anwender(?:in|s)?|usuari[oa]|usuári[oa]|utilisat(?:eur|rice)|utente',
  'gebruik(?:er|ster)|użytkownicz?ka|użytkownik|користувач|пользователь(?:ница)?|användaren?|brugeren?|brukeren?',
  'käyttäjä|kullanıcı|người dùng|pengguna|ユーザー|사용자|使用者|用户|用戶|users?',
].join('|')
/** Matches a word for the user at the start of a text, with an article: “the user”, “l'utente”. */
const STARTS_WITH_USER = new RegExp(
  `^(?:(?:the|der|die|den|dem|des|el|la|le|il|lo|o|a|de|het)\\s+|l['’])?(?:${USER_WORDS})(?![\\p{Script=Latin}\\p{Script=Cyrillic}'’])`,
  'iu',
)

export function startsWithUserWord(text: string): boolean {
  return STARTS_WITH_USER.test(text.trim())
}

/** Matches capitalised words that are no names, such as articles, and words for the user and the assistant. */
const NOT_A_NAME = new RegExp(
  `^(?:the|a|an|and|i|i'm|they|their|user's|${USER_WORDS}|assistent(?:in|en)?)$`,
  'iu',
)
/** Matches function words of German, in which all nouns are capitalised. So names cannot be found there. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|ist|und|hat|ein|eine[mnr]?|nicht|mit|von|seit|im|auf|für)(?!\p{L})/giu

/**
 * Returns the names and numbers of a statement that the given words do not contain. Names of the speakers, and numbers of
 * the dates of the statement and the turns, need no support.
 */
export function findUnsupported(candidate: Candidate, words: string, turns: readonly Turn[]): string[] {
  const said = normaliseText(words)
  const speakers = namesOfSpeakers(turns)
  const isGerman = (candidate.text.match(GERMAN) ?? []).length > 1
  const capitalised = isGerman ? [] : (candidate.text.match(NAME) ?? [])
  const names = capitalised
    .map((word) => word.replace(/['’]s?$/, ''))
    .filter((name) => !NOT_A_NAME.test(name) && !isUnitWord(name))
    .filter((name) => !contains(said, name) && !speakers.has(normaliseText(name)))
  const numbersOfDates = numbersOfTimes(candidate, turns)
  const numbers = (candidate.text.match(NUMBER) ?? []).filter(
    (number) => !contains(said, number) && !numbersOfDates.has(number) && !isSpelledOut(number, said),
  )
  return [...names, ...numbers]
}

/** Returns the names of the speakers and the parts of these names, normalised: “Anna-Lena Koch”, “Koch”, “Lena”. */
export function namesOfSpeakers(turns: readonly Pick<Turn, 'speaker'>[]): Set<string> {
  const names = turns.flatMap(({ speaker }) =>
    speaker === null ? [] : [speaker, ...speaker.split(/\s+/), ...speaker.split(/[\s-]+/)],
  )
  return new Set(names.map(normaliseText))
}

function contains(said: string, part: string): boolean {
  return said.includes(normaliseText(part))
}

/** Checks whether a text contains the word of a number up to twelve: “three” for 3. */
function isSpelledOut(number: string, said: string): boolean {
  const word = NUMBER_WORDS[Number(number)]
  return word !== undefined && new RegExp(`\\b${word}\\b`).test(said)
}

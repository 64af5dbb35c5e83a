import { CHINESE_SURNAMES } from '../attribution/topic-labels.ts'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from '../terms/function-words.ts'
import { segmentChinese } from '../vectors/chinese-words.ts'
import { cosine } from '../vectors/cosine.ts'
import { embeddedWordTable, embeddedWordVectors } from '../vectors/word-vectors.ts'

/** A word of this or a lower share in English texts may be a name, whatever its vector. */
const RARE_SHARE = 3e-6
const SAMPLE_NAMES = 'anna peter maria john susan kevin laura tom emma david'
/** Minimum cosine of a name's vector and the mean vector of the sample names. “Kim” has 0.36, the noun “dinner” 0.13. */
const MIN_NAME_COSINE = 0.22
let meanOfNames: Float32Array | undefined

/** Reports whether an English word is more likely a person's name than a noun or an adverb: “Kim”, not “Dinner”. */
export function isLikeName(word: string): boolean {
  const lowerCase = word.toLowerCase()
  if (isEnglishFunctionWord(lowerCase)) return false
  const { rows, probabilities } = embeddedWordTable()
  const row = rows.get(lowerCase)
  if (row === undefined || (probabilities[row] ?? 0) < RARE_SHARE) return true
  const embedder = embeddedWordVectors()
  meanOfNames ??= embedder.embedNow(SAMPLE_NAMES)
  return cosine(meanOfNames, embedder.embedNow(lowerCase)) >= MIN_NAME_COSINE
}

/** Matches a start like a name's: an address (老李, 小何, 阿玲), a surname with one or two characters (王强), or Latin letters (Ana). */
const NAME_START = new RegExp(
  String.raw`^(?:[小阿]\p{Script=Han}|老(?![师板公婆爸妈家是实])\p{Script=Han}|${CHINESE_SURNAMES}\p{Script=Han}{1,2}|\p{Lu}\p{Script=Latin}+)`,
  'u',
)
/** Verbs of one character that often follow a name. Function characters such as 在 are known elsewhere. */
const VERB = /[属姓叫住做会喜养爱想要去来买有当读学开]/u
/** Characters that are split into words to find the end of a name: the name, and some that follow it. */
const MAX_SEGMENTED_CHARACTERS = 6

/** Returns the name at the start of a Chinese text, or `null` if it starts with another word: 小时候, 周末. */
export function readLeadingChineseName(text: string): string | null {
  const [candidate] = NAME_START.exec(text) ?? []
  if (candidate === undefined) return null
  const isLatin = !/\p{Script=Han}/u.test(candidate)
  if (isLatin) return candidate
  const [leadingHan = ''] = /^\p{Script=Han}+/u.exec(text) ?? []
  const words = segmentChinese(leadingHan.slice(0, MAX_SEGMENTED_CHARACTERS))
  const [first = '', second = '', third = ''] = words
  // The segmenter knows ordinary words and no names, so a name is split into its characters.
  const isOrdinaryWord = first.length > 1
  if (isOrdinaryWord) return null
  const isThirdOfName = third.length === 1 && !isChineseFunctionCharacter(third) && !VERB.test(third)
  const isGivenNameAWord = second.length > 1
  const twoCharacterName = candidate.slice(0, 2)
  return isGivenNameAWord || isThirdOfName ? candidate : twoCharacterName
}

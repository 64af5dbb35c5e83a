import { CHINESE_SURNAMES } from '../attribution/topic-labels.ts'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from '../terms/function-words.ts'
import { segmentChinese } from '../vectors/chinese-words.ts'
import { embeddedWordTable, embeddedWordVectors } from '../vectors/word-vectors.ts'

/** A word that is rarer in English may be a name, whatever its vector. */
const RARE = 3e-6
/** Minimum cosine of a word and the mean of these names. Nouns are below it: “dinner” has 0.13, “Kim” 0.36. */
const NEAR_NAMES = 0.22
const NAMES = 'anna peter maria john susan kevin laura tom emma david'
let names: Float32Array | undefined

/** Checks whether a word is rather a person's name than a noun or an adverb: “Kim”, not “Dinner”. */
export function isLikeName(word: string): boolean {
  const lowerCase = word.toLowerCase()
  if (isEnglishFunctionWord(lowerCase)) return false
  const { rows, probabilities } = embeddedWordTable()
  const row = rows.get(lowerCase)
  if (row === undefined || (probabilities[row] ?? 0) < RARE) return true
  const embedder = embeddedWordVectors()
  names ??= embedder.embedNow(NAMES)
  const vector = embedder.embedNow(lowerCase)
  return names.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0) >= NEAR_NAMES
}

/** Matches what begins like a Chinese name: 老李, 小何, 阿玲, 王强, Ana. */
const BEGINS_LIKE_NAME = new RegExp(
  String.raw`^(?:[小阿]\p{Script=Han}|老(?![师板公婆爸妈家是实])\p{Script=Han}|${CHINESE_SURNAMES}\p{Script=Han}{1,2}|\p{Lu}\p{Script=Latin}+)`,
  'u',
)
/** Verbs of one character that follow a name, besides function characters. */
const VERB = /[属姓叫住做会喜养爱想要去来买有当读学开]/u
/** Characters of a clause that are segmented to find the end of a name. */
const LONGEST = 6

/** Reads the Chinese name with which a text begins; `null` where it begins with a word: 小时候, 周末. */
export function readLeadingChineseName(text: string): string | null {
  const [found] = BEGINS_LIKE_NAME.exec(text) ?? []
  if (found === undefined || !/\p{Script=Han}/u.test(found)) return found ?? null
  const [run = ''] = /^\p{Script=Han}+/u.exec(text) ?? []
  const [first = '', second = '', third = ''] = segmentChinese(run.slice(0, LONGEST))
  if (first.length > 1) return null
  const hasThird = third.length === 1 && !isChineseFunctionCharacter(third) && !VERB.test(third)
  return second.length > 1 || hasThird ? found : found.slice(0, 2)
}

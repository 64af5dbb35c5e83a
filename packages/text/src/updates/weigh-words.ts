import { embeddedChineseTable, segmentChinese } from '../vectors/chinese-words.ts'
import { isUnspaced, splitClitics, splitText } from '../vectors/split-text.ts'
import { embeddedWordTable } from '../vectors/word-vectors.ts'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from '../terms/function-words.ts'
import { stemEnglish } from '../terms/stem-english.ts'

/** Rarity of an unknown word, most likely a name. */
const UNKNOWN = 16

/** A content word as written, and its rarity in the language: −ln of its probability, 0 to 16. */
export interface Weighed {
  readonly word: string
  readonly rarity: number
}

/** Content words by their stems. */
export type WeighedWords = ReadonlyMap<string, Weighed>

/** Returns the content words of a text by stem. */
export function weighWords(text: string): WeighedWords {
  const found = new Map<string, Weighed>()
  for (const piece of splitText(text)) {
    if (isUnspaced(piece)) weighChinese(found, piece)
    else for (const part of splitClitics(piece)) weighEnglish(found, part)
  }
  return found
}

function weighEnglish(found: Map<string, Weighed>, word: string): void {
  if (word === '' || isEnglishFunctionWord(word)) return
  const { rows, probabilities } = embeddedWordTable()
  const row = rows.get(word)
  const rarity = row === undefined ? UNKNOWN : -Math.log(probabilities[row] ?? 1)
  const stem = stemEnglish(word)
  const known = found.get(stem)
  if (known === undefined || rarity < known.rarity) found.set(stem, { word, rarity })
}

/** Joins adjacent single characters, which are most likely a name and together rarer than each. */
function weighChinese(found: Map<string, Weighed>, run: string): void {
  const { rows, probabilities } = embeddedChineseTable()
  let last: Weighed = { word: '', rarity: 0 }
  for (const word of segmentChinese(run)) {
    const row = rows.get(word)
    const rarity = Math.min(UNKNOWN, row === undefined ? UNKNOWN : -Math.log(probabilities[row] ?? 1))
    const isFunction = Array.from(word).every(isChineseFunctionCharacter)
    if (!isFunction) found.set(word, { word, rarity })
    const isPair = !isFunction && word.length === 1 && last.word !== ''
    if (isPair)
      found.set(last.word + word, { word: last.word + word, rarity: Math.min(UNKNOWN, last.rarity + rarity) })
    last = isFunction || word.length > 1 ? { word: '', rarity: 0 } : { word, rarity }
  }
}

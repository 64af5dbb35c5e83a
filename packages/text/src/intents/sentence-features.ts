// Lists the features by which a sentence's intent is classified: words, and sequences of two and three words or characters.
import { simplifyChinese } from '../terms/simplify-chinese.ts'
import { hashText } from '../vectors/hash-features.ts'

/** Matches a character of a script without spaces, a word, or a mark. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|\p{Script=Hangul}|[\p{L}\p{M}'0]+|\S/gu
/** Letters of the beginning of a word. It finds other forms of the word, and misspelt ones. */
const STEM_LENGTH = 4

/** Returns the hashes of a sentence's features, each once. Case, digits and forms of Chinese characters do not count. */
export function sentenceFeatures(sentence: string): Uint32Array {
  const plain = simplifyChinese(sentence.normalize('NFKC').toLowerCase())
    .replaceAll(/\d+/g, '0')
    .replaceAll(/[’‘]/g, "'")
  const tokens = ['<start>', ...(plain.match(TOKEN) ?? []), '<end>']
  const features = new Set<number>()
  const add = (feature: string): void => void features.add(hashText(feature, 0))
  for (let index = 0; index < tokens.length; index++) {
    const first = tokens[index] ?? ''
    const [second, third] = [tokens[index + 1], tokens[index + 2]]
    const isText = index > 0 && index < tokens.length - 1
    if (isText) add(first)
    if (isText && first.length > STEM_LENGTH) add(`#${first.slice(0, STEM_LENGTH)}`)
    if (second === undefined) continue
    add(`${first} ${second}`)
    if (third === undefined) continue
    add(`${first} ${second} ${third}`)
    add(`${first} * ${third}`)
  }
  return Uint32Array.from(features)
}

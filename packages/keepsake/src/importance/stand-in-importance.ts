// Rates the importance of utterances without a language model.
import type { ImportanceModel } from '../models/model-ports.ts'
import {
  embeddedWordTable,
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  normaliseText,
  segmentWords,
  type WordTable,
} from '@keepsake/text'

export interface ImportanceFeatures {
  /** Information of the distinct content words in bits. Questions are not counted. */
  readonly information: number
  /** Number of names, numbers and titles. */
  readonly specifics: number
  /** Number of words of the first person. */
  readonly firstPerson: number
}

/** Weights of √information, specifics and first person. */
export type ImportanceWeights = ImportanceFeatures

/** Weights from a ridge regression on the evidence turns of the benchmark LoCoMo (1 : 1.2 : 2.2), rounded. LUFY's users were not used. */
export const IMPORTANCE_WEIGHTS: ImportanceWeights = { information: 1, specifics: 1.5, firstPerson: 2 }

/** At most this many specifics and words of the first person count. Otherwise lists and lyrics would be rated highest. */
const MAX_COUNTED = 4
/** Bits of a word that is not in the table. Its probability is about one in a million. */
const UNKNOWN_WORD_BITS = 20
/** Bits of a Chinese character. A word of two characters then has the bits of an average English content word. */
const HAN_CHARACTER_BITS = 6
/** Scale factor with which an ordinary sentence (about 100 bits, one "I") is in the middle of the scale. */
const SCALE = 24
/** Only the start of a longer text is read. */
const MAX_CHARACTERS = 8_000

/** Matches the end of a sentence. */
const STATEMENT_END = /(?<=[.!?…])["'”’)]*\s+|(?<=[。！？])|\n+/
const ASKS = /[?？]["'”’)]*\s*$/
/** Matches a capitalised word after another word, where English capitalises names only. */
const INNER_NAME = /(?<=[\p{L}\p{N},;:]\s+["“'(]?)\p{Lu}[\p{L}\p{N}]+/gu
const NUMBER = /\d+(?:[.,:/]\d+)*/g
const TITLE = /《[^》]+》/g
const HAN_NUMBER = /[一二三四五六七八九十百千万两]+(?=[岁年月号日点个次位名元块公里])/g
const FIRST_PERSON_WORDS: ReadonlySet<string> = new Set(
  "i me my mine myself we us our ours i'm i've i'd i'll we're we've we'd we'll im ive".split(' '),
)
const HAN_FIRST_PERSON = /[我咱俺]/gu
/** Capitalised words that are no names. */
const NO_NAME: ReadonlySet<string> = new Set(['I'])

/**
 * Makes the importance model that needs no language model. It rates from 1 (mundane) to 10 by information, specifics (names,
 * numbers) and first person. It ignores topics, so "my father died" is rated lower than by a language model.
 *
 * @example
 * standInImportance().importance('Thanks!', { summary: '' }) // about 2
 * standInImportance().importance("My sister Ana and I moved to Porto in 2019.", { summary: '' }) // about 7
 */
export function standInImportance(): ImportanceModel & { importance(text: string): number } {
  return {
    id: 'keepsake/stand-in-importance-1',
    importance: (text: string) => scaleImportance(readImportanceFeatures(text)),
  }
}

/** Computes importance from 1 to 10: 10 − 9 exp(−(√information + 1.5 specifics + 2 first person) / 24). */
export function scaleImportance(
  features: ImportanceFeatures,
  weights: ImportanceWeights = IMPORTANCE_WEIGHTS,
): number {
  const weighted =
    weights.information * Math.sqrt(features.information) +
    weights.specifics * Math.min(MAX_COUNTED, features.specifics) +
    weights.firstPerson * Math.min(MAX_COUNTED, features.firstPerson)
  return 10 - 9 * Math.exp(-weighted / SCALE)
}

/** Reads the features of an utterance in English or Chinese. In other languages, only length and names are measured. */
export function readImportanceFeatures(
  utterance: string,
  table: WordTable = embeddedWordTable(),
): ImportanceFeatures {
  const statements = withoutQuestions(utterance.slice(0, MAX_CHARACTERS))
  const normalised = normaliseText(statements)
  const counted = new Set<string>()
  let information = 0
  let firstPerson = normalised.match(HAN_FIRST_PERSON)?.length ?? 0
  for (const { text, script } of segmentWords(normalised)) {
    if (script === 'spaced' && FIRST_PERSON_WORDS.has(text)) firstPerson++
    const pieces = script === 'han' ? text : [text]
    for (const piece of pieces) {
      if (counted.has(piece)) continue
      counted.add(piece)
      information += script === 'han' ? bitsOfHan(piece) : bitsOfWord(piece, table)
    }
  }
  return { information, specifics: countSpecifics(statements), firstPerson }
}

function withoutQuestions(text: string): string {
  return text
    .split(STATEMENT_END)
    .filter((sentence) => !ASKS.test(sentence))
    .join('\n')
}

/** Returns the information of a word: −log2 of its probability, and 0 for function words. */
function bitsOfWord(word: string, table: WordTable): number {
  const plain = word.replace(/'\p{L}+$/u, '')
  if (isEnglishFunctionWord(word) || isEnglishFunctionWord(plain)) return 0
  const row = table.rows.get(word) ?? table.rows.get(plain)
  const probability = row === undefined ? 0 : (table.probabilities[row] ?? 0)
  return probability > 0 ? Math.min(UNKNOWN_WORD_BITS, -Math.log2(probability)) : UNKNOWN_WORD_BITS
}

function bitsOfHan(character: string): number {
  return isChineseFunctionCharacter(character) ? 0 : HAN_CHARACTER_BITS
}

function countSpecifics(text: string): number {
  const names = text.match(INNER_NAME)?.filter((name) => !NO_NAME.has(name)).length ?? 0
  const patternCounts = [NUMBER, TITLE, HAN_NUMBER].map((pattern) => text.match(pattern)?.length ?? 0)
  return patternCounts.reduce((sum, count) => sum + count, names)
}

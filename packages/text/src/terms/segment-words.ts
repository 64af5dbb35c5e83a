// Splits a text into runs of one script, and into words.
import { pattern } from '../pattern.ts'

/** The script of a run of letters, which decides how words are found in it. */
type Script = 'spaced' | 'han' | 'unspaced' | 'pictograph'

/** A word, or a run of writing that is split into words later. */
export interface TextRun {
  readonly text: string
  readonly script: Script
}

/** Returns the words of a normalised text of ASCII characters, a fast case. Returns `null` for any other text. */
export function plainWords(normalised: string): readonly string[] | null {
  return NOT_ASCII.test(normalised) ? null : (normalised.match(ASCII_RUN) ?? [])
}

let wordSegmenter: Intl.Segmenter | undefined

/** Yields the runs of a normalised text, in order. */
export function* segmentWords(normalised: string): Generator<TextRun> {
  const plain = plainWords(normalised)
  if (plain !== null) {
    for (const text of plain) yield { text, script: 'spaced' }
    return
  }
  for (const [text, han, unspaced, spaced] of normalised.matchAll(RUN)) {
    if (spaced !== undefined) yield { text: spaced, script: 'spaced' }
    else if (han !== undefined) yield { text: han, script: 'han' }
    else if (unspaced !== undefined) yield* segmentUnspaced(unspaced)
    else yield { text, script: 'pictograph' }
  }
}

/** Splits a run into words. The segmenter chooses its dictionary by script, so the one for Thai also splits Lao, Khmer and Burmese. */
function* segmentUnspaced(run: string): Generator<TextRun> {
  wordSegmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  for (const piece of wordSegmenter.segment(run)) {
    if (piece.isWordLike === true) yield { text: piece.segment, script: 'unspaced' }
  }
}

/** Matches a run of one script. The groups are Chinese and kana, scripts of South-East Asia, words between spaces, and one pictograph. */
const RUN = pattern(
  'gu',
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]+)/u,
  /([\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)/u,
  /((?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}])+(?:'(?:(?![\p{Script=Han}])\p{L})+)*)/u,
  /(\p{Extended_Pictographic})/u,
)
/** Matches the same runs in plain ASCII, about six times as fast. */
const ASCII_RUN = /[a-z0-9]+(?:'[a-z]+)*/g
const NOT_ASCII = /[^\0-\x7F]/

import { findTerms, normaliseText, segmentWords } from '@keepsake/text'

/** Cosine of two texts, −1 to 1. */
export type Similarity = (one: string, other: string) => number

/**
 * Minimum mean similarity between a matter's words and the nearest words of a sentence that names the same person. “Lent me four thousand”
 * has 0.34 for “the money I owe”, a birthday less than 0.1, a trip to the cinema 0.24. Chinese vectors are built from characters, so
 * unrelated words are further apart.
 */
const LEAST_NEARNESS = { en: 0.3, zh: 0.4 }
/** Content words of a short sentence; in longer ones a word is near by chance. */
const SHORT = 8
const A_WORD = 0.015
const HAN = /\p{Script=Han}/u

/** Checks whether a sentence has the meaning of a few words, by the nearest word to each. */
export function isAboutTheSame(matter: string, sentence: string, similarity: Similarity): boolean {
  const [asked, said] = [contentWords(matter), contentWords(sentence)]
  if (asked.length === 0 || said.length === 0) return false
  const nearest = asked.map((word) => Math.max(...said.map((other) => nearness(word, other, similarity))))
  const mean = nearest.reduce((sum, nearness) => sum + nearness, 0) / nearest.length
  const extra = Math.max(0, said.length - SHORT) * A_WORD
  return mean >= (HAN.test(matter) ? LEAST_NEARNESS.zh : LEAST_NEARNESS.en) + extra
}

function nearness(first: string, second: string, similarity: Similarity): number {
  return findTerms(first)[0] === findTerms(second)[0] ? 1 : similarity(first, second)
}

function contentWords(text: string): string[] {
  const words = [...segmentWords(normaliseText(text))].flatMap((segment) =>
    segment.script === 'han' ? wordsOfHan(segment.text) : [segment.text],
  )
  return [...new Set(words)].filter((word) => findTerms(word).length > 0)
}

let segmenter: Intl.Segmenter | undefined

function wordsOfHan(run: string): string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return [...segmenter.segment(run)].map(({ segment }) => segment)
}

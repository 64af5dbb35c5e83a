// Compares the words of a topic with a sentence by their meaning.
import { cosine, findTerms, normaliseText, segmentWords } from '@keepsake/text'
import type { Engine } from '../work/engine.ts'

/** Cosine of two texts, −1 to 1. */
export type Similarity = (one: string, other: string) => number

/**
 * Minimum mean similarity between the words of a topic and the nearest words of a sentence about the same person. With “the
 * money I owe”, the similarity of “lent me four thousand” is 0.34, of a trip to the cinema 0.24, of a birthday below 0.1.
 */
const MIN_SIMILARITY = { en: 0.3, zh: 0.4 }
/** In a longer sentence, each further word raises the minimum, because one of many words may be similar by chance. */
const SHORT_SENTENCE = 8
const INCREASE_PER_WORD = 0.015
const HAN = /\p{Script=Han}/u

/** Checks whether the words of a topic have similar words in a sentence, on average. */
export function hasSameMeaning(topic: string, sentence: string, similarity: Similarity): boolean {
  const topicWords = contentWords(topic)
  const words = contentWords(sentence)
  if (topicWords.length === 0 || words.length === 0) return false
  const best = topicWords.map((word) =>
    Math.max(...words.map((other) => compareWords(word, other, similarity))),
  )
  const mean = best.reduce((sum, score) => sum + score, 0) / best.length
  const extra = Math.max(0, words.length - SHORT_SENTENCE) * INCREASE_PER_WORD
  return mean >= (HAN.test(topic) ? MIN_SIMILARITY.zh : MIN_SIMILARITY.en) + extra
}

/** Returns the similarity of two words, and 1 if they have the same stem. */
function compareWords(first: string, second: string, similarity: Similarity): number {
  return findTerms(first)[0] === findTerms(second)[0] ? 1 : similarity(first, second)
}

export function contentWords(text: string): string[] {
  const words = [...segmentWords(normaliseText(text))].flatMap((segment) =>
    segment.script === 'han' ? segmentHan(segment.text).map((word) => word.segment) : [segment.text],
  )
  return [...new Set(words)].filter((word) => findTerms(word).length > 0)
}

let segmenter: Intl.Segmenter | undefined

/** Cuts a Chinese text into words of the dictionary. */
export function segmentHan(text: string): readonly Intl.SegmentData[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return [...segmenter.segment(text)]
}

/** Returns a similarity by word vectors that computes the vector of each text once. */
export function cacheSimilarity(vectors: Engine['wordVectors']): Similarity {
  const cached = new Map<string, Float32Array>()
  const vectorOf = (text: string): Float32Array => {
    const vector = cached.get(text) ?? vectors.embedNow(text)
    cached.set(text, vector)
    return vector
  }
  return (first, second) => cosine(vectorOf(first), vectorOf(second))
}

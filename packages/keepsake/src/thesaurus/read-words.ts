import { segmentChinese } from '../models/embedded/chinese-words.ts'
import { findTerms } from '../text/analyse-text.ts'
import { normaliseText } from '../text/normalise-text.ts'
import { segmentWords } from '../text/segment-words.ts'
import { relatedTerms, type RelatedTerm } from './related-terms.ts'

/**
 * A character of a longer word says little by itself (对 in 对象), two characters that belong to two words less than
 * a word of two (docs/benchmarks/retrieval.md).
 */
const CHARACTER_OF_A_WORD = 0.25
const ACROSS_WORDS = 0.5
const IS_HAN = /^\p{Script=Han}+$/u

/** A word of a question. */
export interface AskedWord {
  /** Its terms as `findTerms` has them. */
  readonly terms: readonly string[]
  /** What may have been said in its place. */
  readonly related: readonly RelatedTerm[]
}

/** What a question's words are, beside its terms. */
export interface AskedWords {
  /** Those that something may have been said in place of. */
  readonly words: readonly AskedWord[]
  /** What its terms count for, where that is not 1. */
  readonly weights: ReadonlyMap<string, number>
}

/**
 * The words of a question: English words and pairs of them (“pass away”), Chinese words as the packaged list of words
 * divides them.
 *
 * @example
 * readWords('Where does my boss live?').words[0] // { terms: ['boss'], related: […] }
 */
export function readWords(text: string): AskedWords {
  const words: AskedWord[] = []
  const weights = new Map<string, number>()
  let previous: string | undefined
  for (const { text: run, script } of segmentWords(normaliseText(text))) {
    const [term] = script === 'spaced' ? findTerms(run) : []
    if (term !== undefined) {
      words.push({ terms: [term], related: relatedTerms(term, 'en') })
      if (previous !== undefined)
        words.push({ terms: [previous, term], related: relatedTerms(`${previous} ${term}`, 'en') })
    }
    if (script === 'han') readRun(run, words, weights)
    previous = term
  }
  return { words: words.filter(({ terms, related }) => terms.length > 0 && related.length > 0), weights }
}

function readRun(run: string, words: AskedWord[], weights: Map<string, number>): void {
  const parts = segmentChinese(run)
  const whole = new Set(parts)
  const within = new Set(parts.flatMap(pairsOf))
  for (const pair of pairsOf(run)) if (!within.has(pair)) weights.set(pair, ACROSS_WORDS)
  for (const part of parts) {
    words.push({
      terms: [...new Set(findTerms(part))],
      related: IS_HAN.test(part) ? relatedTerms(part, 'zh') : [],
    })
    for (const character of part) if (!whole.has(character)) weights.set(character, CHARACTER_OF_A_WORD)
  }
}

function pairsOf(text: string): string[] {
  const characters = Array.from(text)
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)
}

import { l, n, type RougeLOptions, type RougeNOptions } from 'js-rouge'
import { NO_OVERLAP, type Overlap } from './overlap.ts'

/** Words of a text that count: its time grows with the square, and js-rouge refuses what is several times as long. */
const MOST_WORDS = 10_000

/**
 * ROUGE-N of a candidate against one reference (Lin 2004, section 2): n-grams in common, each counted no oftener than
 * in either. By js-rouge, on words already split. Nothing in common, or fewer than `size` words on a side: all 0, so
 * ROUGE-2 of one word against itself is 0. The first 10,000 words of each count.
 *
 * @param size of the n-grams, 1 or more
 */
export function rougeN(
  candidateWords: readonly string[],
  referenceWords: readonly string[],
  size: number,
): Overlap {
  const [candidate, reference] = [candidateWords.slice(0, MOST_WORDS), referenceWords.slice(0, MOST_WORDS)]
  if (candidate.length < size || reference.length < size) return NO_OVERLAP
  const options = { n: size, ...givenWords(candidate, reference) } satisfies RougeNOptions
  const f1 = n(CANDIDATE, REFERENCE, options)
  return takeApart(f1, candidate.length - size + 1, reference.length - size + 1)
}

/**
 * ROUGE-L of a candidate against one reference: the longest common subsequence of the whole texts (Lin 2004, section
 * 3.1; `rougeL` of the usual scripts). The summary-level variant (3.2, `rougeLsum`), which unites the subsequences of
 * single sentences, would depend on a sentence splitter; answers and memories are mostly one sentence. Nothing in
 * common, or no word on a side: all 0. The first 10,000 words of each count.
 */
export function rougeL(candidateWords: readonly string[], referenceWords: readonly string[]): Overlap {
  const [candidate, reference] = [candidateWords.slice(0, MOST_WORDS), referenceWords.slice(0, MOST_WORDS)]
  if (candidate.length === 0 || reference.length === 0) return NO_OVERLAP
  const options = {
    ...givenWords(candidate, reference),
    segmenter: (text: string) => [text],
  } satisfies RougeLOptions
  return takeApart(l(CANDIDATE, REFERENCE, options), candidate.length, reference.length)
}

const CANDIDATE = 'candidate'
const REFERENCE = 'reference'

/**
 * js-rouge takes texts and a tokenizer; the words are known, so the texts only name which is asked for. It refuses long
 * texts by their characters, which numbers in place of words keep few.
 */
function givenWords(candidate: readonly string[], reference: readonly string[]) {
  const numbers = new Map<string, string>()
  const numberOf = (word: string): string => {
    const known = numbers.get(word) ?? String(numbers.size)
    numbers.set(word, known)
    return known
  }
  return {
    tokenizer: (text: string): string[] => (text === CANDIDATE ? candidate : reference).map(numberOf),
  }
}

/** js-rouge returns F1 alone, 2 m / (c + r) of m matches among c and r: a whole number of matches, so nothing is lost. */
function takeApart(f1: number, ofCandidate: number, ofReference: number): Overlap {
  const matches = Math.round((f1 * (ofCandidate + ofReference)) / 2)
  return { precision: matches / ofCandidate, recall: matches / ofReference, f1 }
}

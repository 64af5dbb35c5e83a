// Measures how unexpected an utterance is, with a model of pairs of words (bigrams).
import { LRUCache } from 'lru-cache'
import {
  embeddedCharacterTable,
  embeddedWordTable,
  isUnspaced,
  splitClitics,
  splitText,
} from '@keepsake/text'
import type { SurpriseContext, SurpriseModel } from '../models/model-ports.ts'

/** Weight of general language, as a number of observed words. Doubling or halving both priors changes perplexity by about a tenth. */
export const UNIGRAM_PRIOR = 1000
/** Weight of a word's probability without its predecessor, as a number of observed pairs. */
export const BIGRAM_PRIOR = 20
/** Words of the agent's turn, to which the user answers, count three times, because they predict the answer best. */
export const PREVIOUS_WEIGHT = 3
/** Only the latest earlier utterances are read. */
export const HISTORY_LIMIT = 200

export interface EmbeddedSurprise extends SurpriseModel {
  surprise(text: string, context: SurpriseContext): number
}

/**
 * Makes the built-in surprise model. It computes the perplexity of an utterance under an interpolated bigram model, which
 * backs off to the words of the user and of the agent's turn, then to general English or Chinese.
 *
 * @throws ModelError on the first call when a packaged file is missing or damaged.
 * @example
 * const model = embeddedSurprise()
 * model.surprise('my cat is ill', { previous: 'How is your cat?', history: [] }) // a few hundred
 * model.surprise('', { previous: 'Hm?', history: [] }) // 1
 */
export function embeddedSurprise(): EmbeddedSurprise {
  return {
    id: 'keepsake/surprise-bigram-1',
    surprise: (text, { previous, history }) => {
      const tokens = surpriseTokens(text)
      const counts = countContext(previous, history.slice(-HISTORY_LIMIT), tokens)
      return perplexity(tokens, counts, baseProbability)
    },
  }
}

/** Token counts of the texts before the utterance. */
export interface ContextCounts {
  readonly total: number
  timesOf(token: string): number
  /** Number of tokens that follow a token. */
  timesBefore(token: string): number
  /** Number of times that `token` follows `before`. */
  timesAfter(before: string, token: string): number
}

/**
 * Counts the tokens of the user's earlier utterances once, and of the agent's turn `PREVIOUS_WEIGHT` times.
 *
 * @param counted the tokens whose counts are needed; all when absent
 */
export function countContext(
  previous: string,
  history: readonly string[],
  counted?: readonly string[],
): ContextCounts {
  const texts = [...history, previous].map(surpriseTokens)
  const countsOf = new Map<string, TokenCounts>()
  for (const token of [START, ...(counted ?? texts.flat())])
    countsOf.set(token, { times: 0, followed: 0, after: new Map() })
  let total = 0
  for (const [index, tokens] of texts.entries()) {
    const weight = index === texts.length - 1 ? PREVIOUS_WEIGHT : 1
    let before = countsOf.get(START)
    for (const token of tokens) {
      const counts = countsOf.get(token)
      if (before !== undefined) {
        before.followed += weight
        if (counts !== undefined) before.after.set(token, (before.after.get(token) ?? 0) + weight)
      }
      if (counts !== undefined) counts.times += weight
      before = counts
    }
    total += weight * tokens.length
  }
  return {
    total,
    timesOf: (token) => countsOf.get(token)?.times ?? 0,
    timesBefore: (token) => countsOf.get(token)?.followed ?? 0,
    timesAfter: (before, token) => countsOf.get(before)?.after.get(token) ?? 0,
  }
}

interface TokenCounts {
  times: number
  followed: number
  readonly after: Map<string, number>
}

/**
 * Returns the perplexity of tokens: exp of the mean −ln p, and 1 without tokens. The distributions are hierarchical
 * Dirichlet priors (MacKay & Peto 1995). Each is smoothed by the more general one, with the weight of the prior:
 *
 *   p₁(w) = (c(w) + μ₁ p₀(w)) / (N + μ₁)        p(w | v) = (c(v w) + μ₂ p₁(w)) / (c(v ·) + μ₂)
 *
 * @param base returns p₀, the probability in general language
 */
export function perplexity(
  tokens: readonly string[],
  counts: ContextCounts,
  base: (token: string) => number,
): number {
  if (tokens.length === 0) return 1
  let before = START
  let bits = 0
  for (const token of tokens) {
    const unigram = (counts.timesOf(token) + UNIGRAM_PRIOR * base(token)) / (counts.total + UNIGRAM_PRIOR)
    const pairs = counts.timesAfter(before, token) + BIGRAM_PRIOR * unigram
    bits -= Math.log2(pairs / (counts.timesBefore(before) + BIGRAM_PRIOR))
    before = token
  }
  return 2 ** (bits / tokens.length)
}

/** The token before the first one of an utterance. It contains a space, so no token equals it. */
export const START = ' start'
/** Only the start of a longer utterance is read, because the average no longer changes much. */
const MAX_LENGTH = 4000

/** Caches tokens, because an utterance is part of the history in later calls. */
const cache = new LRUCache<string, readonly string[]>({ max: 10_000 })

/** Splits a text into words, and single characters of scripts without spaces. */
export function surpriseTokens(text: string): readonly string[] {
  const start = text.slice(0, MAX_LENGTH)
  const cached = cache.get(start)
  if (cached !== undefined) return cached
  const tokens = splitText(start).flatMap((piece) => (isUnspaced(piece) ? Array.from(piece) : [piece]))
  cache.set(start, tokens)
  return tokens
}

/** Probability of a word or character that is not in the tables. The rarest in the tables has about this probability. */
export const UNKNOWN_PROBABILITY = 5e-7

/** Returns the probability of a token without context, from the packaged frequencies. */
export function baseProbability(token: string): number {
  if (isUnspaced(token)) return embeddedCharacterTable().get(token) ?? UNKNOWN_PROBABILITY
  const { rows, probabilities } = embeddedWordTable()
  // A contraction is as frequent as the rarer of its parts: "don't" as "not", "alice's" as "alice".
  const ofParts = splitClitics(token).map((part) => {
    const row = rows.get(part)
    return row === undefined ? UNKNOWN_PROBABILITY : (probabilities[row] ?? UNKNOWN_PROBABILITY)
  })
  return Math.max(UNKNOWN_PROBABILITY, Math.min(...ofParts))
}

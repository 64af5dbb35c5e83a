import { LRUCache } from 'lru-cache'
import {
  embeddedCharacterTable,
  embeddedWordTable,
  isUnspaced,
  splitClitics,
  splitText,
} from '@keepsake/text'
import type { SurpriseContext, SurpriseModel } from '../models/model-ports.ts'

/**
 * Prior weight of general language, in observed words. Doubling or halving both priors moves perplexity by about a
 * tenth (docs/benchmarks/README.md).
 */
export const UNIGRAM_PRIOR = 1000
/** Prior weight of a word alone against the word after a given word, in observed pairs. */
export const BIGRAM_PRIOR = 20
/** Weight of a word of the agent's turn, to which the user answers. */
export const PREVIOUS_WEIGHT = 3
/** Maximum number of earlier utterances that are read: the latest. */
export const HISTORY_LIMIT = 200

export interface EmbeddedSurprise extends SurpriseModel {
  surprise(text: string, context: SurpriseContext): number
}

/**
 * Makes the built-in surprise model: the perplexity of an utterance under an interpolated bigram model, which backs off to
 * the words of the user and of the agent's turn, then to general English or Chinese. It knows words, not meaning.
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

/** Token counts of what was said before the utterance. */
export interface ContextCounts {
  readonly total: number
  timesOf(token: string): number
  /** Counts of successors of a token, and of each successor. */
  timesBefore(token: string): number
  timesAfter(before: string, token: string): number
}

/**
 * Counts the user's earlier utterances once and the agent's turn `PREVIOUS_WEIGHT` times.
 *
 * @param asked the tokens to count, with their pairs; all when absent
 */
export function countContext(
  previous: string,
  history: readonly string[],
  asked?: readonly string[],
): ContextCounts {
  const said = [...history, previous].map(surpriseTokens)
  const counted = new Map<string, TokenCounts>()
  for (const token of [START, ...(asked ?? said.flat())])
    counted.set(token, { times: 0, followed: 0, after: new Map() })
  let total = 0
  for (const [index, tokens] of said.entries()) {
    const weight = index === said.length - 1 ? PREVIOUS_WEIGHT : 1
    let before = counted.get(START)
    for (const token of tokens) {
      const counts = counted.get(token)
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
    timesOf: (token) => counted.get(token)?.times ?? 0,
    timesBefore: (token) => counted.get(token)?.followed ?? 0,
    timesAfter: (before, token) => counted.get(before)?.after.get(token) ?? 0,
  }
}

interface TokenCounts {
  times: number
  followed: number
  readonly after: Map<string, number>
}

/**
 * Returns the perplexity of tokens: exp of the mean −ln p, 1 for none. The distributions are hierarchical Dirichlet priors
 * (MacKay & Peto 1995), each smoothed towards the one below with the prior's weight in observations:
 *
 *   p₁(w) = (c(w) + μ₁ p₀(w)) / (N + μ₁)        p(w | v) = (c(v w) + μ₂ p₁(w)) / (c(v ·) + μ₂)
 *
 * @param base p₀
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
    const alone = (counts.timesOf(token) + UNIGRAM_PRIOR * base(token)) / (counts.total + UNIGRAM_PRIOR)
    const together = counts.timesAfter(before, token) + BIGRAM_PRIOR * alone
    bits -= Math.log2(together / (counts.timesBefore(before) + BIGRAM_PRIOR))
    before = token
  }
  return 2 ** (bits / tokens.length)
}

/** The token before the first one of an utterance. It contains a space, so no token equals it. */
export const START = ' start'
/** Maximum UTF-16 units of an utterance that are read. The average is stable by then. */
const MAX_LENGTH = 4000

/** Caches tokens, because utterances are history in later calls. */
const cache = new LRUCache<string, readonly string[]>({ max: 10_000 })

/**
 * Splits a text into what the bigram model predicts: words, and single characters of scripts without spaces.
 *
 * @example surpriseTokens("I can't go to 上海") // ['i', "can't", 'go', 'to', '上', '海']
 */
export function surpriseTokens(text: string): readonly string[] {
  const read = text.slice(0, MAX_LENGTH)
  const known = cache.get(read)
  if (known !== undefined) return known
  const tokens = splitText(read).flatMap((piece) => (isUnspaced(piece) ? Array.from(piece) : [piece]))
  cache.set(read, tokens)
  return tokens
}

/** Probability of a word or character that the tables lack: that of the rarest in them, about 1 in 2 million. */
export const UNKNOWN_PROBABILITY = 5e-7

/** Returns the probability of a token without context, from the packaged frequencies. */
export function baseProbability(token: string): number {
  if (isUnspaced(token)) return embeddedCharacterTable().get(token) ?? UNKNOWN_PROBABILITY
  const { rows, probabilities } = embeddedWordTable()
  // A contraction is as frequent as the rarer of its parts: "don't" as "not", "alice's" as "alice".
  const known = splitClitics(token).map((part) => {
    const row = rows.get(part)
    return row === undefined ? UNKNOWN_PROBABILITY : (probabilities[row] ?? UNKNOWN_PROBABILITY)
  })
  return Math.max(UNKNOWN_PROBABILITY, Math.min(...known))
}

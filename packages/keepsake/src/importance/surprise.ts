import { LRUCache } from 'lru-cache'
import { embeddedCharacterTable } from '../models/embedded/character-table.ts'
import { isUnspaced, splitClitics, splitText } from '../models/embedded/split-text.ts'
import { embeddedWordTable } from '../models/embedded/word-vectors.ts'
import type { SurpriseContext, SurpriseModel } from '../models/signal-models.ts'

/**
 * How many observed words the language at large weighs as much as: after this many words of history, history
 * and general English count alike. Doubling or halving both priors moves perplexity by about a tenth
 * (docs/benchmarks/signals.md).
 */
export const UNIGRAM_PRIOR = 1000
/** The same for what follows one given word. */
export const BIGRAM_PRIOR = 20
/** A word of the agent's turn counts as this many: it is what the user answers to. */
export const PREVIOUS_WEIGHT = 3
/** Utterances of history that are read, the latest: what someone said long ago foretells little of this turn. */
export const HISTORY_LIMIT = 200

/** The surprise model inside the package: it answers at once. */
export interface EmbeddedSurprise extends SurpriseModel {
  surprise(text: string, context: SurpriseContext): number
}

/**
 * Perplexity of an utterance under an interpolated bigram model: what follows a word, backing off to how often
 * the user and the agent's turn used each word, backing off to general English or Chinese (see `perplexity`).
 * It knows words, not meaning: a common sentence about a rare event does not surprise it.
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
      const counts = countContext(previous, history.slice(-HISTORY_LIMIT), new Set([START, ...tokens]))
      return perplexity(tokens, counts, baseProbability)
    },
  }
}

/** What was seen before the utterance. */
export interface ContextCounts {
  readonly total: number
  readonly tokens: ReadonlyMap<string, number>
  /** By first token of a pair, then by second. */
  readonly pairs: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/**
 * Counts the user's earlier utterances once and the agent's turn `PREVIOUS_WEIGHT` times.
 *
 * @param asked the tokens whose counts are wanted, and what follows them; of the others only the number counts. All when absent
 */
export function countContext(
  previous: string,
  history: readonly string[],
  asked?: ReadonlySet<string>,
): ContextCounts {
  const tokens = new Map<string, number>()
  const pairs = new Map<string, Map<string, number>>()
  let total = 0
  const count = (utterance: readonly string[], weight: number): void => {
    let before = START
    for (const token of utterance) {
      total += weight
      if (asked === undefined || asked.has(token)) tokens.set(token, (tokens.get(token) ?? 0) + weight)
      if (asked === undefined || asked.has(before)) {
        const after = pairs.get(before) ?? new Map<string, number>()
        pairs.set(before, after.set(token, (after.get(token) ?? 0) + weight))
      }
      before = token
    }
  }
  for (const text of history) count(surpriseTokens(text), 1)
  count(surpriseTokens(previous), PREVIOUS_WEIGHT)
  return { total, tokens, pairs }
}

/**
 * exp of the mean −ln p over the tokens, 1 for none. The distributions are hierarchical Dirichlet priors
 * (MacKay & Peto 1995), each smoothed towards the one below with the prior's weight in observations:
 *
 *   p₁(w) = (c(w) + μ₁ p₀(w)) / (N + μ₁)        p(w | v) = (c(v w) + μ₂ p₁(w)) / (c(v ·) + μ₂)
 *
 * @param base p₀
 */
export function perplexity(
  tokens: readonly string[],
  { total, tokens: counts, pairs }: ContextCounts,
  base: (token: string) => number,
): number {
  if (tokens.length === 0) return 1
  let before = START
  let bits = 0
  for (const token of tokens) {
    const alone = ((counts.get(token) ?? 0) + UNIGRAM_PRIOR * base(token)) / (total + UNIGRAM_PRIOR)
    const after = pairs.get(before)
    const followed = sumValues(after)
    bits -= Math.log2(((after?.get(token) ?? 0) + BIGRAM_PRIOR * alone) / (followed + BIGRAM_PRIOR))
    before = token
  }
  return 2 ** (bits / tokens.length)
}

function sumValues(counts: ReadonlyMap<string, number> | undefined): number {
  let sum = 0
  for (const count of counts?.values() ?? []) sum += count
  return sum
}

/** Stands before the first token of an utterance. Contains a space, so no token equals it. */
export const START = ' start'
/** As much of an utterance as is read, in UTF-16 units: an average over a thousand words has settled. */
const MAX_LENGTH = 4000

/** Utterances recur as history call after call. */
const cache = new LRUCache<string, readonly string[]>({ max: 10_000 })

/**
 * What the language model predicts one by one: words, and single characters of scripts without spaces.
 *
 * @example surpriseTokens("I can't go to 上海") // ['i', "can't", 'go', 'to', '上', '海']
 */
export function surpriseTokens(text: string): readonly string[] {
  const read = text.slice(0, MAX_LENGTH)
  const cached = cache.get(read)
  if (cached !== undefined) return cached
  const tokens = splitText(read).flatMap((piece) => (isUnspaced(piece) ? Array.from(piece) : [piece]))
  cache.set(read, tokens)
  return tokens
}

/** Any word or character the tables lack counts as one as rare as the rarest in them: about 1 in 2 million. */
export const UNKNOWN_PROBABILITY = 5e-7

/** Probability of a token in the language at large, without context: from the packaged frequencies. */
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

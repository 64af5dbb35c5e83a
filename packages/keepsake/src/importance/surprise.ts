import { LRUCache } from 'lru-cache'
import {
  embeddedCharacterTable,
  embeddedWordTable,
  isUnspaced,
  splitClitics,
  splitText,
} from '@keepsake/text'
import type { SurpriseContext, SurpriseModel } from '../models/signal-models.ts'

/**
 * Prior weight of general language, in observed words. Doubling or halving both priors moves perplexity by about a
 * tenth (docs/benchmarks/README.md).
 */
export const UNIGRAM_PRIOR = 1000
/** The same for words after a given word. */
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
 * Measures the perplexity of an utterance under an interpolated bigram model, which backs off to the words of the
 * user and the agent's turn, then to general English or Chinese. It knows words, not meaning.
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

/** Token counts before the utterance. */
export interface ContextCounts {
  /** Of all tokens together. */
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
  startAnewWhenFull()
  const said = [...history, previous].map(readUtterance)
  const places = new Map<string, number>()
  for (const token of [START, ...(asked ?? said.flatMap(({ tokens }) => tokens))])
    if (!places.has(token)) places.set(token, places.size)
  const counts = countPlaces(said, places)
  const placeOf = (token: string): number => places.get(token) ?? -1
  return {
    total: counts.total,
    timesOf: (token) => counts.tokens[placeOf(token)] ?? 0,
    timesBefore: (token) => counts.followed[placeOf(token)] ?? 0,
    timesAfter: (before, token) => {
      const [first, second] = [placeOf(before), placeOf(token)]
      return first < 0 || second < 0 ? 0 : (counts.pairs.get(first * places.size + second) ?? 0)
    },
  }
}

/** Maps token numbers to their query index, from 1; 0 for others. Callers clear it after use. */
let placeOfNumber = new Int32Array(1 << 12)

/** Counts by the places of the tokens asked about. @param said the agent's turn last, which weighs more */
function countPlaces(said: readonly Utterance[], places: ReadonlyMap<string, number>) {
  const asked = [...places.keys()].map(numberOf)
  if (numbers.size > placeOfNumber.length) placeOfNumber = new Int32Array(2 * numbers.size)
  for (const [place, number] of asked.entries()) placeOfNumber[number] = place + 1
  const [tokens, followed] = [new Float64Array(places.size), new Float64Array(places.size)]
  const pairs = new Map<number, number>()
  const start = placeOfNumber[numberOf(START)] ?? 0
  let total = 0
  for (const [at, utterance] of said.entries()) {
    const weight = at === said.length - 1 ? PREVIOUS_WEIGHT : 1
    let before = start
    for (const number of utterance.numbers) {
      const place = placeOfNumber[number] ?? 0
      if (place > 0) tokens[place - 1] = (tokens[place - 1] ?? 0) + weight
      if (before > 0) followed[before - 1] = (followed[before - 1] ?? 0) + weight
      if (before > 0 && place > 0) {
        const pair = (before - 1) * places.size + place - 1
        pairs.set(pair, (pairs.get(pair) ?? 0) + weight)
      }
      before = place
    }
    total += weight * utterance.numbers.length
  }
  for (const number of asked) placeOfNumber[number] = 0
  return { total, tokens, followed, pairs }
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

/** Stands before the first token of an utterance. Contains a space, so no token equals it. */
export const START = ' start'
/** Maximum UTF-16 units read of an utterance; the average is stable by then. */
const MAX_LENGTH = 4000

/** An utterance's tokens, and their numbers. */
interface Utterance {
  readonly tokens: readonly string[]
  readonly numbers: Int32Array
}

/** Utterances recur as history call after call. */
const cache = new LRUCache<string, Utterance>({ max: 10_000 })
/** A number for each token that was met: counting by numbers takes a tenth of the time. */
const numbers = new Map<string, number>()
/** Maximum number of distinct tokens, those of thousands of users; then the cache is cleared. */
const MOST_NUMBERS = 200_000

function numberOf(token: string): number {
  const known = numbers.get(token)
  if (known !== undefined) return known
  numbers.set(token, numbers.size)
  return numbers.size - 1
}

function startAnewWhenFull(): void {
  if (numbers.size < MOST_NUMBERS) return
  cache.clear()
  numbers.clear()
}

function readUtterance(text: string): Utterance {
  const read = text.slice(0, MAX_LENGTH)
  const cached = cache.get(read)
  if (cached !== undefined) return cached
  const tokens = splitText(read).flatMap((piece) => (isUnspaced(piece) ? Array.from(piece) : [piece]))
  const utterance = { tokens, numbers: Int32Array.from(tokens, numberOf) }
  cache.set(read, utterance)
  return utterance
}

/**
 * What the language model predicts one by one: words, and single characters of scripts without spaces.
 *
 * @example surpriseTokens("I can't go to 上海") // ['i', "can't", 'go', 'to', '上', '海']
 */
export function surpriseTokens(text: string): readonly string[] {
  return readUtterance(text).tokens
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

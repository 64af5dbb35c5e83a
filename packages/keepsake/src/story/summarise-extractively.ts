// Summarises turns without a model, by quoting their most central sentences.
import { TextTrait, cosine, findTerms, maskUnspoken, readTraits, splitSentences } from '@keepsake/text'
import { countLetters } from '../extraction/grounding/find-doubts.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { SummariseOptions, Summariser, Summary } from './summariser.ts'

/** Damping of PageRank, as TextRank uses it (Mihalcea and Tarau, 2004). */
const DAMPING = 0.85
/** Number of iterations of TextRank, after which scores hardly change. */
const ITERATIONS = 30

/** Scores the centrality of each sentence by its likeness to the others (TextRank). The mean score is 1. */
function rankByLikeness(likeness: readonly (readonly number[])[]): number[] {
  const count = likeness.length
  const shares = sharesOf(likeness)
  let scores = new Float64Array(count).fill(1)
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const next = new Float64Array(count)
    for (let to = 0; to < count; to++) {
      let incoming = 0
      for (let from = 0; from < count; from++)
        incoming += (shares[to * count + from] ?? 0) * (scores[from] ?? 0)
      next[to] = 1 - DAMPING + DAMPING * incoming
    }
    scores = next
  }
  return [...scores]
}

/** Returns the share of a sentence's total likeness that each other sentence has, at `[to * count + from]`. */
function sharesOf(likeness: readonly (readonly number[])[]): Float64Array {
  const count = likeness.length
  const shares = new Float64Array(count * count)
  for (const [from, row] of likeness.entries()) {
    const outgoing = row.reduce((sum, value, to) => (to === from ? sum : sum + value), 0)
    if (outgoing <= 0) continue
    for (let to = 0; to < count; to++) if (from !== to) shares[to * count + from] = (row[to] ?? 0) / outgoing
  }
  return shares
}

/** Weight of relevance against novelty in maximal marginal relevance (Carbonell and Goldstein, 1998, use 0.7 for short summaries). */
const RELEVANCE_SHARE = 0.7

/** Picks sentences by maximal marginal relevance, as long as they fit. Returns indexes in the order of picking. */
function pickVaried(
  scores: readonly number[],
  likeness: readonly (readonly number[])[],
  fits: (picked: readonly number[], next: number) => boolean,
): number[] {
  const maxScore = Math.max(...scores, Number.MIN_VALUE)
  const left = new Set(scores.keys())
  const picked: number[] = []
  // The likeness of each sentence to the most similar picked one.
  const redundancy = new Float64Array(scores.length)
  while (left.size > 0) {
    let next = -1
    let nextGain = -Infinity
    for (const i of left) {
      const relevance = (scores[i] ?? 0) / maxScore
      const gain = RELEVANCE_SHARE * relevance - (1 - RELEVANCE_SHARE) * (redundancy[i] ?? 0)
      if (gain > nextGain) [next, nextGain] = [i, gain]
    }
    left.delete(next)
    if (!fits(picked, next)) continue
    picked.push(next)
    for (const index of left)
      redundancy[index] = Math.max(redundancy[index] ?? 0, likeness[index]?.[next] ?? 0)
  }
  return picked
}

/** Factors of a sentence's score: for the words of others, for statements about oneself, and for each name, number or time. */
const FACTORS = { ofOthers: 0.6, aboutSelf: 1.3, detail: 1.1 } as const
/** Share of a sentence's score that does not depend on its centrality. */
const BASE_SHARE = 0.5
/** Maximum number of sentences that are compared with each other. The most informative ones are chosen. */
const MAX_SENTENCES = 300
/** Minimum number of content terms. Shorter sentences are greetings, thanks, or answers that are unclear alone. */
const MIN_TERMS = 3
/** Minimum share of a user's sentence that is not quoted. */
const MIN_OWN_SHARE = 0.7
/** Two sentences with a greater likeness say the same. */
const SAME_LIKENESS = 0.85
/** Maximum characters of a sentence. A longer one would fill the summary. */
const MAX_CHARACTERS = 400

/** A sentence that may be quoted. */
interface RankedSentence {
  readonly turn: string
  readonly quote: string
  readonly order: number
  readonly terms: ReadonlySet<string>
  /** Factor of its score; statements of users about themselves have the highest. */
  readonly preference: number
}

/** Summarises by quoting central and varied sentences in their order, preferably the user's. No model is needed. */
export function extractiveSummariser(): Summariser {
  return { id: 'extractive/1', summarise }
}

function summarise(sources: readonly SummarySource[], options: SummariseOptions): Promise<Summary | null> {
  return quoteSentences(sources, options, () => 1)
}

/** Summarises by quoting, with a weight above 0 for each source. An ordinary source has 1. */
export async function quoteSentences(
  sources: readonly SummarySource[],
  options: SummariseOptions,
  weightOf: (source: SummarySource) => number,
): Promise<Summary | null> {
  const weighted: Omit<RankedSentence, 'order'>[] = []
  for (const source of sources) {
    const weight = weightOf(source)
    for (const sentence of await readSentences(source))
      weighted.push({ ...sentence, preference: sentence.preference * weight })
  }
  const sentences = mostInformative(weighted.map((sentence, order) => ({ ...sentence, order })))
  if (sentences.length === 0) return null
  const likeness = await likenessOf(sentences, options)
  const ranks = rankByLikeness(likeness)
  // With three hundred sentences, ranking and picking take some ten milliseconds each.
  await yieldToEventLoop()
  const scores = scoresOf(sentences, ranks)
  const length = (i: number): number => (sentences[i]?.quote.length ?? 0) + 1
  const indexes = pickVaried(scores, likeness, (soFar, next) => {
    if (soFar.some((i) => (likeness[i]?.[next] ?? 0) > SAME_LIKENESS)) return false
    const used = soFar.reduce((sum, i) => sum + length(i), 0)
    return used + length(next) - 1 <= options.maxCharacters
  })
  const kept = indexes.flatMap((index) => sentences[index] ?? []).sort((a, b) => a.order - b.order)
  if (kept.length === 0) return null
  return {
    text: kept.map((sentence) => sentence.quote).join(' '),
    evidence: kept.map(({ turn, quote }) => ({ turn, quote })),
  }
}

/** Scores sentences by centrality and content. In a short talk, centrality alone would omit topics of one sentence. */
function scoresOf(sentences: readonly RankedSentence[], ranks: readonly number[]): number[] {
  const highest = Math.max(...ranks, Number.MIN_VALUE)
  return sentences.map(
    ({ terms, preference }, index) =>
      preference * Math.sqrt(terms.size) * (BASE_SHARE + ((1 - BASE_SHARE) * (ranks[index] ?? 0)) / highest),
  )
}

/** Returns the sentences of a source that may be quoted: own statements of a fitting length. */
async function readSentences(source: SummarySource): Promise<Omit<RankedSentence, 'order'>[]> {
  const read: Omit<RankedSentence, 'order'>[] = []
  if (source.role === 'other') return read
  const spoken = source.role === 'user' ? maskUnspoken(source.text) : source.text
  for (const { text, start } of splitSentences(source.text)) {
    await yieldToEventLoop()
    if (text.length > MAX_CHARACTERS) continue
    // A sentence that mostly consists of quoted words is not the user's.
    if (countLetters(spoken.slice(start, start + text.length)) < MIN_OWN_SHARE * countLetters(text)) continue
    const terms = new Set(findTerms(text))
    if (terms.size < MIN_TERMS) continue
    const traits = readTraits(text)
    if ((traits & TextTrait.onlyAsks) !== 0) continue
    read.push({ turn: source.turn, quote: text, terms, preference: preferenceOf(source, traits) })
  }
  return read
}

/** Returns a factor that prefers users' statements about themselves, with names, numbers and times. */
function preferenceOf(source: SummarySource, traits: number): number {
  let preference = source.role === 'user' ? 1 : FACTORS.ofOthers
  if ((traits & TextTrait.firstPerson) !== 0) preference *= FACTORS.aboutSelf
  for (const trait of [TextTrait.holdsName, TextTrait.holdsNumber, TextTrait.placesInTime])
    if ((traits & trait) !== 0) preference *= FACTORS.detail
  return preference
}

/** Returns the sentences with most preferred terms, in their order. */
function mostInformative(sentences: readonly RankedSentence[]): RankedSentence[] {
  if (sentences.length <= MAX_SENTENCES) return [...sentences]
  const weight = (sentence: RankedSentence): number => sentence.terms.size * sentence.preference
  return [...sentences]
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, MAX_SENTENCES)
    .sort((a, b) => a.order - b.order)
}

/** Computes the likeness of all pairs of sentences, 0 to 1: by their vectors, else by their terms. */
async function likenessOf(
  sentences: readonly RankedSentence[],
  options: SummariseOptions,
): Promise<number[][]> {
  const { embedding, abortSignal } = options
  const texts = sentences.map((sentence) => sentence.quote)
  const vectors =
    embedding === undefined
      ? null
      : await embedding.embed(texts, abortSignal === undefined ? {} : { abortSignal })
  const likeness: number[][] = []
  for (const [row, sentence] of sentences.entries()) {
    const first = vectors?.[row]
    likeness.push(
      sentences.map((otherSentence, column) => {
        // Likeness is symmetric.
        if (column < row) return likeness[column]?.[row] ?? 0
        const second = vectors?.[column]
        if (first === undefined || second === undefined)
          return cosineOfTerms(sentence.terms, otherSentence.terms)
        return Math.max(0, cosine(first, second))
      }),
    )
    await yieldToEventLoop()
  }
  return likeness
}

/** Returns the cosine of two sets of terms. */
function cosineOfTerms(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  let shared = 0
  for (const term of first) if (second.has(term)) shared++
  return shared / Math.sqrt(first.size * second.size)
}

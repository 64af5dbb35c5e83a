import { TextTrait } from '@keepsake/text'
import { NONE } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import type { RetrievalPart } from './retrieval-recipe.ts'
import {
  AGE_SHARES,
  DAY_MS,
  FULL_LENGTH,
  FULL_NOVELTY,
  LENGTH_SHARES,
  MEANING_WINDOW,
  NOVELTY_OF_A_MEMORY,
  NOVELTY_SHARES,
  OLDEST_DAY,
  type ActivePart,
} from './score-parts.ts'

/** Parts of a match that lie beyond the document itself. */
const AROUND = ['neighbours', 'coverage', 'session'] as const
/** Parts that say how something was said. */
const MANNER = ['exchange', 'length', 'novelty', 'asking', 'recency'] as const
/** Parts that few questions have: each runs over all documents by itself. */
const SELDOM: ReadonlySet<string> = new Set(['time', 'expected'])

/**
 * Adds up what all parts but the speaker's give every document, in two passes where no time and no kind of answer is asked
 * for. The sums are those of the parts added one after another in their order, bit for bit: a part that weighs nothing adds a zero.
 * What does not count gets a sum as well, which means nothing: to ask of each whether it counts takes longer. For the same reason the
 * loops read columns without asking whether these end: every column has a value for every row.
 *
 * @param sums written to, whatever they held
 */
export function addRows(matches: Matches, parts: readonly ActivePart[], sums: Float64Array): void {
  if (weighs(matches, AROUND)) addMatch(matches, sums)
  else addOwnMatch(matches, sums)
  for (const { name, add, weight } of parts) if (SELDOM.has(name)) add(matches, weight, { at: null, sums })
  if (weighs(matches, MANNER)) addManner(matches, sums)
}

function weighs({ recipe: { weights } }: Matches, parts: readonly RetrievalPart[]): boolean {
  return parts.some((name) => weights[name] !== 0)
}

/** A document's own words and meaning, where nothing else of a match counts. */
function addOwnMatch(matches: Matches, sums: Float64Array): void {
  const { own, topWords, topCosine } = matches
  const { lexical, semantic } = matches.recipe.weights
  const cosine = matches.cosine ?? new Float32Array(sums.length)
  for (let row = 0; row < sums.length; row++) {
    sums[row] = lexical * ((own[row] as number) / topWords) + semantic * ((cosine[row] as number) / topCosine)
  }
}

/** What a document has in common with the question: its words, its meaning, those around it, its session. */
function addMatch(matches: Matches, sums: Float64Array): void {
  const { table, own, window, held, topWords, topCosine } = matches
  const { previous, next, sessionOf } = table
  const { lexical, semantic, neighbours, coverage } = matches.recipe.weights
  const cosine = matches.cosine ?? new Float32Array(sums.length)
  const rarity = matches.rarity || 1
  const sessions = sessionShares(matches)
  for (let row = 0; row < sums.length; row++) {
    const words = own[row] as number
    const meaning = cosine[row] as number
    const before = previous[row] as number
    const after = next[row] as number
    const earlier = before === NONE ? 0 : (cosine[before] as number) * MEANING_WINDOW.before
    const later = after === NONE ? 0 : (cosine[after] as number) * MEANING_WINDOW.after
    const around = earlier > later ? earlier : later
    let borrowed = (lexical * ((window[row] as number) - words)) / topWords
    if (around > meaning) borrowed += (semantic * (around - meaning)) / topCosine
    sums[row] =
      lexical * (words / topWords) +
      semantic * (meaning / topCosine) +
      neighbours * borrowed +
      coverage * ((held[row] as number) / rarity) +
      (sessions[sessionOf[row] as number] as number)
  }
}

function sessionShares({ recipe, sessionScores, topSession }: Matches): Float64Array {
  return sessionScores.map((score) => recipe.weights.session * (score / topSession))
}

/** How it was said, whatever is asked: after which question, at what length, as news, as a question, how long ago. */
function addManner(matches: Matches, sums: Float64Array): void {
  const { table, counted, own, topWords, firsts, firstsAsked } = matches
  const { previous, traits, lengths, isTurn, at } = table
  const { exchange, length, novelty, asking, recency } = matches.recipe.weights
  const { now } = matches.options
  const byLength = LENGTH_SHARES.by(length)
  const byNovelty = NOVELTY_SHARES.by(novelty)
  const byAge = AGE_SHARES.by(recency)
  const ofMemory = novelty * NOVELTY_OF_A_MEMORY
  for (let row = 0; row < sums.length; row++) {
    let sum = sums[row] as number
    const before = previous[row] as number
    if (before !== NONE && ((traits[before] as number) & TextTrait.asks) !== 0 && counted[before] === 1)
      sum += exchange * ((own[before] as number) / topWords)
    const terms = lengths[row] as number
    sum += byLength[terms < FULL_LENGTH ? terms : FULL_LENGTH] as number
    const news = (firsts[row] as number) - (firstsAsked[row] as number)
    if (isTurn[row] === 1) sum += byNovelty[news < FULL_NOVELTY ? news : FULL_NOVELTY] ?? 0
    else sum += ofMemory
    if (((traits[row] as number) & TextTrait.asks) !== 0) sum += asking
    const age = now - (at[row] as number)
    const days = age > 0 ? age / DAY_MS : 0
    if (days < OLDEST_DAY) sum += byAge[days | 0] as number
    sums[row] = sum
  }
}

import { NONE, ROLE_CODES, type DocumentTable } from './document-table.ts'
import { columns, WordMatcher, type MatchedTerm, type RankingInput } from './match-words.ts'

/** What the documents have in common with the question, before it is weighed. Columns are valid until the next search. */
export interface Matches extends RankingInput {
  /** 1 for rows that count: searchable, in the scopes asked, not after `asOf`. */
  readonly counted: Uint8Array
  /** BM25 of each document's own words. */
  readonly own: Float32Array
  /** BM25 of each turn with its neighbours; each term counts once, where it counts most. */
  readonly window: Float32Array
  /** Summed rarity of the question's terms that the turn (or its neighbours, where they count) holds, however often or far. */
  readonly held: Float32Array
  /** Terms that each row was the first to say. */
  readonly firsts: Int32Array
  /** How many of them the question gives away. */
  readonly firstsAsked: Int32Array
  /** Cosines, none below zero; `undefined` without vectors. */
  readonly cosine: Float32Array | undefined
  /** BM25 of each session. */
  readonly sessionScores: Float64Array
  readonly topWords: number
  readonly topCosine: number
  readonly topSession: number
  /** Numbers of the speakers asked about. */
  readonly speakers: ReadonlySet<number>
  /** 1 at the number of each of them. */
  readonly isAsked: Uint8Array
  readonly roleCode: number
  /** Summed rarity of the question's terms, those that occur nowhere included; of this `held` is a share. */
  readonly rarity: number
  readonly terms: readonly MatchedTerm[]
}

/** Columns for the scores of so many rows, no more than the last search's table has; they hold what the last search left. */
export function scoreColumns(length: number): { sums: Float64Array; scores: Float32Array } {
  return { sums: columns.sums.subarray(0, length), scores: columns.scores }
}

/** Matches words, meaning and sessions with the question. */
export function matchDocuments(input: RankingInput): Matches {
  const { table, question, recipe } = input
  columns.reserve(table.length)
  const counted = findCounted(input)
  const matcher = new WordMatcher(input, counted)
  for (const word of question.read.terms) matcher.match(word)
  if (recipe.readsOtherWords) for (const word of question.read.words) matcher.matchRelated(word)
  const meaning = recipe.weights.semantic === 0 ? undefined : matchMeaning(input, counted)
  const words = recipe.weights.neighbours === 0 ? columns.own : columns.window
  const { role, named } = question.read
  const speakers = new Set(named.map((name) => table.speakerNumber(name)))
  const isAsked = new Uint8Array(table.speakerCount)
  for (const speaker of speakers) isAsked[speaker] = 1
  return {
    ...input,
    counted,
    own: columns.own,
    window: columns.window,
    held: columns.held,
    firsts: input.postings.firsts,
    firstsAsked: columns.firstsAsked,
    cosine: meaning?.cosine,
    sessionScores: matcher.sessionScores,
    topWords: highest(words, table.length),
    topCosine: meaning?.top ?? 1,
    topSession: highestSession(matcher.sessionScores),
    speakers,
    isAsked,
    roleCode: role === null ? NONE : ROLE_CODES[role],
    rarity: matcher.rarity,
    terms: matcher.terms,
  }
}

/** Which rows count for statistics and neighbours: searchable, within the scopes, and not after `asOf`. */
function findCounted({ table, options }: RankingInput): Uint8Array {
  const { scopes, asOf } = options
  if ((scopes === undefined || coversAll(table, scopes)) && asOf === undefined) return table.live
  const until = asOf ?? Number.POSITIVE_INFINITY
  const { counted } = columns
  for (let row = 0; row < table.length; row++) {
    const inReach = scopes === undefined || scopes.has(table.scopes[row] ?? NONE)
    counted[row] = inReach && (table.at[row] ?? 0) <= until ? (table.live[row] ?? 0) : 0
  }
  return counted
}

function coversAll(table: DocumentTable, scopes: ReadonlySet<number>): boolean {
  for (const scope of table.knownScopes) if (!scopes.has(scope)) return false
  return true
}

function matchMeaning(
  { vectors, table: { length }, question: { vector }, cosines }: RankingInput,
  counted: Uint8Array,
): { readonly cosine: Float32Array; readonly top: number } | undefined {
  if (vectors === undefined || vector === null) return undefined
  const cosine = cosines ?? columns.cosine
  if (cosines === undefined) {
    cosine.fill(0, vectors.length, length)
    vectors.scan(vector, cosine)
  }
  return { cosine, top: keepCounted(cosine, counted, length) }
}

/** A number, and its bits. */
const oneNumber = new Float32Array(1)
const oneInBits = new Int32Array(oneNumber.buffer)

/**
 * Makes zeros of cosines below zero, and of those that do not count, and tells the highest, or 1 where none is above zero. By bits, since
 * a jump that goes either way as often costs as much as all the rest: the first bit is the sign, and without it numbers are in the order
 * of their bits.
 */
function keepCounted(cosine: Float32Array, counted: Uint8Array, length: number): number {
  const bits = new Int32Array(cosine.buffer, cosine.byteOffset, cosine.length)
  let top = 0
  for (let row = 0; row < length; row++) {
    const value = bits[row] as number
    const kept = value & ~(value >> 31) & -(counted[row] as number)
    bits[row] = kept
    if (kept > top) top = kept
  }
  oneInBits[0] = top
  return top === 0 ? 1 : (oneNumber[0] as number)
}

/** The highest value, or 1 where none is above zero, so that it can be divided by. */
function highest(values: Float32Array, length: number): number {
  let top = 0
  for (let i = 0; i < length; i++) {
    const value = values[i] as number
    if (value > top) top = value
  }
  return top === 0 ? 1 : top
}

/** The same; apart, since a loop that meets arrays of one kind alone takes half as long. */
function highestSession(scores: Float64Array): number {
  let top = 0
  for (const score of scores) if (score > top) top = score
  return top === 0 ? 1 : top
}

import { TextTrait } from '@keepsake/text'
import { NONE, ROLE_CODES } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import { RETRIEVAL_PARTS, type RetrievalPart } from './retrieval-recipe.ts'

export const DAY_MS = 86_400_000

/** Meaning is vaguer than a word, so it is borrowed from the nearest turns only. */
export const MEANING_WINDOW = { before: 0.7, after: 0.6 } as const
/** People tell of a day within some days after it, and announce it shortly before. */
const TIME_MARGIN = { before: 3 * DAY_MS, after: 10 * DAY_MS } as const
const NEAR_THE_TIME = 0.5
/** What it counts for when the other half of an exchange holds the kind of thing asked for. */
const EXPECTED_BESIDE = 0.4
/** What it counts for when somebody who is asked about is told of by the agent, who does not tell of itself. */
const TOLD_OF = 0.5
export const RECENCY_HALF_LIFE = 30 * DAY_MS
/** Days after which a document is as old as any. */
export const OLDEST_DAY = 1_000
/** A turn of this many content terms has as much to say as any. */
export const FULL_LENGTH = 50
/** A turn that says so many things for the first time says as much that is new as any. */
export const FULL_NOVELTY = 15
/** What is drawn from turns repeats them: it is neither the first to say something nor a mere repetition. */
export const NOVELTY_OF_A_MEMORY = 0.5

const MOST_WEIGHTS = 64

/** Looked up, since each is asked for once a document. */
const BY_LENGTH = logarithms(FULL_LENGTH)
const BY_NOVELTY = logarithms(FULL_NOVELTY)
const BY_AGE = Float64Array.from(
  { length: OLDEST_DAY },
  (_, day) => 0.5 ** ((day * DAY_MS) / RECENCY_HALF_LIFE),
)

/** The logarithm of 0 … `full`, as a share of the greatest. */
function logarithms(full: number): Float64Array {
  return Float64Array.from({ length: full + 1 }, (_, count) => Math.log1p(count) / Math.log1p(full))
}

/** Shares times a weight, kept from one search to the next: recipes have few weights. */
class Weighed {
  readonly #shares: Float64Array
  readonly #kept = new Map<number, Float64Array>()

  constructor(shares: Float64Array) {
    this.#shares = shares
  }

  by(weight: number): Float64Array {
    const known = this.#kept.get(weight)
    if (known !== undefined) return known
    if (this.#kept.size >= MOST_WEIGHTS) this.#kept.clear()
    const weighed = this.#shares.map((share) => weight * share)
    this.#kept.set(weight, weighed)
    return weighed
  }
}

/** What a document gets for so many terms, up to {@link FULL_LENGTH}. */
export const LENGTH_SHARES = new Weighed(BY_LENGTH)
/** What a turn gets that says so many things for the first time, up to {@link FULL_NOVELTY}. */
export const NOVELTY_SHARES = new Weighed(BY_NOVELTY)
/** What a document gets that is so many days old. */
export const AGE_SHARES = new Weighed(BY_AGE)

/** Rows whose parts are added up: `sums[i]` is of the row `at[i]`, or of the row `i` where all are. */
export interface RowSums {
  readonly at: Int32Array | null
  readonly sums: Float64Array
}

/**
 * Adds what a part gives each row, about 0 to 1, times its weight. Each has a loop of its own, since it runs over every
 * document of a person for each question: a call a row and part takes five times as long.
 */
type AddPart = (matches: Matches, weight: number, rows: RowSums) => void

const ADD_PART: Readonly<Record<RetrievalPart, AddPart>> = {
  lexical: ({ own, topWords }, weight, rows) => addShares(own, topWords, weight, rows),
  semantic: ({ cosine, topCosine }, weight, rows) => {
    if (cosine !== undefined) addShares(cosine, topCosine, weight, rows)
  },
  neighbours: addNeighbours,
  coverage: ({ held, rarity }, weight, rows) => addShares(held, rarity || 1, weight, rows),
  session: addSession,
  speaker: addSpeaker,
  time: addTime,
  expected: addExpected,
  exchange: addExchange,
  length: addLength,
  novelty: addNovelty,
  asking: addAsking,
  recency: addRecency,
}

/** A part of a recipe, for one question. */
export interface ActivePart {
  readonly name: RetrievalPart
  readonly weight: number
  readonly add: AddPart
}

/** The recipe's parts that can give anything for this question. */
export function activeParts({ recipe, question, cosine, speakers, roleCode }: Matches): ActivePart[] {
  const says: Readonly<Partial<Record<RetrievalPart, boolean>>> = {
    semantic: cosine !== undefined,
    speaker: speakers.size > 0 || roleCode !== NONE,
    time: question.read.ranges.length > 0,
    expected: question.read.expected !== 0,
  }
  return RETRIEVAL_PARTS.filter((name) => recipe.weights[name] !== 0 && says[name] !== false).map((name) => ({
    name,
    weight: recipe.weights[name],
    add: ADD_PART[name],
  }))
}

function addShares(column: Float32Array, whole: number, weight: number, { at, sums }: RowSums): void {
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    sums[i] = (sums[i] ?? 0) + weight * ((column[row] ?? 0) / whole)
  }
}

/** What the turns around add to the turn's own words and meaning, on the scale of the parts it adds to. */
function addNeighbours(matches: Matches, weight: number, { at, sums }: RowSums): void {
  const { table, recipe, cosine, topCosine, own, window, topWords } = matches
  const { previous, next } = table
  const { lexical, semantic } = recipe.weights
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    let value = (lexical * ((window[row] ?? 0) - (own[row] ?? 0))) / topWords
    if (cosine !== undefined) {
      const before: number = previous[row] ?? NONE
      const after: number = next[row] ?? NONE
      const earlier = before === NONE ? 0 : (cosine[before] ?? 0) * MEANING_WINDOW.before
      const later = after === NONE ? 0 : (cosine[after] ?? 0) * MEANING_WINDOW.after
      const around = earlier > later ? earlier : later
      const itself = cosine[row] ?? 0
      if (around > itself) value += (semantic * (around - itself)) / topCosine
    }
    sums[i] = (sums[i] ?? 0) + weight * value
  }
}

function addSession(matches: Matches, weight: number, { at, sums }: RowSums): void {
  const { table, sessionScores, topSession } = matches
  const { sessionOf } = table
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    sums[i] = (sums[i] ?? 0) + weight * ((sessionScores[sessionOf[row] ?? 0] ?? 0) / topSession)
  }
}

function addSpeaker(matches: Matches, weight: number, { at, sums }: RowSums): void {
  const { isAsked, speakers, roleCode } = matches
  const { roles, speakers: speakerOf, traits } = matches.table
  const isByName = speakers.size > 0
  const mayBeToldOf = !isByName && roleCode === ROLE_CODES.user
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    const speaker: number = speakerOf[row] ?? NONE
    const isMeant = isByName ? speaker !== NONE && isAsked[speaker] === 1 : roles[row] === roleCode
    if (isMeant) sums[i] = (sums[i] ?? 0) + weight
    else if (
      mayBeToldOf &&
      roles[row] === ROLE_CODES.agent &&
      ((traits[row] ?? 0) & TextTrait.firstPerson) === 0
    )
      sums[i] = (sums[i] ?? 0) + weight * TOLD_OF
  }
}

function addTime({ table, question }: Matches, weight: number, { at, sums }: RowSums): void {
  for (let i = 0; i < sums.length; i++) {
    const said = table.at[at === null ? i : (at[i] ?? 0)] ?? 0
    let value = 0
    for (const range of question.read.ranges) {
      if (said >= range.from && said < range.to) value = 1
      else if (said >= range.from - TIME_MARGIN.before && said < range.to + TIME_MARGIN.after)
        value = Math.max(value, NEAR_THE_TIME)
    }
    sums[i] = (sums[i] ?? 0) + weight * value
  }
}

function addExpected({ table, counted, question }: Matches, weight: number, { at, sums }: RowSums): void {
  const { expected } = question.read
  const { traits } = table
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    if (((traits[row] ?? 0) & expected) !== 0) {
      sums[i] = (sums[i] ?? 0) + weight
      continue
    }
    const beside = otherHalf(table, row)
    if (beside !== NONE && counted[beside] === 1 && ((traits[beside] ?? 0) & expected) !== 0)
      sums[i] = (sums[i] ?? 0) + weight * EXPECTED_BESIDE
  }
}

/** The user's turn after an agent's, the agent's turn before a user's. */
function otherHalf({ roles, next, previous }: Matches['table'], row: number): number {
  const isAgent = roles[row] === ROLE_CODES.agent
  const beside = (isAgent ? next : previous)[row] ?? NONE
  return beside !== NONE && (roles[beside] === ROLE_CODES.agent) !== isAgent ? beside : NONE
}

function addExchange(matches: Matches, weight: number, { at, sums }: RowSums): void {
  const { own, topWords, counted } = matches
  const { previous, traits } = matches.table
  for (let i = 0; i < sums.length; i++) {
    const before: number = previous[at === null ? i : (at[i] ?? 0)] ?? NONE
    if (before === NONE || counted[before] !== 1 || ((traits[before] ?? 0) & TextTrait.asks) === 0) continue
    sums[i] = (sums[i] ?? 0) + weight * ((own[before] ?? 0) / topWords)
  }
}

function addLength({ table }: Matches, weight: number, { at, sums }: RowSums): void {
  const { lengths } = table
  for (let i = 0; i < sums.length; i++) {
    const length = lengths[at === null ? i : (at[i] ?? 0)] ?? 0
    sums[i] = (sums[i] ?? 0) + weight * (BY_LENGTH[Math.min(FULL_LENGTH, length)] ?? 0)
  }
}

/** The logarithm of the number of terms it is the first to say, without those that the question gives away. */
function addNovelty(matches: Matches, weight: number, { at, sums }: RowSums): void {
  const { firsts, firstsAsked } = matches
  const { isTurn } = matches.table
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    let value = NOVELTY_OF_A_MEMORY
    if (isTurn[row] === 1) {
      const terms = (firsts[row] ?? 0) - (firstsAsked[row] ?? 0)
      value = BY_NOVELTY[terms < FULL_NOVELTY ? terms : FULL_NOVELTY] ?? 0
    }
    sums[i] = (sums[i] ?? 0) + weight * value
  }
}

function addAsking({ table }: Matches, weight: number, { at, sums }: RowSums): void {
  const { traits } = table
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    if (((traits[row] ?? 0) & TextTrait.asks) !== 0) sums[i] = (sums[i] ?? 0) + weight
  }
}

/** By whole days; what lies in the future is of today. */
function addRecency({ table, options }: Matches, weight: number, { at, sums }: RowSums): void {
  const { at: said } = table
  for (let i = 0; i < sums.length; i++) {
    const row = at === null ? i : (at[i] ?? 0)
    const days = Math.max(0, options.now - (said[row] ?? 0)) / DAY_MS
    if (days < OLDEST_DAY) sums[i] = (sums[i] ?? 0) + weight * (BY_AGE[days | 0] ?? 0)
  }
}

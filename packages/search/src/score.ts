// Computes the named score parts of matched documents.
import { NONE, ROLE_CODES, type Documents } from './documents.ts'
import type { Match } from './match-types.ts'
import { PART, PART_COUNT } from './recipe.ts'
import { DocumentTrait, type TimeRange } from './search-types.ts'

const DAY_MS = 86_400_000
/** Shares of the cosine of the turn before and of the turn after. Meaning is vaguer than words, so only these two neighbours count. */
const MEANING_BEFORE = 0.7
const MEANING_AFTER = 0.6
/** Turns within this margin of a time may be about it: people announce events shortly before, and report them days after. */
const TIME_MARGIN = { before: 3 * DAY_MS, after: 10 * DAY_MS } as const
/** Share of the part `time` within that margin. */
const NEAR_THE_TIME = 0.5
/** Share of the part `expected` when only the other half of an exchange holds an expected trait. */
const EXPECTED_IN_OTHER_HALF = 0.4
/** Share of the part `speaker` for what the agent says about the user. */
const ABOUT_THE_USER = 0.5
const RECENCY_HALF_LIFE_DAYS = 30
/** From this age on the part `recency` is 0. */
const OLDEST_DAY = 1_000
/** A document of this many terms has the full length. */
const FULL_LENGTH = 50
/** A turn that is the first to say this many terms is fully novel. */
const FULL_NOVELTY = 15
/** Share of the part `novelty` for memories. They restate turns, so they are neither the first to say something nor a repetition. */
const NOVELTY_OF_A_MEMORY = 0.5

const LENGTH_SHARES = logarithms(FULL_LENGTH)
const NOVELTY_SHARES = logarithms(FULL_NOVELTY)
const RECENCY_SHARES = Float64Array.from(
  { length: OLDEST_DAY },
  (_, day) => 0.5 ** (day / RECENCY_HALF_LIFE_DAYS),
)

/** Returns ln(1 + count) / ln(1 + full) for counts from 0 to `full`. */
function logarithms(full: number): Float64Array {
  return Float64Array.from({ length: full + 1 }, (_, count) => Math.log1p(count) / Math.log1p(full))
}

/** The columns that scores are written to. */
export interface ScoreColumns {
  /** The sum of all parts but the speaker's. */
  readonly sums: Float64Array
  /** The sum of all parts. */
  readonly scores: Float64Array
  /** The parts of each row, laid out as `PART_COUNT` says. If absent, only the sums are written. */
  readonly parts?: Float64Array
}

/**
 * Scores documents. Each part is a value of about 0 to 1, times its weight in the recipe. All parts are computed in one loop, since a
 * search runs it for each document.
 *
 * @param rows rows to score, in the order of `columns`, or `null` for all. Nothing is written for documents out of reach
 */
export function scoreRows(match: Match, rows: readonly number[] | null, columns: ScoreColumns): void {
  const { documents, inReach, wordScores, windowScores, heldRarity, cosine, firstsInQuery, query, options } =
    match
  const { previous, next, sessionOf, traits, lengths, isTurn, firsts, at } = documents
  const { weights } = match.recipe
  const {
    lexical: lexicalWeight,
    semantic: semanticWeight,
    neighbours: neighbourWeight,
    coverage: coverageWeight,
    exchange: exchangeWeight,
    length: lengthWeight,
    novelty: noveltyWeight,
    asking: askingWeight,
    recency: recencyWeight,
  } = weights
  const { asks } = DocumentTrait
  const { now } = options
  const { sums, scores, parts } = columns
  const { topWords, topCosine } = match
  const rarity = match.rarity || 1
  const sessionParts = match.sessionScores.map((score) => weights.session * (score / match.topSession))
  const { expectedTraits = 0, timeRanges = [] } = query
  const expectedWeight = expectedTraits === 0 ? 0 : weights.expected
  const timeWeight = timeRanges.length === 0 ? 0 : weights.time
  const speakerWeight = match.isWantedSpeaker === null && match.role === NONE ? 0 : weights.speaker
  const count = rows === null ? documents.length : rows.length
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number)
    if (inReach[row] === 0) continue
    const words = wordScores[row] as number
    const meaning = cosine[row] as number
    const before = previous[row] as number
    const after = next[row] as number
    const earlier = before === NONE ? 0 : MEANING_BEFORE * (cosine[before] as number)
    const later = after === NONE ? 0 : MEANING_AFTER * (cosine[after] as number)
    const neighbourMeaning = earlier > later ? earlier : later
    const windowMeaning = neighbourMeaning > meaning ? neighbourMeaning : meaning
    const asksBefore = before !== NONE && ((traits[before] as number) & asks) !== 0 && inReach[before] === 1
    const trait = traits[row] as number
    const newTerms = (firsts[row] as number) - (firstsInQuery[row] as number)
    const age = now - (at[row] as number)
    const days = age > 0 ? age / DAY_MS : 0

    const lexical = lexicalWeight * (words / topWords)
    const semantic = semanticWeight * (meaning / topCosine)
    const neighbours =
      neighbourWeight *
      ((lexicalWeight * ((windowScores[row] as number) - words)) / topWords +
        (semanticWeight * (windowMeaning - meaning)) / topCosine)
    const coverage = coverageWeight * ((heldRarity[row] as number) / rarity)
    const session = sessionParts[sessionOf[row] as number] as number
    const speaker = speakerWeight === 0 ? 0 : speakerWeight * speakerShare(match, row)
    const time = timeWeight === 0 ? 0 : timeWeight * timeShare(at[row] as number, timeRanges)
    const expected = expectedWeight === 0 ? 0 : expectedWeight * expectedShare(match, row, expectedTraits)
    const exchange = asksBefore ? exchangeWeight * ((wordScores[before] as number) / topWords) : 0
    const length = lengthWeight * (LENGTH_SHARES[Math.min(FULL_LENGTH, lengths[row] as number)] as number)
    const novelty = noveltyWeight * (isTurn[row] === 1 ? noveltyShare(newTerms) : NOVELTY_OF_A_MEMORY)
    const asking = (trait & asks) === 0 ? 0 : askingWeight
    const recency = days < OLDEST_DAY ? recencyWeight * (RECENCY_SHARES[days | 0] as number) : 0

    const sum =
      lexical +
      semantic +
      neighbours +
      coverage +
      session +
      time +
      expected +
      exchange +
      length +
      novelty +
      asking +
      recency
    sums[i] = sum
    scores[i] = sum + speaker
    if (parts === undefined) continue
    const first = i * PART_COUNT
    parts[first + PART.lexical] = lexical
    parts[first + PART.semantic] = semantic
    parts[first + PART.neighbours] = neighbours
    parts[first + PART.coverage] = coverage
    parts[first + PART.session] = session
    parts[first + PART.speaker] = speaker
    parts[first + PART.time] = time
    parts[first + PART.expected] = expected
    parts[first + PART.exchange] = exchange
    parts[first + PART.length] = length
    parts[first + PART.novelty] = novelty
    parts[first + PART.asking] = asking
    parts[first + PART.recency] = recency
  }
}

/** Returns the share for a number of new terms. It can be negative, since misspelt words of a query may match one term of a turn twice. */
function noveltyShare(newTerms: number): number {
  return NOVELTY_SHARES[Math.min(FULL_NOVELTY, Math.max(0, newTerms))] as number
}

/** Returns 1 for a wanted speaker or role, and a smaller share for an agent that speaks about the user. */
function speakerShare({ documents, isWantedSpeaker, role }: Match, row: number): number {
  const { roles, speakerOf, traits } = documents
  if (isWantedSpeaker !== null) return isWantedSpeaker[speakerOf[row] as number] === 1 ? 1 : 0
  if (roles[row] === role) return 1
  const isAboutUser =
    role === ROLE_CODES.user &&
    roles[row] === ROLE_CODES.assistant &&
    ((traits[row] as number) & DocumentTrait.firstPerson) === 0
  return isAboutUser ? ABOUT_THE_USER : 0
}

/** Returns 1 within a time range, and a smaller share near one. */
function timeShare(time: number, ranges: readonly TimeRange[]): number {
  let share = 0
  for (const { from, to } of ranges) {
    if (time >= from && time < to) return 1
    if (time >= from - TIME_MARGIN.before && time < to + TIME_MARGIN.after) share = NEAR_THE_TIME
  }
  return share
}

/** Returns 1 if the document has an expected trait, and a smaller share if only the other half of its exchange has one. */
function expectedShare({ documents, inReach }: Match, row: number, expected: number): number {
  const { traits } = documents
  if (((traits[row] as number) & expected) !== 0) return 1
  const other = findOtherHalf(documents, row)
  const hasTrait = other !== NONE && inReach[other] === 1 && ((traits[other] as number) & expected) !== 0
  return hasTrait ? EXPECTED_IN_OTHER_HALF : 0
}

/** Returns the user's turn after an agent's, or the agent's turn before a user's. */
function findOtherHalf({ roles, next, previous }: Documents, row: number): number {
  const isAgent = roles[row] === ROLE_CODES.assistant
  const neighbour = (isAgent ? next : previous)[row] as number
  const isOtherHalf = neighbour !== NONE && (roles[neighbour] === ROLE_CODES.assistant) !== isAgent
  return isOtherHalf ? neighbour : NONE
}

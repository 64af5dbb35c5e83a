// Computes the named score parts of matched documents.
import { NONE, ROLE_CODES, type Documents } from './documents.ts'
import type { Match } from './match.ts'
import { RETRIEVAL_PARTS } from './recipe.ts'
import { DocumentTrait, type TimeRange } from './search-types.ts'

const DAY_MS = 86_400_000
/** Meaning is vaguer than words, so only the nearest turns lend it. */
const MEANING_BEFORE = 0.7
const MEANING_AFTER = 0.6
/** Events are announced shortly before, and reported some days after. */
const TIME_MARGIN = { before: 3 * DAY_MS, after: 10 * DAY_MS } as const
const NEAR_THE_TIME = 0.5
/** Share of the part `expected` when only the other half of an exchange holds an expected trait. */
const EXPECTED_BESIDE = 0.4
/** Share of the part `speaker` for what the agent says about the user. */
const ABOUT_THE_USER = 0.5
const RECENCY_HALF_LIFE_DAYS = 30
/** From this age on the part `recency` is 0. */
const OLDEST_DAY = 1_000
/** A document of this many terms has the full length. */
const FULL_LENGTH = 50
/** A turn that is the first to say this many terms is fully novel. */
const FULL_NOVELTY = 15
/** Memories repeat turns: they are neither first nor mere repetitions. */
const NOVELTY_OF_A_MEMORY = 0.5

export const PART_COUNT: number = RETRIEVAL_PARTS.length

const LENGTH_SHARES = logarithms(FULL_LENGTH)
const NOVELTY_SHARES = logarithms(FULL_NOVELTY)
const RECENCY_SHARES = Float64Array.from(
  { length: OLDEST_DAY },
  (_, day) => 0.5 ** (day / RECENCY_HALF_LIFE_DAYS),
)

/** ln(1 + count) / ln(1 + full) for counts from 0 to `full`. */
function logarithms(full: number): Float64Array {
  return Float64Array.from({ length: full + 1 }, (_, count) => Math.log1p(count) / Math.log1p(full))
}

/** The columns that scores are written to. */
export interface ScoreColumns {
  /** The sum of all parts but the speaker's. */
  readonly sums: Float64Array
  /** The sum of all parts. */
  readonly scores: Float64Array
  /** All parts of each row in the order of `RETRIEVAL_PARTS`, when they are wanted. */
  readonly parts?: Float64Array
}

/**
 * Scores documents: each part gives about 0 to 1, times its weight in the recipe.
 *
 * @param rows rows to score, written in their order; `null` for all, of which those out of reach are left as they are
 */
export function scoreRows(match: Match, rows: readonly number[] | null, columns: ScoreColumns): void {
  const { documents, inReach, own, window, held, cosine, firstsInQuery, query, options } = match
  const { previous, next, sessionOf, traits, lengths, isTurn, firsts, at } = documents
  const { weights } = match.recipe
  const {
    neighbours: perLent,
    length: perLength,
    novelty: perNovelty,
    asking: ofAsking,
    recency: perRecency,
  } = weights
  const { asks } = DocumentTrait
  const { now } = options
  const { sums, scores, parts } = columns
  const { lexical: perWord, semantic: perMeaning, coverage: perHeld, exchange: perAnswered } = weights
  const { topWords, topCosine } = match
  const rarity = match.rarity || 1
  const bySession = match.sessionScores.map((score) => weights.session * (score / match.topSession))
  const { expectedTraits = 0, timeRanges = [] } = query
  const perExpected = expectedTraits === 0 ? 0 : weights.expected
  const perTime = timeRanges.length === 0 ? 0 : weights.time
  const perSpeaker = match.isWantedSpeaker === null && match.role === NONE ? 0 : weights.speaker
  const count = rows === null ? documents.length : rows.length
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number)
    if (inReach[row] === 0) continue
    const words = own[row] as number
    const meaning = cosine[row] as number
    const before = previous[row] as number
    const after = next[row] as number
    const earlier = before === NONE ? 0 : MEANING_BEFORE * (cosine[before] as number)
    const later = after === NONE ? 0 : MEANING_AFTER * (cosine[after] as number)
    const lent = earlier > later ? earlier : later
    const around = lent > meaning ? lent : meaning
    const asksBefore = before !== NONE && ((traits[before] as number) & asks) !== 0 && inReach[before] === 1
    const trait = traits[row] as number
    const news = (firsts[row] as number) - (firstsInQuery[row] as number)
    const age = now - (at[row] as number)
    const days = age > 0 ? age / DAY_MS : 0

    const lexical = perWord * (words / topWords)
    const semantic = perMeaning * (meaning / topCosine)
    const neighbours =
      perLent *
      ((perWord * ((window[row] as number) - words)) / topWords +
        (perMeaning * (around - meaning)) / topCosine)
    const coverage = perHeld * ((held[row] as number) / rarity)
    const session = bySession[sessionOf[row] as number] as number
    const speaker = perSpeaker === 0 ? 0 : perSpeaker * speakerShare(match, row)
    const time = perTime === 0 ? 0 : perTime * timeShare(at[row] as number, timeRanges)
    const expected = perExpected === 0 ? 0 : perExpected * expectedShare(match, row, expectedTraits)
    const exchange = asksBefore ? perAnswered * ((own[before] as number) / topWords) : 0
    const length = perLength * (LENGTH_SHARES[Math.min(FULL_LENGTH, lengths[row] as number)] as number)
    const novelty = perNovelty * (isTurn[row] === 1 ? noveltyShare(news) : NOVELTY_OF_A_MEMORY)
    const asking = (trait & asks) === 0 ? 0 : ofAsking
    const recency = days < OLDEST_DAY ? perRecency * (RECENCY_SHARES[days | 0] as number) : 0

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
    let index = i * PART_COUNT
    parts[index++] = lexical
    parts[index++] = semantic
    parts[index++] = neighbours
    parts[index++] = coverage
    parts[index++] = session
    parts[index++] = speaker
    parts[index++] = time
    parts[index++] = expected
    parts[index++] = exchange
    parts[index++] = length
    parts[index++] = novelty
    parts[index++] = asking
    parts[index++] = recency
  }
}

/** Misspelt words of a query may name more of a turn's first terms than it has. */
function noveltyShare(news: number): number {
  return NOVELTY_SHARES[Math.min(FULL_NOVELTY, Math.max(0, news))] as number
}

/** 1 for a wanted speaker or role; something for an agent that speaks about the user. */
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

/** 1 within a time range, something near it. */
function timeShare(time: number, ranges: readonly TimeRange[]): number {
  let share = 0
  for (const { from, to } of ranges) {
    if (time >= from && time < to) return 1
    if (time >= from - TIME_MARGIN.before && time < to + TIME_MARGIN.after) share = NEAR_THE_TIME
  }
  return share
}

/** 1 when the document has an expected trait, something when the other half of its exchange has. */
function expectedShare({ documents, inReach }: Match, row: number, expected: number): number {
  const { traits } = documents
  if (((traits[row] as number) & expected) !== 0) return 1
  const beside = otherHalf(documents, row)
  const has = beside !== NONE && inReach[beside] === 1 && ((traits[beside] as number) & expected) !== 0
  return has ? EXPECTED_BESIDE : 0
}

/** The user's turn after an agent's, or the agent's turn before a user's. */
function otherHalf({ roles, next, previous }: Documents, row: number): number {
  const isAgent = roles[row] === ROLE_CODES.assistant
  const beside = (isAgent ? next : previous)[row] as number
  return beside !== NONE && (roles[beside] === ROLE_CODES.assistant) !== isAgent ? beside : NONE
}

import { TextTrait } from '../text/text-traits.ts'
import { NONE, ROLE_CODES } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import { RETRIEVAL_PARTS, type RetrievalPart } from './retrieval-recipe.ts'

/** Meaning is vaguer than a word, so it is borrowed from the nearest turns only. */
export const MEANING_WINDOW = { before: 0.7, after: 0.6 } as const
const DAY_MS = 86_400_000
/** People tell of a day within some days after it, and announce it shortly before. */
const TIME_MARGIN = { before: 3 * DAY_MS, after: 10 * DAY_MS } as const
const NEAR_THE_TIME = 0.5
/** A turn of this many content terms has as much to say as any. */
export const FULL_LENGTH = 50
export const RECENCY_HALF_LIFE = 30 * DAY_MS

/** What each part gives a row, about 0 to 1, before its weight. */
const MEASURES: Readonly<Record<RetrievalPart, (matches: Matches, row: number) => number>> = {
  lexical: (m, row) => (m.own[row] ?? 0) / m.topWords,
  semantic: (m, row) => (m.cosine?.[row] ?? 0) / m.topCosine,
  neighbours: measureNeighbours,
  coverage: (m, row) => (m.held[row] ?? 0) / (m.rarity || 1),
  session: (m, row) => (m.sessionScores[m.table.sessionOf[row] ?? NONE] ?? 0) / m.topSession,
  speaker: measureSpeaker,
  time: measureTime,
  expected: measureExpected,
  exchange: measureExchange,
  length: (m, row) => LENGTH_VALUES[Math.min(FULL_LENGTH, m.table.lengths[row] ?? 0)] ?? 1,
  novelty: measureNovelty,
  asking: (m, row) => (((m.table.traits[row] ?? 0) & TextTrait.asks) === 0 ? 0 : 1),
  recency: measureRecency,
  importance: (m, row) => m.table.importance[row] ?? 0,
}

/** The logarithm of a length, 0 to 1, looked up: it is asked for once a document. */
export const LENGTH_VALUES = Float64Array.from(
  { length: FULL_LENGTH + 1 },
  (_, length) => Math.log1p(length) / Math.log1p(FULL_LENGTH),
)

/** A turn that says so many things for the first time says as much that is new as any. */
export const FULL_NOVELTY = 15
/** What is drawn from turns repeats them: it is neither the first to say something nor a mere repetition. */
const NOVELTY_OF_A_MEMORY = 0.5
export const NOVELTY_VALUES = Float64Array.from(
  { length: FULL_NOVELTY + 1 },
  (_, terms) => Math.log1p(terms) / Math.log1p(FULL_NOVELTY),
)

/** What it counts for when the other half of an exchange holds the kind of thing asked for. */
const EXPECTED_BESIDE = 0.4

/** Days after which a document is as old as any. */
const OLDEST_DAY = 1_000
const RECENCY_VALUES = Float64Array.from(
  { length: OLDEST_DAY },
  (_, day) => 0.5 ** ((day * DAY_MS) / RECENCY_HALF_LIFE),
)

/** How recent something of this age in milliseconds is, by whole days; what lies in the future is of today. */
export function recencyOf(age: number): number {
  if (age <= 0) return 1
  return age >= OLDEST_DAY * DAY_MS ? 0 : (RECENCY_VALUES[(age / DAY_MS) | 0] ?? 0)
}

export interface WeighedPart {
  readonly name: RetrievalPart
  readonly weight: number
  readonly measure: (matches: Matches, row: number) => number
}

/** The recipe's parts that can give anything for this question. */
export function activeParts(matches: Matches): WeighedPart[] {
  const { recipe, question, cosine, speakers, roleCode } = matches
  const says: Readonly<Partial<Record<RetrievalPart, boolean>>> = {
    semantic: cosine !== undefined,
    speaker: speakers.size > 0 || roleCode !== NONE,
    time: question.read.ranges.length > 0,
    expected: question.read.expected !== 0,
  }
  return RETRIEVAL_PARTS.filter((name) => recipe.weights[name] !== 0 && says[name] !== false).map((name) => ({
    name,
    weight: recipe.weights[name],
    measure: MEASURES[name],
  }))
}

/** Parts in which one document can be best at all; what the turns around or the clock add is not asked of it. */
const ASKED_OF_THE_BEST: ReadonlySet<RetrievalPart> = new Set([
  'lexical',
  'semantic',
  'coverage',
  'session',
  'speaker',
  'time',
  'expected',
  'length',
  'novelty',
])

/** What a document would score that is best in every part that has something to say on the question. */
export function possibleScore(parts: readonly WeighedPart[]): number {
  return parts.reduce((sum, { name, weight }) => sum + (ASKED_OF_THE_BEST.has(name) ? weight : 0), 0) || 1
}

/** What the turns around add to the turn's own words and meaning, on the scale of the parts it adds to. */
function measureNeighbours(matches: Matches, row: number): number {
  const { table, recipe, cosine, topCosine, own, window, topWords } = matches
  const { lexical, semantic } = recipe.weights
  const words = (lexical * ((window[row] ?? 0) - (own[row] ?? 0))) / topWords
  if (cosine === undefined) return words
  const itself = cosine[row] ?? 0
  const before = (cosine[table.previous[row] ?? NONE] ?? 0) * MEANING_WINDOW.before
  const after = (cosine[table.next[row] ?? NONE] ?? 0) * MEANING_WINDOW.after
  const around = before > after ? before : after
  return around > itself ? words + (semantic * (around - itself)) / topCosine : words
}

export function measureSpeaker({ table, isAsked, speakers, roleCode }: Matches, row: number): number {
  if (speakers.size > 0) return isAsked[table.speakers[row] ?? NONE] ?? 0
  return table.roles[row] === roleCode ? 1 : 0
}

export function measureTime({ table, question }: Matches, row: number): number {
  const at = table.at[row] ?? 0
  let value = 0
  for (const { from, to } of question.read.ranges) {
    if (at >= from && at < to) return 1
    if (at >= from - TIME_MARGIN.before && at < to + TIME_MARGIN.after) value = NEAR_THE_TIME
  }
  return value
}

/** The logarithm of the number of terms it is the first to say, without those that the question gives away. */
export function measureNovelty({ table, own, firsts, firstsAsked }: Matches, row: number): number {
  if (table.isTurn[row] === 0) return NOVELTY_OF_A_MEMORY
  const asked = own[row] === 0 ? 0 : (firstsAsked.get(row) ?? 0)
  const terms = (firsts[row] ?? 0) - asked
  return NOVELTY_VALUES[terms < FULL_NOVELTY ? terms : FULL_NOVELTY] ?? 0
}

export function measureExpected({ table, counted, question }: Matches, row: number): number {
  const { expected } = question.read
  if (((table.traits[row] ?? 0) & expected) !== 0) return 1
  const beside = otherHalf(table, row)
  if (beside === NONE || counted[beside] === 0) return 0
  return ((table.traits[beside] ?? 0) & expected) === 0 ? 0 : EXPECTED_BESIDE
}

/** The user's turn after an agent's, the agent's turn before a user's. */
function otherHalf({ roles, next, previous }: Matches['table'], row: number): number {
  const isAgent = roles[row] === ROLE_CODES.agent
  const beside = (isAgent ? next : previous)[row] ?? NONE
  return beside !== NONE && (roles[beside] === ROLE_CODES.agent) !== isAgent ? beside : NONE
}

function measureExchange({ table, own, topWords, counted }: Matches, row: number): number {
  const before = table.previous[row] ?? NONE
  if (before === NONE || counted[before] === 0) return 0
  return ((table.traits[before] ?? 0) & TextTrait.asks) === 0 ? 0 : (own[before] ?? 0) / topWords
}

function measureRecency({ table, options }: Matches, row: number): number {
  return recencyOf(options.now - (table.at[row] ?? 0))
}

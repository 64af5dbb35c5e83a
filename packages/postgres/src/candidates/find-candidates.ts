import {
  NotFoundError,
  type CandidateQuestion,
  type CandidateTerm,
  type FoundCandidates,
  type WholeCounts,
} from 'keepsake/store-kit'
import type { Sql } from '../connection/sql.ts'
import { name, part, Where, type SqlPart } from '../connection/sql-part.ts'
import type { Database } from '../database.ts'
import { indexRowsOf } from '../read-index.ts'
import { readCandidates } from './read-candidates.ts'
import { vectorText } from './settle-documents.ts'
import type { VectorExtension } from './vector-extension.ts'

/**
 * Entries of a question's words that are looked at, of its rarest words first: what stands in more documents tells next to nothing beside
 * them, and most of the time would go there.
 */
const MOST_ENTRIES = 40_000
/** Of each key whose facts are always shown. */
const LATEST_OF_KEY = 8

/** A question, with what the statements need of it. */
interface Searching {
  readonly question: CandidateQuestion
  readonly vectors: VectorExtension
  /** The embedder's number. */
  readonly embedder: number
}

/** Finds candidates by each way there is, and reads them with what surrounds them. */
export async function findCandidates(
  database: Database,
  vectors: VectorExtension,
  question: CandidateQuestion,
): Promise<FoundCandidates> {
  const { owner } = question
  await database.names.know([question.embedder])
  const searching = { question, vectors, embedder: database.names.numberOf(question.embedder) }
  const { raw, whole } = await database.transactions.readOn({ owner }, async (sql) => {
    const counts = await countWhole(sql, question)
    const documents = await findDocuments(sql, searching, counts)
    const { raw: rows, firstSaid } = await readCandidates(sql, owner, documents)
    return { raw: rows, whole: { ...counts, firstSaid } }
  })
  return { rows: await indexRowsOf(database, raw), whole: { ...whole, version: raw.version } }
}

type Counted = Omit<WholeCounts, 'version' | 'firstSaid'>

async function countWhole(sql: Sql, { owner, terms }: CandidateQuestion): Promise<Counted> {
  const asked = [...new Set(terms.map(({ term }) => term))]
  const [kept, sessions, holding] = await Promise.all([
    sql.get<{
      documents: number
      terms: number
      turnTerms: number
    }>`SELECT documents, terms, turn_terms AS "turnTerms"
      FROM candidates_kept WHERE owner = ${owner}`,
    sql.value<number>`SELECT count(*) FROM sessions WHERE owner = ${owner}`,
    sql.cells<readonly [string, number, number]>`SELECT term, count(*),
        count(DISTINCT scope * 1000000 + session) FILTER (WHERE document > 0) FROM candidate_words
      WHERE owner = ${owner} AND term = ANY(${asked}) GROUP BY term`,
  ])
  if (kept === undefined) throw new NotFoundError('scope', String(owner))
  return {
    ...kept,
    sessions: sessions ?? 0,
    holding: new Map(holding.map(([term, documents]) => [term, documents])),
    sessionsHolding: new Map(holding.map(([term, , held]) => [term, held])),
  }
}

async function findDocuments(sql: Sql, searching: Searching, whole: Counted): Promise<number[]> {
  const { question } = searching
  const found = await Promise.all([
    findByWords(sql, question, whole),
    findNearest(sql, searching),
    ...question.times.map((time) => findOfTime(sql, searching, time)),
    findLatestOf(sql, question, 'form', ['turn', ...question.forms]),
    findLatestOf(sql, question, 'key', question.keys),
  ])
  return [...new Set(found.flat().map(([document]) => document))]
}

type Found = readonly (readonly [document: number])[]

/** What is in reach of a question. */
function within({ owner, scopes, asOf }: CandidateQuestion): Where {
  const where = new Where().and`owner = ${owner}`.among('scope', scopes)
  return asOf === null ? where : where.and`at <= ${asOf}`
}

/** The best by BM25 of their own words, as the engine reckons it (`score-bm25.ts`). */
function findByWords(sql: Sql, question: CandidateQuestion, whole: Counted): Promise<Found> {
  const { owner, scopes, asOf, most } = question
  const telling = choose(question.terms, whole.holding)
  if (telling.length === 0) return Promise.resolve([])
  const terms = telling.map(({ term }) => term)
  const weights = telling.map(
    ({ term, weight }) => weight * rarityOf(whole.documents, whole.holding.get(term) ?? 0),
  )
  const average = whole.terms / Math.max(1, whole.documents) || 1
  const reach = new Where().and`w.owner = ${owner}`.among('w.scope', scopes)
  if (asOf !== null)
    reach.and`EXISTS (SELECT FROM candidates c WHERE c.owner = ${owner} AND c.document = w.document AND c.at <= ${asOf})`
  return sql.cells`SELECT w.document FROM unnest(${terms}::text[], ${weights}::float8[]) AS asked (term, weight)
    JOIN candidate_words w ON w.owner = ${owner} AND w.term = asked.term COLLATE "C" WHERE ${reach.part}
    GROUP BY w.document
    ORDER BY sum(asked.weight * w.count * 1.9 / (w.count + 0.9 * (0.25 + 0.75 * w.length / ${average}::float8))) DESC, abs(w.document) DESC
    LIMIT ${most.words}`
}

/** The rarest of them, as many as can be looked at; of several weights of a term the greatest. */
function choose(terms: readonly CandidateTerm[], holding: ReadonlyMap<string, number>): CandidateTerm[] {
  const weights = new Map<string, number>()
  for (const { term, weight } of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  const rarest = [...weights]
    .map(([term, weight]) => ({ term, weight, held: holding.get(term) ?? 0 }))
    .filter(({ held }) => held > 0)
    .sort((one, other) => one.held - other.held)
  let entries = 0
  return rarest.filter(({ held }, place) => {
    entries += held
    return place === 0 || entries <= MOST_ENTRIES
  })
}

/** As `inverseDocumentFrequency` of the engine. */
function rarityOf(documents: number, holding: number): number {
  return Math.log(1 + (Math.max(documents, holding) - holding + 0.5) / (holding + 0.5))
}

/** By cosine, exactly: all of the person's that are in reach are compared. */
function findNearest(sql: Sql, searching: Searching, where?: Where): Promise<Found> {
  const { question, embedder } = searching
  const order = nearestFirst(searching)
  if (order === null) return Promise.resolve([])
  const near = (where ?? within(question)).equal('embedder', embedder).and`embedding IS NOT NULL`
  return sql.cells`SELECT document FROM candidates WHERE ${near.part} ORDER BY ${order}
    LIMIT ${where === undefined ? question.most.nearest : question.most.time}`
}

function nearestFirst({ question: { vector }, vectors: { type, distance } }: Searching): SqlPart | null {
  if (vector === null) return null
  return part`embedding ${distance} ${vectorText(vector)}::${type}`
}

/** What was said in a time: the nearest to the question, and the latest where it has no vector. */
function findOfTime(
  sql: Sql,
  searching: Searching,
  { from, to }: CandidateQuestion['times'][number],
): Promise<Found> {
  const { question } = searching
  const where = within(question).equal('form', 'turn').and`at >= ${from} AND at < ${to}`
  return question.vector === null
    ? findLatest(sql, where, question.most.time)
    : findNearest(sql, searching, where)
}

/** The latest of each form, or of each key of facts. */
function findLatestOf(
  sql: Sql,
  question: CandidateQuestion,
  column: 'form' | 'key',
  values: readonly string[],
): Promise<Found> {
  const most = column === 'form' ? question.most.latest : LATEST_OF_KEY
  return sql.cells`SELECT latest.document FROM unnest(${values}::text[]) AS asked (value) CROSS JOIN LATERAL (
    SELECT document FROM candidates WHERE ${within(question).part} AND ${name(column)} = asked.value
    ORDER BY at DESC LIMIT ${most}) AS latest`
}

function findLatest(sql: Sql, where: Where, most: number): Promise<Found> {
  return sql.cells`SELECT document FROM candidates WHERE ${where.part} ORDER BY at DESC, abs(document) DESC LIMIT ${most}`
}

import { decodeTerms, decodeVector, type KeptCandidates } from 'keepsake/store-kit'
import { rowsOf, type Row, type Sql } from '../connection/sql.ts'
import { name } from '../connection/sql-part.ts'
import { numberedMemories } from '../read-memories.ts'
import { addToCounts, countOf, dropCandidates } from './drop-candidates.ts'
import type { VectorExtension } from './vector-extension.ts'

/** Where a turn stands: the key of its row. */
export type TurnPlace = readonly [scope: number, position: number]

export interface Settling {
  readonly owner: number
  readonly kept: KeptCandidates
  readonly vectors: VectorExtension
}

/** A document as it is to be found. */
interface Document {
  readonly document: number
  readonly scope: number
  readonly session: number
  readonly position: number
  readonly at: number
  readonly revision: number
  /** A memory's form, or `turn`. */
  readonly form: string
  readonly key: string | null
  readonly pending: boolean
  readonly embedder: number | null
  readonly terms: readonly string[]
  readonly vector: Float32Array | null
}

/** A longer one has no room in an index, and nobody asks for it. */
const LONGEST_TERM = 500
/** As many as the engine's own index counts. */
const MOST_COUNTED = 255

/** Has these turns found if they should be, and no longer if they should not. */
export async function settleTurns(
  sql: Sql,
  { owner, kept, vectors }: Settling,
  places: readonly TurnPlace[],
): Promise<void> {
  const [scopes, positions] = [places.map(([scope]) => scope), places.map(([, position]) => position)]
  const rows = await sql.cells<
    readonly [
      number,
      number,
      number,
      number,
      number,
      number,
      string,
      Buffer | null,
      number | null,
      boolean,
      boolean,
    ]
  >`SELECT t.turn, t.scope, t.session, t.position, t.at, t.revision, t.terms, t.vector, t.embedder,
      t.position > coalesce((SELECT p.position FROM progress p
        WHERE p.owner = ${owner} AND p.scope = t.scope AND p.branch = ${kept.branch}), 0),
      EXISTS (SELECT FROM evidence e JOIN memories m ON m.owner = e.owner AND m.memory = e.memory
        WHERE e.owner = ${owner} AND e.turn = t.turn AND m.form = 'utterance' AND m.status = 'live')
    FROM unnest(${scopes}::bigint[], ${positions}::bigint[]) AS r (scope, position)
    JOIN turns t ON t.owner = ${owner} AND t.scope = r.scope AND t.position = r.position
    WHERE t.owner = ${owner} AND t.terms IS NOT NULL`
  const meant = rows.flatMap((cells): Document[] => {
    const [document, scope, session, position, at, revision, terms, vector, embedder, pending, isKept] = cells
    if (!pending && !(isKept && kept.findsKeptTurns)) return []
    const told = { document, scope, session, position, at, revision, pending, embedder }
    return [{ ...told, form: 'turn', key: null, terms: decodeTerms(terms), vector: readVector(vector) }]
  })
  await settle(
    sql,
    { owner, kept, vectors },
    rows.map(([turn]) => turn),
    meant,
  )
}

/** The same of memories, by their numbers. */
export async function settleMemories(
  sql: Sql,
  settling: Settling,
  numbers: readonly number[],
): Promise<void> {
  const { owner, kept } = settling
  const [memories, rows] = await Promise.all([
    numberedMemories(sql, owner, numbers),
    sql.cells<
      readonly [number, number, string, Buffer | null, number | null]
    >`SELECT memory, revision, terms, vector, embedder
      FROM memory_documents WHERE owner = ${owner} AND memory = ANY(${numbers})`,
  ])
  const documents = new Map(rows.map((row) => [row[0], row]))
  const meant = memories.flatMap(({ number, memory }): Document[] => {
    const { form, status, scope, learnedAt: at, key } = memory
    const row = documents.get(number)
    if (row === undefined || status !== 'live' || !kept.forms.includes(form)) return []
    const [, revision, terms, vector, embedder] = row
    const told = { document: -number, scope, session: 0, position: 0, at, revision, pending: false, embedder }
    return [{ ...told, form, key, terms: decodeTerms(terms), vector: readVector(vector) }]
  })
  await settle(
    sql,
    settling,
    numbers.map((number) => -number),
    meant,
  )
}

function readVector(bytes: Buffer | null): Float32Array | null {
  return bytes === null ? null : decodeVector(bytes)
}

/** @param looked all that were looked at; those that are not meant are found no longer */
async function settle(
  sql: Sql,
  { owner, vectors }: Settling,
  looked: readonly number[],
  meant: readonly Document[],
): Promise<void> {
  const rows = await sql.cells<
    readonly [number, number, boolean]
  >`SELECT document, revision, pending FROM candidates
    WHERE owner = ${owner} AND document = ANY(${looked})`
  const known = new Map(rows.map(([document, revision, pending]) => [document, { revision, pending }]))
  const isAsWas = ({ document, revision }: Document): boolean => known.get(document)?.revision === revision
  const stay = new Set(meant.filter(isAsWas).map(({ document }) => document))
  await dropCandidates(
    sql,
    owner,
    [...known.keys()].filter((document) => !stay.has(document)),
  )
  const read = meant.filter(
    (one) => isAsWas(one) && !one.pending && known.get(one.document)?.pending === true,
  )
  if (read.length > 0)
    sql.send`UPDATE candidates SET pending = false WHERE owner = ${owner} AND document = ANY(${read.map(({ document }) => document)})`
  insert(
    sql,
    owner,
    vectors,
    meant.filter((one) => !isAsWas(one)),
  )
}

function insert(sql: Sql, owner: number, vectors: VectorExtension, documents: readonly Document[]): void {
  if (documents.length === 0) return
  const rows = documents.map((document) => ({ owner, ...cellsOf(document) }))
  const numbers = documents.map(({ document }) => document)
  const embeddings = documents.map(({ vector }) => (vector === null ? null : vectorText(vector)))
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((column) => (column === 'terms' ? 'r.terms::text[]' : `r.${column}`))
  sql.send`INSERT INTO candidates (${name(columns.join(', '))}, embedding)
    SELECT ${name(values.join(', '))}, e.embedding::${vectors.type} FROM ${rowsOf('candidates', columns, rows)}
    JOIN unnest(${numbers}::bigint[], ${embeddings}::text[]) AS e (document, embedding) ON e.document = r.document`
  sql.insert(
    'candidate_words',
    documents.flatMap((document) => wordsOf(owner, document)),
  )
  addToCounts(sql, owner, countOf(documents.map(({ document, terms }) => [document, terms.length])))
}

/** What stands in its row, but for the vector. */
function cellsOf({ terms, ...document }: Document) {
  const { vector: _, ...told } = document
  return { ...told, length: terms.length, terms: listOf([...new Set(terms)].filter(isIndexed)) }
}

function wordsOf(owner: number, { document, scope, session, terms }: Document): Row[] {
  const counts = new Map<string, number>()
  for (const term of terms) if (isIndexed(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return [...counts].map(([term, count]) => ({
    owner,
    term,
    document,
    scope,
    session,
    length: terms.length,
    count: Math.min(count, MOST_COUNTED),
  }))
}

function isIndexed(term: string): boolean {
  return term.length <= LONGEST_TERM
}

/** As Postgres writes lists of texts. */
function listOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
}

export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

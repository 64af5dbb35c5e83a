import {
  decodeTerms,
  decodeVector,
  NotFoundError,
  type IndexRow,
  type IndexRows,
  type Memory,
  type OwnerVersion,
  type ScopeProgress,
  type StoredMemory,
  type Turn,
} from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import type { Database } from './database.ts'
import { memoriesAfter, memoriesIndexedAfter } from './read-memories.ts'
import { progressOfAll } from './read-turns.ts'

export type ContentCells = readonly [
  id: string,
  analyser: number | null,
  embedder: number | null,
  traits: number,
  terms: string,
  vector: Buffer | null,
]
export type TurnCells = readonly [
  ...content: ContentCells,
  scope: number,
  session: string,
  position: number,
  role: Turn['role'],
  speaker: string | null,
  at: number,
]

/** Rows for the index as the database has them. */
export interface RawRows {
  readonly version: OwnerVersion
  readonly turns: readonly TurnCells[]
  readonly documents: readonly ContentCells[]
  readonly memories: readonly StoredMemory[]
  /** Memories of documents, also of those that did not change themselves. */
  readonly byId: ReadonlyMap<string, Memory>
  readonly progress: ReadonlyMap<number, ScopeProgress>
}

/**
 * What the in-memory index needs, newer than a revision, in one snapshot: turns and then memories, each in
 * order of their last writing. A memory's row has the memory's session and time, position 0 and role `other`.
 */
export async function readIndexRows(database: Database, owner: number, after: number): Promise<IndexRows> {
  const raw = await database.transactions.read({ owner }, (sql) => readRaw(sql, owner, after))
  return indexRowsOf(database, raw)
}

/** Rows as the index reads them: turns and then memories. */
export async function indexRowsOf(database: Pick<Database, 'names'>, raw: RawRows): Promise<IndexRows> {
  const { version, turns, documents, memories, byId, progress } = raw
  const numbers = [...turns, ...documents].flatMap(([, analyser, embedder]) => [analyser, embedder])
  const nameOf = await database.names.nameAll(new Set(numbers))
  const rows: IndexRow[] = turns.map((cells) => {
    const [id, , , , , , scope, session, position, role, speaker, at] = cells
    return gather(cells, { id, kind: 'turn', scope, session, position, role, speaker, at }, nameOf)
  })
  for (const cells of documents) {
    const memory = byId.get(cells[0])
    if (memory === undefined) continue
    const { id, scope, session, learnedAt: at } = memory
    const told = { position: 0, role: 'other', speaker: null, at } as const
    rows.push(gather(cells, { id, kind: 'memory', scope, session, ...told }, nameOf))
  }
  return { version, documents: rows, memories, progress }
}

async function readRaw(sql: Sql, owner: number, after: number): Promise<RawRows> {
  const [version, turns, documents, memories, others, reached] = await Promise.all([
    sql.get<OwnerVersion>`SELECT revision, epoch FROM owners WHERE owner = ${owner}`,
    sql.cells<TurnCells>`SELECT t.id, t.analyser, t.embedder, t.traits, t.terms, t.vector,
        t.scope, s.id, t.position, t.role, t.speaker, t.at
      FROM turns t JOIN sessions s ON s.owner = t.owner AND s.scope = t.scope AND s.number = t.session
      WHERE t.owner = ${owner} AND t.revision > ${after} AND t.terms IS NOT NULL ORDER BY t.revision, t.turn`,
    sql.cells<ContentCells>`SELECT m.id, d.analyser, d.embedder, d.traits, d.terms, d.vector
      FROM memory_documents d JOIN memories m ON m.owner = d.owner AND m.memory = d.memory
      WHERE d.owner = ${owner} AND d.revision > ${after} ORDER BY d.revision, d.memory`,
    memoriesAfter(sql, owner, after),
    memoriesIndexedAfter(sql, owner, after),
    progressOfAll(sql, owner),
  ])
  if (version === undefined) throw new NotFoundError('scope', String(owner))
  // A document made afresh belongs to a memory that need not have changed.
  const byId = new Map([...memories, ...others].map(({ memory }) => [memory.id, memory]))
  return { version, turns, documents, memories, byId, progress: reached }
}

type Told = Omit<IndexRow, 'traits' | 'terms' | 'vector' | 'analyser' | 'embedder'>

function gather(
  [, analyser, embedder, traits, terms, vector]: ContentCells | TurnCells,
  told: Told,
  nameOf: (number: number | null) => string | null,
): IndexRow {
  return {
    ...told,
    // Read as strings only when asked for: many documents' terms at once are very many strings.
    get terms() {
      return decodeTerms(terms)
    },
    traits,
    analyser: nameOf(analyser) ?? '',
    vector: vector === null ? null : decodeVector(vector),
    embedder: nameOf(embedder),
  }
}

/** Full-precision vectors of documents made by one embedder. */
export async function readVectors(
  { transactions, names }: Database,
  owner: number,
  documents: readonly string[],
  embedder: string,
): Promise<Map<string, Float32Array>> {
  await names.know([embedder])
  const number = names.numberOf(embedder)
  const found = await transactions.read({ owner }, async (sql) =>
    Promise.all([
      sql.cells<readonly [string, Buffer]>`SELECT id, vector FROM turns
        WHERE owner = ${owner} AND id = ANY(${documents}) AND embedder = ${number} AND vector IS NOT NULL`,
      sql.cells<readonly [string, Buffer]>`SELECT m.id, d.vector
        FROM memory_documents d JOIN memories m ON m.owner = d.owner AND m.memory = d.memory
        WHERE d.owner = ${owner} AND m.owner = ${owner} AND m.id = ANY(${documents}) AND d.embedder = ${number}
          AND d.vector IS NOT NULL`,
    ]),
  )
  return new Map(found.flat().map(([id, blob]) => [id, decodeVector(blob)]))
}

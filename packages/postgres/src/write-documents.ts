import { InvalidInputError, type NewDocument, type OwnerVersion } from 'keepsake/store-kit'
import { documentColumns } from './append-turns.ts'
import { among, rowsOf, type Sql } from './connection/sql.ts'
import { part } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { lockPerson, writePerson, type Person } from './keep-scopes.ts'
import type { Names } from './names.ts'

/** Rows that documents belong to, by kind and id: numbers of turns and memories that still have content. */
export type DocumentOwners = Readonly<Record<NewDocument['kind'], ReadonlyMap<string, number>>>

/** Names that documents are written with, to be known before the transaction. */
export function documentNames(documents: readonly NewDocument[]): (string | null)[] {
  return documents.flatMap(({ analyser, embedder }) => [analyser, embedder])
}

export async function readDocumentOwners(
  sql: Sql,
  owner: number,
  documents: readonly NewDocument[],
): Promise<DocumentOwners> {
  const ids = (kind: NewDocument['kind']): string[] =>
    documents.filter((document) => document.kind === kind).map(({ id }) => id)
  const [turns, memories] = await Promise.all([
    among(
      ids('turn'),
      (some) => sql.cells<readonly [string, number]>`SELECT id, turn FROM turns
        WHERE owner = ${owner} AND id = ANY(${some}) AND text IS NOT NULL`,
    ),
    among(
      ids('memory'),
      (some) => sql.cells<readonly [string, number]>`SELECT id, memory FROM memories
        WHERE owner = ${owner} AND id = ANY(${some}) AND status <> 'erased'`,
    ),
  ])
  return { turn: new Map(turns), memory: new Map(memories) }
}

const COLUMNS = ['revision', 'analyser', 'embedder', 'traits', 'terms', 'vector']
const AS_GIVEN = part`ON CONFLICT (owner, memory) DO UPDATE SET revision = excluded.revision, analyser = excluded.analyser,
  embedder = excluded.embedder, traits = excluded.traits, terms = excluded.terms, vector = excluded.vector`

/** Writes documents over what was there. All have their rows. */
export function writeDocuments(
  sql: Sql,
  names: Names,
  { owner, revision }: Pick<Person, 'owner' | 'revision'>,
  documents: readonly (NewDocument & { readonly row: number })[],
): void {
  // Of two for one row the later holds: one statement could not write both.
  const last = [
    ...new Map(documents.map((document) => [`${document.kind} ${document.row}`, document])).values(),
  ]
  const of = (kind: NewDocument['kind']) => last.filter((document) => document.kind === kind)
  sql.insert(
    'memory_documents',
    of('memory').map((document) => ({
      owner,
      memory: document.row,
      revision,
      ...documentColumns(names, document),
    })),
    AS_GIVEN,
  )
  const turns = of('turn').map(({ id, ...document }) => ({
    id,
    revision,
    ...documentColumns(names, document),
  }))
  if (turns.length === 0) return
  sql.send`UPDATE turns t SET revision = r.revision, analyser = r.analyser, embedder = r.embedder, traits = r.traits,
    terms = r.terms, vector = r.vector FROM ${rowsOf('turns', ['id', ...COLUMNS], turns)}
    WHERE t.owner = ${owner} AND t.id = r.id`
}

/** Each document with its row. @throws InvalidInputError for one that has none */
export function withRows(
  documents: readonly NewDocument[],
  owners: DocumentOwners,
): (NewDocument & { readonly row: number })[] {
  return documents.map((document) => {
    const row = owners[document.kind].get(document.id)
    if (row !== undefined) return { ...document, row }
    throw new InvalidInputError(
      `There is no ${document.kind} "${document.id}" that this document could belong to.`,
    )
  })
}

/** Replaces index rows; those of turns and memories erased meanwhile are passed over. */
export async function reindexDocuments(
  { transactions, names }: Database,
  owner: number,
  documents: readonly NewDocument[],
): Promise<OwnerVersion> {
  await names.know(documentNames(documents))
  return transactions.write(
    { owner },
    async (sql) => {
      const [person, owners] = await Promise.all([
        lockPerson(sql, owner),
        readDocumentOwners(sql, owner, documents),
      ])
      const next = { ...person, revision: person.revision + 1 }
      const there = documents.filter(({ kind, id }) => owners[kind].has(id))
      writeDocuments(sql, names, next, withRows(there, owners))
      writePerson(sql, next)
      return { revision: next.revision, epoch: next.epoch }
    },
    { flush: false },
  )
}

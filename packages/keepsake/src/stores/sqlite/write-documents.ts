import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import type { NewDocument } from '../store.ts'
import { encodeTerms, encodeVector } from './encode-documents.ts'
import { numberOfName } from './keep-names.ts'
import { raiseRevision } from './keep-scopes.ts'
import type { Sql } from './sql.ts'

export type DocumentKind = NewDocument['kind']

/** Which row a document belongs to (of `turns` or `memories`), and the revision it is written at. */
export interface DocumentPlace {
  readonly owner: number
  readonly revision: number
  readonly row: number
}

/** Writes a document over what was there. */
export function writeDocument(
  sql: Sql,
  kind: DocumentKind,
  place: DocumentPlace,
  document: Omit<NewDocument, 'id' | 'kind'>,
): void {
  sql.run(
    `INSERT INTO ${kind}_documents (${kind}, owner, revision, analyser, embedder, traits, terms, vector)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (${kind}) DO UPDATE SET revision = excluded.revision, analyser = excluded.analyser,
       embedder = excluded.embedder, traits = excluded.traits, terms = excluded.terms, vector = excluded.vector`,
    place.row,
    place.owner,
    place.revision,
    numberOfName(sql, document.analyser),
    document.embedder === null ? null : numberOfName(sql, document.embedder),
    document.traits,
    encodeTerms(document.terms),
    encodeVector(document.vector),
  )
}

/** The row of a turn or memory that still has content. */
export function findRow(sql: Sql, kind: DocumentKind, owner: number, id: string): number | undefined {
  const content = kind === 'turn' ? 'text IS NOT NULL' : `status <> 'erased'`
  const table = kind === 'turn' ? 'turns' : 'memories'
  return sql.value<number>(
    `SELECT ${kind} FROM ${table} WHERE owner = ? AND id = ? AND ${content}`,
    owner,
    id,
  )
}

/** Writes documents of turns and memories that are there. @throws InvalidInputError for one that is not. */
export function writeDocuments(
  sql: Sql,
  owner: number,
  revision: number,
  documents: readonly NewDocument[],
): void {
  for (const document of documents) {
    const row = findRow(sql, document.kind, owner, document.id)
    if (row === undefined) {
      throw new InvalidInputError(
        `There is no ${document.kind} "${document.id}" that this document could belong to.`,
      )
    }
    writeDocument(sql, document.kind, { owner, revision, row }, document)
  }
}

/** How many there were. */
export function deleteDocument(sql: Sql, kind: DocumentKind, row: number): number {
  return sql.run(`DELETE FROM ${kind}_documents WHERE ${kind} = ?`, row)
}

/** Replaces index rows; those of turns and memories erased meanwhile are passed over. */
export function reindexDocuments(sql: Sql, owner: number, documents: readonly NewDocument[]): void {
  sql.write(() => {
    const revision = raiseRevision(sql, owner)
    for (const document of documents) {
      const row = findRow(sql, document.kind, owner, document.id)
      if (row !== undefined) writeDocument(sql, document.kind, { owner, revision, row }, document)
    }
  })
}

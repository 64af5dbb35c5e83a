import { InvalidInputError } from '@keepsake/text'
import type { NewDocument, OwnerVersion } from '../store.ts'
import { encodeTerms, encodeVector } from './encode-documents.ts'
import { numberOfName } from './keep-names.ts'
import { raiseOwner } from './keep-scopes.ts'
import { name, type Sql, type SqlPart } from './sql.ts'

export type DocumentKind = NewDocument['kind']

/** Where a kind of document stands, and what it belongs to. */
export interface DocumentTables {
  readonly documents: SqlPart
  readonly rows: SqlPart
  /** The column that numbers both. */
  readonly row: SqlPart
}

export const TABLES: Readonly<Record<DocumentKind, DocumentTables>> = {
  turn: { documents: name('turn_documents'), rows: name('turns'), row: name('turn') },
  memory: { documents: name('memory_documents'), rows: name('memories'), row: name('memory') },
}

/** Whose rows are written, at which revision, and which of their scopes is known to be theirs. */
export interface Written {
  readonly owner: number
  readonly revision: number
  readonly scope?: number
  /** The place of the last operation in their log before these, where these are counted already. */
  readonly sequence?: number
}

/** Writes the document of a row (of `turns` or `memories`) over what was there. */
export function writeDocument(
  sql: Sql,
  kind: DocumentKind,
  written: Written & { readonly row: number },
  document: Omit<NewDocument, 'id' | 'kind'>,
): void {
  sql.upsert(TABLES[kind].documents.text, [kind], {
    [kind]: written.row,
    owner: written.owner,
    revision: written.revision,
    analyser: numberOfName(sql, document.analyser),
    embedder: document.embedder === null ? null : numberOfName(sql, document.embedder),
    traits: document.traits,
    terms: encodeTerms(document.terms),
    vector: encodeVector(document.vector),
  })
}

/** The row of a turn or memory that still has content. */
export function findRow(sql: Sql, kind: DocumentKind, owner: number, id: string): number | undefined {
  const { rows, row } = TABLES[kind]
  const content = name(kind === 'turn' ? 'text IS NOT NULL' : `status <> 'erased'`)
  return sql.value<number>`SELECT ${row} FROM ${rows} WHERE owner = ${owner} AND id = ${id} AND ${content}`
}

/** Writes documents of turns and memories that are there. @throws InvalidInputError for one that is not. */
export function writeDocuments(sql: Sql, written: Written, documents: readonly NewDocument[]): void {
  for (const document of documents) {
    const row = findRow(sql, document.kind, written.owner, document.id)
    if (row === undefined) {
      throw new InvalidInputError(
        `There is no ${document.kind} "${document.id}" that this document could belong to.`,
      )
    }
    writeDocument(sql, document.kind, { ...written, row }, document)
  }
}

/** How many there were. */
export function deleteDocument(sql: Sql, kind: DocumentKind, row: number): number {
  const { documents, row: column } = TABLES[kind]
  return sql.run`DELETE FROM ${documents} WHERE ${column} = ${row}`
}

/** Replaces index rows; those of turns and memories erased meanwhile are passed over. */
export function reindexDocuments(sql: Sql, owner: number, documents: readonly NewDocument[]): OwnerVersion {
  return sql.write(() => {
    const { version } = raiseOwner(sql, owner)
    const written = { owner, revision: version.revision }
    for (const document of documents) {
      const row = findRow(sql, document.kind, owner, document.id)
      if (row !== undefined) writeDocument(sql, document.kind, { ...written, row }, document)
    }
    return version
  })
}

// The schema of a SQLite database and its migrations, for every driver.
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { StoreError } from '../../errors/errors.ts'
import { createTables, type TableDialect } from '../sql/tables.ts'

/** `KEEP` in the file's header: it distinguishes a Keepsake file from databases of other programs. */
export const APPLICATION_ID = 0x4b454550
/** Schema version in the file's header. Files of earlier versions are refused: they are of previews. */
export const SCHEMA_VERSION = 9

const SQLITE: TableDialect = {
  integer: 'INTEGER',
  ordering: 'TEXT',
  blob: 'BLOB',
  generated: (column) => `${column} INTEGER PRIMARY KEY`,
  key: (columns) => `UNIQUE (${columns})`,
  small: ' STRICT',
  large: ' STRICT',
  ordered: ' STRICT, WITHOUT ROWID',
  appendOnly: (table, columns) => [
    `CREATE TRIGGER ${table}_cannot_change BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
      BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END`,
    `CREATE TRIGGER ${table}_cannot_go BEFORE DELETE ON ${table}
      BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END`,
  ],
}

/** Migrations by name, in order. A released migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': {
    up: async (db) => {
      for (const statement of createTables(SQLITE)) await sql.raw(statement).execute(db)
    },
  },
  // Did its work before this version. The name stays, because Kysely refuses files with unknown migrations.
  '0002-role-assistant': { up: () => Promise.resolve() },
}

interface FileSchema {
  /** Whether Keepsake made the file. */
  readonly isOwn: boolean
  readonly isEmpty: boolean
  readonly version: number
}

/** Refuses another program's database, and schemas that cannot be migrated. @throws StoreError */
export function requireSchema({ isOwn, isEmpty, version }: FileSchema, path: string): void {
  if (!isOwn && !isEmpty)
    throw new StoreError(
      'store-schema',
      `"${path}" is another program's database. It was not changed. Give another path.`,
    )
  if (version > SCHEMA_VERSION)
    throw new StoreError(
      'store-schema',
      `"${path}" was made by a newer Keepsake (schema ${version}; this one knows up to ${SCHEMA_VERSION}). It was not changed. Update the package "keepsake".`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
  if (version !== 0 && version < SCHEMA_VERSION)
    throw new StoreError(
      'store-schema',
      `"${path}" has schema ${version}, of a preview of Keepsake that this version cannot read. It was not changed. Export it with the version that made it, and import that.`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
}

// The schema of a SQLite database and its migrations, whatever driver runs them.
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { StoreError } from '../../errors/store-error.ts'
import { createTables, createTurns, type TableDialect } from '../sql/tables.ts'
import { adoptSchema7 } from './adopt-schema-7.ts'

/** `KEEP` in the file's header distinguishes a Keepsake file from every other program's database. */
export const APPLICATION_ID = 0x4b454550
/** In the header of a file whose schema is migrated by Kysely. Earlier versions counted to 7, and refuse it as newer. */
export const SCHEMA_VERSION = 9
/** The last schema of earlier versions: it is migrated when opened. */
const ADOPTED_VERSION = 7

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

/** The columns of turns, in order, with the role `agent` as `assistant`. */
const TURNS = `user_id, scope_id, position, id, session, at, CASE role WHEN 'agent' THEN 'assistant' ELSE role END,
  speaker, time_zone, text, metadata, revision`

/** By name, in order. Never edited once released. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': {
    up: async (db) => {
      const old = await sql<{
        name: string
      }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'owners'`.execute(db)
      const create = async (): Promise<void> => {
        for (const statement of createTables(SQLITE)) await sql.raw(statement).execute(db)
      }
      await (old.rows.length === 0 ? create() : adoptSchema7(db, create))
    },
  },
  // SQLite cannot change the constraint of a column: the table is copied.
  '0002-role-assistant': {
    up: async (db) => {
      const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))
      const checked = await sql<{
        name: string
      }>`SELECT name FROM sqlite_schema WHERE name = 'turns' AND sql LIKE '%''agent''%'`.execute(db)
      if (checked.rows.length === 0) return
      await run('DROP INDEX turns_by_revision')
      await run('ALTER TABLE turns RENAME TO old_turns')
      for (const statement of createTurns(SQLITE)) await run(statement)
      await run(`INSERT INTO turns SELECT ${TURNS} FROM old_turns`)
      await run('DROP TABLE old_turns')
    },
  },
}

/** Refuses another program's database, and schemas that cannot be migrated. @throws StoreError */
export function requireSchema(
  {
    isOwn,
    isEmpty,
    version,
  }: { readonly isOwn: boolean; readonly isEmpty: boolean; readonly version: number },
  path: string,
): void {
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
  if (version !== 0 && version < ADOPTED_VERSION)
    throw new StoreError(
      'store-schema',
      `"${path}" has schema ${version}, of a preview of Keepsake that this version cannot read. It was not changed. Export it with the version that made it, and import that.`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
}

// The schema of a SQLite database and its migrations, for every driver.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { StoreError } from '../../errors/errors.ts'
import { createTables, createTurns, type TableDialect } from '../sql/tables.ts'

/** `KEEP` in the file's header: it distinguishes a Keepsake file from databases of other programs. */
export const APPLICATION_ID = 0x4b454550
/** Schema version in the file's header. Earlier versions of Keepsake know up to 7, and refuse a higher number as newer. */
export const SCHEMA_VERSION = 9
/** The oldest schema that is migrated: the last one of earlier versions, which migrated without Kysely. */
const OLDEST_VERSION = 7

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
const TURN_COLUMNS = `user_id, scope_id, position, id, session, at, CASE role WHEN 'agent' THEN 'assistant' ELSE role END,
  speaker, time_zone, text, metadata, revision`

/** Migrations by name, in order. A released migration is never edited. */
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
  // SQLite cannot change the constraint of a column, so the table is copied.
  '0002-role-assistant': {
    up: async (db) => {
      const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))
      const withOldRole = await sql<{
        name: string
      }>`SELECT name FROM sqlite_schema WHERE name = 'turns' AND sql LIKE '%''agent''%'`.execute(db)
      if (withOldRole.rows.length === 0) return
      await run('DROP INDEX turns_by_revision')
      await run('ALTER TABLE turns RENAME TO old_turns')
      for (const statement of createTurns(SQLITE)) await run(statement)
      await run(`INSERT INTO turns SELECT ${TURN_COLUMNS} FROM old_turns`)
      await run('DROP TABLE old_turns')
    },
  },
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
  if (version !== 0 && version < OLDEST_VERSION)
    throw new StoreError(
      'store-schema',
      `"${path}" has schema ${version}, of a preview of Keepsake that this version cannot read. It was not changed. Export it with the version that made it, and import that.`,
      { details: { file: path, schema: version, known: SCHEMA_VERSION } },
    )
}

/** Tables of schema 7, in an order in which they can be dropped. */
const OLD_TABLES = [
  'images',
  'touched',
  'payloads',
  'evidence',
  'turn_documents',
  'memory_documents',
  'operations',
  'memories',
  'turns',
  'progress',
  'jobs',
  'claims',
  'erasures',
  'records',
  'sessions',
  'scopes',
  'owners',
  'names',
] as const

/** Copies the rows of schema 7 into the tables that `create` makes. */
async function adoptSchema7(db: Kysely<unknown>, create: () => Promise<void>): Promise<void> {
  const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))
  const triggers = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'trigger'`.execute(
    db,
  )
  for (const { name } of triggers.rows) await run(`DROP TRIGGER ${name}`)
  const indexes = await sql<{
    name: string
  }>`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`.execute(db)
  for (const { name } of indexes.rows) await run(`DROP INDEX ${name}`)
  for (const table of OLD_TABLES) await run(`ALTER TABLE ${table} RENAME TO old_${table}`)
  await create()
  for (const statement of COPY_ROWS) await run(statement)
  for (const table of OLD_TABLES) await run(`DROP TABLE old_${table}`)
}

const STATE = 'coalesce(m.state, p.after)'
/** Schema 7 stored numbers in place of repeated names. */
const nameOf = (column: string): string => `(SELECT name FROM old_names WHERE number = ${column})`

const COPY_ROWS: readonly string[] = [
  // Every user gets a higher revision, so that caches of other processes load everything.
  `INSERT INTO users SELECT owner, tenant, user, revision + 1, revision + 1, revision + 1, sequence, digest FROM old_owners`,
  `INSERT INTO scopes SELECT owner, scope, agent, app, last_position, last_session, erased FROM old_scopes`,
  `INSERT INTO sessions SELECT c.owner, s.scope, s.id, s.number, s.started_at, s.last_at, s.ended_at
    FROM old_sessions s JOIN old_scopes c ON c.scope = s.scope`,
  `INSERT INTO turns SELECT t.owner, t.scope, t.position, t.id, s.number, t.at,
      CASE t.role WHEN 'agent' THEN 'assistant' ELSE t.role END, t.speaker, t.time_zone, t.text, t.metadata,
      o.revision + 1
    FROM old_turns t JOIN old_sessions s ON s.session = t.session JOIN old_owners o ON o.owner = t.owner`,
  `INSERT INTO documents SELECT d.owner, 'turn', t.id, o.revision + 1, coalesce(${nameOf('d.analyser')}, ''), d.traits, d.terms,
      ${nameOf('d.embedder')}, d.vector
    FROM old_turn_documents d JOIN old_turns t ON t.turn = d.turn JOIN old_owners o ON o.owner = d.owner`,
  `INSERT INTO documents SELECT d.owner, 'memory', m.id, o.revision + 1, coalesce(${nameOf('d.analyser')}, ''), d.traits, d.terms,
      ${nameOf('d.embedder')}, d.vector
    FROM old_memory_documents d JOIN old_memories m ON m.memory = d.memory JOIN old_owners o ON o.owner = d.owner`,
  `INSERT INTO operations SELECT o.owner, o.sequence, o.id, o.scope, o.kind, m.id, o.at, ${nameOf('o.origin')}, o.session_number,
      o.round, o.parent, o.undoes,
      (SELECT json_group_array(json(CASE WHEN t.tally IS NULL THEN json_object('memory', k.id, 'rank', t.rank)
          ELSE json_object('memory', k.id, 'rank', t.rank, 'tally', json(t.tally)) END) ORDER BY t.place)
        FROM old_touched t JOIN old_memories k ON k.memory = t.memory WHERE t.operation = o.operation HAVING count(*) > 0),
      p.before, p.after
    FROM old_operations o LEFT JOIN old_memories m ON m.memory = o.memory LEFT JOIN old_payloads p ON p.operation = o.operation`,
  // The number of a memory is the sequence of the operation that added it, or its negative old row number.
  `INSERT INTO memories SELECT m.owner, coalesce((SELECT min(a.sequence) FROM old_operations a WHERE a.memory = m.memory), -m.memory),
      m.id, m.scope, m.sequence, o.revision + 1, m.status, m.form, coalesce(${STATE} ->> 'type', 'event'),
      coalesce(${STATE} ->> 'session', ''), m.name, coalesce(${STATE} ->> 'learnedAt', 0), ${STATE} ->> 'validUntil',
      ${STATE} -> 'metadata', ${STATE}
    FROM old_memories m LEFT JOIN old_payloads p ON p.operation = m.payload JOIN old_owners o ON o.owner = m.owner`,
  `INSERT OR IGNORE INTO evidence SELECT t.owner, t.id, m.id
    FROM old_evidence e JOIN old_turns t ON t.turn = e.turn JOIN old_memories m ON m.memory = e.memory`,
  `INSERT INTO progress SELECT c.owner, p.scope, p.branch, p.position FROM old_progress p JOIN old_scopes c ON c.scope = p.scope`,
  `INSERT OR IGNORE INTO jobs SELECT owner, id, json_array(kind, scope, session, branch, from_position, to_position), scope, session, kind,
      branch, from_position, to_position, state, attempts, at, due_at, reason, answer FROM old_jobs`,
  `INSERT INTO erasures SELECT owner, id, at, turns, memories, payloads, documents, scrubbed_at FROM old_erasures`,
  `INSERT INTO records SELECT collection, key, owner, version, expires_at, value FROM old_records`,
]

// Defines the tables in TypeScript and creates them in the dialect of a database.
import type { ColumnType, Generated, Insertable } from 'kysely'
import type { MemoryForm, MemoryStatus, MemoryType } from '../../memories/memory.ts'
import type { OperationKind } from '../../memories/operation.ts'
import type { Role } from '../../turns/turn.ts'
import type { JobKind, JobState } from '../jobs.ts'
import type { NewDocument } from '../store.ts'

/** A column of bytes. */
type Blob = ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>

/** The schema. Times are milliseconds since 1970. Flags are 0 or 1. JSON is stored as text, so that every byte is kept. */
export interface Tables {
  /** `fact_revision`: the revision of the last change of turns, memories or progress. `erased_revision`: that of the last erasure. */
  users: {
    user_id: Generated<number>
    tenant: string | null
    name: string | null
    revision: Generated<number>
    fact_revision: Generated<number>
    erased_revision: Generated<number>
    sequence: Generated<number>
    digest: string | null
  }
  scopes: {
    user_id: number
    scope_id: Generated<number>
    agent: string | null
    app: string | null
    last_position: Generated<number>
    last_session: Generated<number>
    is_erased: Generated<number>
  }
  sessions: {
    user_id: number
    scope_id: number
    id: string
    number: number
    started_at: number
    last_at: number
    ended_at: number | null
  }
  /** `text` of an erased turn is `null`. */
  turns: {
    user_id: number
    scope_id: number
    position: number
    id: string
    session: number
    at: number
    role: Role
    speaker: string | null
    time_zone: string | null
    text: string | null
    metadata: string | null
    revision: number
  }
  documents: {
    user_id: number
    kind: NewDocument['kind']
    id: string
    revision: number
    analyser: string
    traits: number
    terms: string
    embedder: string | null
    vector: Blob
  }
  /** Append-only; only `before` and `after` can be erased. `touched`: the memories that a logged recall returned, as JSON. */
  operations: {
    user_id: number
    sequence: number
    id: string
    scope_id: number
    kind: OperationKind
    memory: string | null
    at: number
    origin: string
    session_number: number
    round: number
    parent: string | null
    undoes: string | null
    touched: string | null
    before: string | null
    after: string | null
  }
  /** `number`: the sequence of the operation that created the memory. `state`: JSON of the fields that differ from a blank memory. */
  memories: {
    user_id: number
    number: number
    id: string
    scope_id: number
    sequence: number
    revision: number
    status: MemoryStatus
    form: MemoryForm
    type: MemoryType
    session: string
    name: string | null
    learned_at: number
    valid_until: number | null
    metadata: string | null
    state: string
  }
  /** Every turn that a memory, or an operation on the memory, ever quoted. */
  evidence: { user_id: number; turn_id: string; memory_id: string }
  /**
   * Counters of recalls, see `Tally`. `rounds`: numbers with a comma before each. `second_at`: the round in which the memory is
   * suppressed, because a recall ranked it among the next results; -1 if a later recall lifted this.
   */
  usage: {
    user_id: number
    memory_id: string
    revision: number
    first: number
    second: number
    rounds: string
    second_at: number | null
    last_session: number
    last_at: number
  }
  progress: { user_id: number; scope_id: number; branch: string; position: number }
  /** Jobs with equal `work` do the same: of each state only one is stored. */
  jobs: {
    user_id: number
    id: string
    work: string
    scope_id: number
    session: string | null
    kind: JobKind
    branch: string | null
    from_position: number | null
    to_position: number | null
    state: JobState
    attempts: number
    at: number
    due_at: number
    reason: string | null
    answer: string | null
  }
  claims: { user_id: number; id: string; holder: string; until: number }
  erasures: {
    user_id: number
    id: string
    at: number
    turns: number
    memories: number
    payloads: number
    documents: number
    purged_at: number | null
  }
  records: {
    collection: string
    key: string
    user_id: number | null
    version: string
    expires_at: number | null
    value: string
  }
}

export type TableName = keyof Tables
export type NewRow<Name extends TableName> = Insertable<Tables[Name]>

/** The parts of table definitions that differ between databases. */
export interface TableDialect {
  readonly integer: string
  /** Type of a text column that sorts by bytes, as JavaScript compares ids. */
  readonly ordering: string
  readonly blob: string
  /** Definition of a column whose number the database generates. */
  readonly generated: (column: string) => string
  /** The constraint of a key that contains a generated column. */
  readonly key: (columns: string) => string
  /** Ends the definition of a small table. */
  readonly small: string
  /** Ends the definition of a large table of users' rows. */
  readonly large: string
  /** Ends the definition of a large table that is stored in the order of its key. */
  readonly ordered: string
  /** Returns statements that refuse deletions in a table and changes of these columns. */
  readonly appendOnly: (table: string, columns: readonly string[]) => string[]
}

/** Large tables of users' rows. A database may partition them by user. */
export const LARGE_TABLES = ['turns', 'documents', 'operations', 'memories', 'evidence', 'usage'] as const
/** All tables of users' rows. */
export const USER_TABLES = [
  ...LARGE_TABLES,
  'users',
  'scopes',
  'sessions',
  'progress',
  'jobs',
  'claims',
  'erasures',
] as const

/** Statements that create the schema. Keys of tables with users' rows begin with the user. */
export function createTables(d: TableDialect): string[] {
  const int = d.integer
  return [
    `CREATE TABLE users (${d.generated('user_id')}, tenant TEXT, name TEXT, revision ${int} NOT NULL DEFAULT 0,
      fact_revision ${int} NOT NULL DEFAULT 0, erased_revision ${int} NOT NULL DEFAULT 0, sequence ${int} NOT NULL DEFAULT 0,
      digest TEXT, ${d.key('user_id')}, UNIQUE (tenant, name))${d.small}`,
    `CREATE TABLE scopes (user_id ${int} NOT NULL, ${d.generated('scope_id')}, agent TEXT, app TEXT,
      last_position ${int} NOT NULL DEFAULT 0, last_session ${int} NOT NULL DEFAULT 0, is_erased ${int} NOT NULL DEFAULT 0,
      ${d.key('user_id, scope_id')})${d.small}`,
    `CREATE TABLE sessions (user_id ${int} NOT NULL, scope_id ${int} NOT NULL, id TEXT NOT NULL, number ${int} NOT NULL,
      started_at ${int} NOT NULL, last_at ${int} NOT NULL, ended_at ${int}, PRIMARY KEY (user_id, scope_id, id),
      UNIQUE (user_id, scope_id, number))${d.small}`,
    `CREATE TABLE turns (user_id ${int} NOT NULL, scope_id ${int} NOT NULL, position ${int} NOT NULL, id TEXT NOT NULL,
      session ${int} NOT NULL, at ${int} NOT NULL, role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'other')), speaker TEXT,
      time_zone TEXT, text TEXT, metadata TEXT, revision ${int} NOT NULL,
      PRIMARY KEY (user_id, scope_id, position), UNIQUE (user_id, id))${d.ordered}`,
    `CREATE INDEX turns_by_revision ON turns (user_id, revision)`,
    `CREATE TABLE documents (user_id ${int} NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('turn', 'memory')), id TEXT NOT NULL,
      revision ${int} NOT NULL, analyser TEXT NOT NULL, traits ${int} NOT NULL, terms TEXT NOT NULL, embedder TEXT, vector ${d.blob},
      PRIMARY KEY (user_id, kind, id))${d.large}`,
    `CREATE INDEX documents_by_revision ON documents (user_id, revision)`,
    `CREATE TABLE operations (user_id ${int} NOT NULL, sequence ${int} NOT NULL, id TEXT NOT NULL, scope_id ${int} NOT NULL,
      kind TEXT NOT NULL, memory TEXT, at ${int} NOT NULL, origin TEXT NOT NULL, session_number ${int} NOT NULL, round ${int} NOT NULL,
      parent TEXT, undoes TEXT, touched TEXT, before TEXT, after TEXT,
      PRIMARY KEY (user_id, sequence), UNIQUE (user_id, id))${d.ordered}`,
    `CREATE INDEX operations_by_memory ON operations (user_id, memory, sequence)`,
    `CREATE INDEX operations_by_parent ON operations (user_id, parent) WHERE parent IS NOT NULL`,
    ...d.appendOnly(
      'operations',
      'user_id sequence id scope_id kind memory at origin session_number round parent undoes touched'.split(
        ' ',
      ),
    ),
    `CREATE TABLE memories (user_id ${int} NOT NULL, number ${int} NOT NULL, id ${d.ordering} NOT NULL, scope_id ${int} NOT NULL,
      sequence ${int} NOT NULL, revision ${int} NOT NULL, status TEXT NOT NULL, form TEXT NOT NULL, type TEXT NOT NULL,
      session TEXT NOT NULL, name TEXT, learned_at ${int} NOT NULL, valid_until ${int}, metadata TEXT, state TEXT NOT NULL,
      PRIMARY KEY (user_id, number), UNIQUE (user_id, id))${d.ordered}`,
    `CREATE INDEX memories_by_revision ON memories (user_id, revision)`,
    `CREATE UNIQUE INDEX memories_by_unique_name ON memories (user_id, scope_id, name) WHERE name IS NOT NULL`,
    `CREATE TABLE evidence (user_id ${int} NOT NULL, turn_id TEXT NOT NULL, memory_id TEXT NOT NULL,
      PRIMARY KEY (user_id, turn_id, memory_id))${d.ordered}`,
    `CREATE TABLE usage (user_id ${int} NOT NULL, memory_id TEXT NOT NULL, revision ${int} NOT NULL, first ${int} NOT NULL,
      second ${int} NOT NULL, rounds TEXT NOT NULL, second_at ${int}, last_session ${int} NOT NULL, last_at ${int} NOT NULL,
      PRIMARY KEY (user_id, memory_id))${d.ordered}`,
    `CREATE TABLE progress (user_id ${int} NOT NULL, scope_id ${int} NOT NULL, branch TEXT NOT NULL, position ${int} NOT NULL,
      PRIMARY KEY (user_id, scope_id, branch))${d.small}`,
    `CREATE TABLE jobs (user_id ${int} NOT NULL, id ${d.ordering} NOT NULL, work TEXT NOT NULL, scope_id ${int} NOT NULL, session TEXT,
      kind TEXT NOT NULL, branch TEXT, from_position ${int}, to_position ${int}, state TEXT NOT NULL, attempts ${int} NOT NULL,
      at ${int} NOT NULL, due_at ${int} NOT NULL, reason TEXT, answer TEXT,
      PRIMARY KEY (user_id, id), UNIQUE (user_id, work, state))${d.small}`,
    `CREATE INDEX jobs_in_line ON jobs (state, at, id)`,
    `CREATE TABLE claims (user_id ${int} NOT NULL PRIMARY KEY, id TEXT NOT NULL UNIQUE, holder TEXT NOT NULL,
      until ${int} NOT NULL)${d.small}`,
    `CREATE TABLE erasures (user_id ${int} NOT NULL, id TEXT NOT NULL, at ${int} NOT NULL, turns ${int} NOT NULL,
      memories ${int} NOT NULL, payloads ${int} NOT NULL, documents ${int} NOT NULL, purged_at ${int}, PRIMARY KEY (user_id, id))${d.small}`,
    `CREATE TABLE records (collection TEXT NOT NULL, key ${d.ordering} NOT NULL, user_id ${int}, version TEXT NOT NULL, expires_at ${int},
      value TEXT NOT NULL, PRIMARY KEY (collection, key))${d.small}`,
    `CREATE INDEX records_by_user ON records (user_id) WHERE user_id IS NOT NULL`,
    `CREATE INDEX records_by_expires ON records (expires_at) WHERE expires_at IS NOT NULL`,
  ]
}

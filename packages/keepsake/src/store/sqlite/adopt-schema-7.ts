// Copies the rows of files with schema 7 into today's tables. Called when such a file is opened.
import { sql, type Kysely } from 'kysely'

/** Tables of schema 7, in an order in which they can go. */
const OLD = [
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

/** Brings the rows of schema 7 into the tables that `create` makes, within a transaction. */
export async function adoptSchema7(db: Kysely<unknown>, create: () => Promise<void>): Promise<void> {
  const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))
  const triggers = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'trigger'`.execute(
    db,
  )
  for (const { name } of triggers.rows) await run(`DROP TRIGGER ${name}`)
  const indexes = await sql<{
    name: string
  }>`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`.execute(db)
  for (const { name } of indexes.rows) await run(`DROP INDEX ${name}`)
  for (const table of OLD) await run(`ALTER TABLE ${table} RENAME TO old_${table}`)
  await create()
  for (const statement of COPY) await run(statement)
  for (const table of OLD) await run(`DROP TABLE old_${table}`)
}

const STATE = 'coalesce(m.state, p.after)'
const nameOf = (column: string): string => `(SELECT name FROM old_names WHERE number = ${column})`

const COPY: readonly string[] = [
  // Caches of other processes are of this schema at the earliest: they load everything.
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
  // Created in the order of their old row numbers, and numbered by the operation that added them where it is known.
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

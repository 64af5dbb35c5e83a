import { sql, type Kysely } from 'kysely'

/** Migrates schema 5: moves its tables to another schema, creates the new tables, copies the rows. Needs a transaction. */
export async function adoptSchema5(
  db: Kysely<unknown>,
  schema: string,
  create: (partitions: number) => Promise<void>,
): Promise<void> {
  const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))
  const source = `${schema}_5`
  const { rows } = await sql<{ partitions: number }>`SELECT partitions FROM ${sql.raw(`${schema}.migrations`)}
    WHERE version = 1`.execute(db)
  const partitions = rows[0]?.partitions ?? 0
  await run(`CREATE SCHEMA ${source}`)
  // Leaves Kysely's own tables in place.
  await run(`DO $$ DECLARE t RECORD; BEGIN
    FOR t IN SELECT c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${schema}' AND c.relkind IN ('r', 'p') AND c.relname NOT LIKE 'kysely%'
    LOOP EXECUTE format('ALTER TABLE ${schema}.%I SET SCHEMA ${source}', t.relname); END LOOP;
    FOR t IN SELECT c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${schema}' AND c.relkind = 'S' AND c.relname IN ('owner_numbers', 'scope_numbers', 'job_numbers', 'erasure_numbers')
    LOOP EXECUTE format('ALTER SEQUENCE ${schema}.%I SET SCHEMA ${source}', t.relname); END LOOP; END $$`)
  await run(`ALTER FUNCTION ${schema}.refuse_change() SET SCHEMA ${source}`)
  await run(`DO $$ DECLARE t RECORD; BEGIN
    FOR t IN SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${source}' AND c.relkind IN ('r', 'p') AND c.relrowsecurity
    LOOP EXECUTE format('ALTER TABLE ${source}.%I NO FORCE ROW LEVEL SECURITY', t.relname); END LOOP; END $$`)
  await create(partitions)
  await setRowSecurity(db, schema, 'NO FORCE')
  for (const statement of copyStatements(source)) await run(statement)
  await run(
    `SELECT setval(pg_get_serial_sequence('users', 'user_id'), greatest(1, (SELECT max(user_id) FROM users)))`,
  )
  await run(
    `SELECT setval(pg_get_serial_sequence('scopes', 'scope_id'), greatest(1, (SELECT max(scope_id) FROM scopes)))`,
  )
  await setRowSecurity(db, schema, 'FORCE')
  await run(`DROP SCHEMA ${source} CASCADE`)
}

/** Switches forced row-level security, which would hide the rows from the owner of the tables who copies them. */
async function setRowSecurity(
  db: Kysely<unknown>,
  schema: string,
  mode: 'FORCE' | 'NO FORCE',
): Promise<void> {
  await sql
    .raw(
      `DO $$ DECLARE t RECORD; BEGIN
    FOR t IN SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${schema}' AND c.relkind IN ('r', 'p') AND c.relrowsecurity
    LOOP EXECUTE format('ALTER TABLE ${schema}.%I ${mode} ROW LEVEL SECURITY', t.relname); END LOOP; END $$`,
    )
    .execute(db)
}

function copyStatements(source: string): string[] {
  const nameOf = (column: string): string => `(SELECT name FROM ${source}.names WHERE number = ${column})`
  const state = `coalesce(m.state, p.after)`
  // Parses JSON only to fill columns, and keeps its text. NUL is escaped in it, which Postgres accepts.
  const field = (name: string): string => `(${state}::json ->> '${name}')`
  return [
    `INSERT INTO users (user_id, tenant, name, revision, fact_revision, erased_revision, sequence, digest)
      SELECT owner, tenant, person, revision + 1, revision + 1, revision + 1, sequence, digest FROM ${source}.owners`,
    `INSERT INTO scopes SELECT owner, scope, agent, app, last_position, last_session, erased::int FROM ${source}.scopes`,
    `INSERT INTO sessions SELECT owner, scope, id, number, started_at, last_at, ended_at FROM ${source}.sessions`,
    `INSERT INTO turns SELECT t.owner, t.scope, t.position, t.id, t.session, t.at,
        CASE t.role WHEN 'agent' THEN 'assistant' ELSE t.role END, t.speaker, t.time_zone, t.text, t.metadata,
        o.revision + 1 FROM ${source}.turns t JOIN ${source}.owners o USING (owner)`,
    `INSERT INTO documents SELECT t.owner, 'turn', t.id, o.revision + 1, coalesce(${nameOf('t.analyser')}, ''), t.traits, t.terms,
        ${nameOf('t.embedder')}, t.vector FROM ${source}.turns t JOIN ${source}.owners o USING (owner)
      WHERE t.terms IS NOT NULL AND t.text IS NOT NULL`,
    `INSERT INTO documents SELECT d.owner, 'memory', m.id, o.revision + 1, coalesce(${nameOf('d.analyser')}, ''), d.traits, d.terms,
        ${nameOf('d.embedder')}, d.vector
      FROM ${source}.memory_documents d JOIN ${source}.memories m USING (owner, memory) JOIN ${source}.owners o USING (owner)`,
    `INSERT INTO operations SELECT o.owner, o.sequence, o.id, o.scope, o.kind, m.id, o.at, ${nameOf('o.origin')}, o.session_number,
        o.round, o.parent, o.undoes,
        (SELECT json_agg(CASE WHEN o.tallies::json ->> (u.place::int - 1) IS NULL
              THEN json_build_object('memory', k.id, 'rank', CASE substr(o.ranks, u.place::int, 1) WHEN '1' THEN 'first' ELSE 'second' END)
              ELSE json_build_object('memory', k.id, 'rank', CASE substr(o.ranks, u.place::int, 1) WHEN '1' THEN 'first' ELSE 'second' END,
                'tally', o.tallies::json -> (u.place::int - 1)) END ORDER BY u.place)::text
          FROM unnest(o.touched) WITH ORDINALITY AS u (memory, place)
          JOIN ${source}.memories k ON k.owner = o.owner AND k.memory = u.memory),
        p.before, p.after
      FROM ${source}.operations o LEFT JOIN ${source}.memories m ON m.owner = o.owner AND m.memory = o.memory
        LEFT JOIN ${source}.payloads p ON p.owner = o.owner AND p.sequence = o.sequence`,
    `INSERT INTO memories SELECT m.owner, m.memory, m.id, m.scope, m.sequence, o.revision + 1, m.status, m.form, m.type,
        coalesce(m.session, ${field('session')}, ''), m.name, coalesce(${field('learnedAt')}::numeric::bigint, 0),
        ${field('validUntil')}::numeric::bigint, (${state}::json -> 'metadata')::text, ${state}
      FROM ${source}.memories m JOIN ${source}.owners o USING (owner)
        LEFT JOIN ${source}.payloads p ON p.owner = m.owner AND p.sequence = m.said`,
    `INSERT INTO evidence SELECT e.owner, t.id, m.id FROM ${source}.evidence e JOIN ${source}.turns t USING (owner, turn)
      JOIN ${source}.memories m USING (owner, memory) ON CONFLICT DO NOTHING`,
    `INSERT INTO progress SELECT owner, scope, branch, position FROM ${source}.progress`,
    `INSERT INTO jobs SELECT owner, id, replace(json_build_array(kind, scope, session, branch, from_position, to_position)::text, ', ', ','), scope, session,
        kind, branch, from_position, to_position, state, attempts, at, due_at, reason, answer FROM ${source}.jobs ON CONFLICT DO NOTHING`,
    `INSERT INTO erasures SELECT owner, id, at, turns, memories, payloads, documents, scrubbed_at FROM ${source}.erasures`,
    `INSERT INTO records SELECT collection, key, owner, version, expires_at, value FROM ${source}.records`,
  ]
}

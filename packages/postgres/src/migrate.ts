import { StoreError } from 'keepsake/store-kit'
import type { Session, Sessions } from './connection/session.ts'
import { part } from './connection/sql-part.ts'
import { migrations, SCHEMA_VERSION } from './migrations/index.ts'
import { layOut, type Layout } from './migrations/layout.ts'

export interface MigrateOptions {
  readonly schema: string
  /** Into how many parts each table of a new schema is divided; 0 for one piece. */
  readonly partitions: number
  /** Makes no new schema: one that is not there is an error. */
  readonly mustExist?: boolean
  /** The schema to stop at: for tests of upgrades. */
  readonly upTo?: number
}

/** Under which every statement about rows runs where the connection's own role would walk through walls. */
const WALLED_ROLE = 'keepsake_rows'

/**
 * Makes the schema, or takes it to the newest, each step with its number in one transaction. Of two who come at once one
 * does it and the other waits, and finds it done: the number is read again under the lock.
 */
export async function migrate(
  sessions: Sessions,
  { schema, partitions, mustExist = false, upTo = SCHEMA_VERSION }: MigrateOptions,
): Promise<void> {
  await sessions.use(async (session) => {
    if (mustExist && (await readSchemaVersion(session, schema, sessions.name)) === 0)
      throw new StoreError(
        'store-schema',
        `The schema "${schema}" of ${sessions.name} holds no memory yet. A command that writes, such as "keepsake import" or "keepsake serve", makes it.`,
      )
    const layout = layOut(partitions)
    while ((await readSchemaVersion(session, schema, sessions.name)) < upTo)
      await inLockedTransaction(session, schema, () =>
        step(session, { schema, layout, name: sessions.name, upTo }),
      )
  })
}

async function inLockedTransaction(
  session: Session,
  schema: string,
  work: () => Promise<void>,
): Promise<void> {
  await session.command('BEGIN')
  try {
    await session.ask(
      part`SELECT pg_advisory_xact_lock(hashtextextended(${`keepsake migrations of ${schema}`}, 0))`,
    )
    await work()
    await session.command('COMMIT')
  } catch (error) {
    await session.command('ROLLBACK').catch(() => {})
    throw error
  }
}

interface Step {
  readonly schema: string
  readonly layout: Layout
  readonly name: string
  readonly upTo: number
}

async function step(session: Session, { schema, layout, name, upTo }: Step): Promise<void> {
  const version = await readSchemaVersion(session, schema, name)
  const next = migrations[version]
  if (next === undefined || version >= upTo) return
  if (version === 0)
    await session.command(`CREATE SCHEMA IF NOT EXISTS ${schema};
      CREATE TABLE ${schema}.migrations (
        version INTEGER PRIMARY KEY, name TEXT NOT NULL, partitions INTEGER NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now())`)
  const made = version === 0 ? layout : layOut(await readPartitions(session, schema))
  await session.command(`SET LOCAL search_path = ${schema}; ${next.change(made)}`)
  await next.mend?.(session)
  await session.ask(
    part`INSERT INTO migrations (version, name, partitions) VALUES (${version + 1}, ${next.name}, ${made.partitions})`,
  )
}

async function readPartitions(session: Session, schema: string): Promise<number> {
  const { rows } = await session.ask(
    part`SELECT partitions FROM ${{ texts: [`${schema}.migrations`], values: [] }} WHERE version = 1`,
  )
  return Number(rows[0]?.[0] ?? 0)
}

/** 0 where there is none yet. @throws StoreError for one made by a newer Keepsake, or a schema of another program */
async function readSchemaVersion(session: Session, schema: string, name: string): Promise<number> {
  const { rows } = await session.ask(part`SELECT to_regclass(${`${schema}.migrations`}) IS NOT NULL,
    EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema})`)
  const [isThere, isUsed] = rows[0] ?? []
  if (isThere !== true) {
    if (isUsed !== true) return 0
    throw new StoreError(
      'store-schema',
      `The schema "${schema}" of ${name} holds another program's tables. It was not changed. Give another schema.`,
    )
  }
  const versions = await session.ask(
    part`SELECT max(version) FROM ${{ texts: [`${schema}.migrations`], values: [] }}`,
  )
  const version = Number(versions.rows[0]?.[0] ?? 0)
  if (version > SCHEMA_VERSION)
    throw new StoreError(
      'store-schema',
      `The schema "${schema}" of ${name} was made by a newer Keepsake (version ${version}; this one knows up to ${SCHEMA_VERSION}). It was not changed. Update the package "@keepsake/postgres".`,
      { details: { schema: version, known: SCHEMA_VERSION } },
    )
  return version
}

/**
 * The role that statements about rows run under: `null` where the connection's own is held by row-level security; otherwise one that
 * is, made here, since superusers and roles with BYPASSRLS see everything.
 */
export async function chooseRole(sessions: Sessions, schema: string): Promise<string | null> {
  return sessions.use(async (session) => {
    const { rows } = await session.ask(part`SELECT r.rolsuper OR r.rolbypassrls,
      EXISTS (SELECT FROM pg_roles w WHERE w.rolname = ${WALLED_ROLE}) FROM pg_roles r WHERE r.rolname = current_user`)
    const [passes, isMade] = rows[0] ?? []
    if (passes !== true) return null
    if (isMade === true && (await mayUse(session, schema))) return WALLED_ROLE
    await inLockedTransaction(session, schema, () => session.command(grants(schema)))
    return WALLED_ROLE
  })
}

async function mayUse(session: Session, schema: string): Promise<boolean> {
  const { rows } =
    await session.ask(part`SELECT bool_and(has_table_privilege(${WALLED_ROLE}, c.oid, 'DELETE'))
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${schema} AND c.relkind IN ('r', 'p') AND has_schema_privilege(${WALLED_ROLE}, n.oid, 'USAGE')`)
  return rows[0]?.[0] === true
}

/** Making a role that another is making at the same moment fails; then it is there. */
function grants(schema: string): string {
  return `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${WALLED_ROLE}') THEN CREATE ROLE ${WALLED_ROLE} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
GRANT USAGE ON SCHEMA ${schema} TO ${WALLED_ROLE};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${WALLED_ROLE};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${WALLED_ROLE};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${WALLED_ROLE};`
}

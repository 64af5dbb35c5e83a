import { StoreError } from 'keepsake/store-kit'
import type { Session, Sessions } from '../connection/session.ts'
import { name, part, type SqlPart } from '../connection/sql-part.ts'

/** The type of a vector and its cosine distance, as they are called from any schema. */
export interface VectorExtension {
  readonly type: SqlPart
  readonly distance: SqlPart
}

/**
 * Whether candidates can be given: `true` turns them on for the schema, once and for every process; where that is left open they are
 * given if somebody turned them on before.
 *
 * @returns `null` where none are given
 * @throws StoreError `store-failed` where they are to be turned on and the server has not got what that takes
 */
export function findVectors(
  sessions: Sessions,
  schema: string,
  wanted: boolean | undefined,
): Promise<VectorExtension | null> {
  if (wanted === false) return Promise.resolve(null)
  return sessions.use(async (session) => {
    if (wanted === true && !(await isTurnedOn(session, schema))) await turnOn(session, schema, sessions.name)
    if (!(await isTurnedOn(session, schema))) return null
    const place = await placeOf(session)
    return { type: name(`${place}.vector`), distance: name(`OPERATOR(${place}.<=>)`) }
  })
}

async function isTurnedOn(session: Session, schema: string): Promise<boolean> {
  const { rows } = await session.ask(part`SELECT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(${`${schema}.candidates`}) AND attname = 'embedding' AND NOT attisdropped)`)
  return rows[0]?.[0] === true
}

async function turnOn(session: Session, schema: string, server: string): Promise<void> {
  await makeExtension(session, server)
  // No samples are to be kept of what was made of people's words.
  await session.command(`ALTER TABLE ${schema}.candidates ADD COLUMN IF NOT EXISTS embedding ${await placeOf(session)}.vector;
    ALTER TABLE ${schema}.candidates ALTER COLUMN embedding SET STATISTICS 0`)
}

/** The schema that the extension is in, as statements name it. */
async function placeOf(session: Session): Promise<string> {
  const { rows } = await session.ask(part`SELECT quote_ident(n.nspname) FROM pg_extension e
    JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`)
  return String(rows[0]?.[0])
}

async function makeExtension(session: Session, server: string): Promise<void> {
  const { rows } = await session.ask(
    part`SELECT installed_version IS NOT NULL FROM pg_available_extensions WHERE name = 'vector'`,
  )
  const [isMade] = rows[0] ?? []
  if (isMade === undefined)
    throw new StoreError(
      'store-failed',
      `Candidates take the extension "vector" (pgvector), which the server of ${server} has not got. Install it there, or open the store without "candidates: true".`,
    )
  if (isMade === true) return
  try {
    await session.command('CREATE EXTENSION IF NOT EXISTS vector')
  } catch (cause) {
    throw new StoreError(
      'store-failed',
      `Candidates take the extension "vector" (pgvector), and it could not be made in the database of ${server}: the role of this connection may lack the right to. Have a superuser run CREATE EXTENSION vector there, once.`,
      { cause },
    )
  }
}

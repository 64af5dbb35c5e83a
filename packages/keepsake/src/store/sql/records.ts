// Stores versioned records of other parts, such as keys and webhooks, under a collection and a key.
import { randomUUID } from 'node:crypto'
import type { SelectQueryBuilder } from 'kysely'
import { NotFoundError } from '../../errors/errors.ts'
import { digestName, hideUser } from '../../scopes/erased-name.ts'
import type { NewRecord, RecordQuery, StoredRecord } from '../store.ts'
import { decodeMetadata } from './encode-rows.ts'
import type { Transaction } from './sql-database.ts'
import { changedRows, statement } from './statements.ts'
import type { NewRow, Tables } from './tables.ts'

const RECORD_COLUMNS = ['collection', 'key', 'user_id as owner', 'version', 'value'] as const

/** The highest character: keys that begin with a prefix sort before the prefix followed by this. */
const HIGHEST_CHARACTER = '\u{10FFFF}'

function recordOf({ value, ...row }: Omit<StoredRecord, 'value'> & { readonly value: string }): StoredRecord {
  return { ...row, value: decodeMetadata(value) ?? {} }
}

function whereNotExpired<Output>(
  select: SelectQueryBuilder<Tables, 'records', Output>,
  now: number,
): SelectQueryBuilder<Tables, 'records', Output> {
  return select.where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}

const selectRecord = statement(
  (db, { collection, key, now }: { collection: string; key: string; now: number }) =>
    whereNotExpired(
      db
        .selectFrom('records')
        .select(RECORD_COLUMNS)
        .where('collection', '=', collection)
        .where('key', '=', key),
      now,
    ),
)

export async function getRecord(
  tx: Transaction,
  collection: string,
  key: string,
): Promise<StoredRecord | null> {
  const [row] = await selectRecord(tx, { collection, key, now: await tx.database.now(tx.db) })
  return row === undefined ? null : recordOf(row)
}

export async function listRecords(
  { db, database }: Transaction,
  query: RecordQuery,
): Promise<StoredRecord[]> {
  const { collection, owner, prefix, after, limit } = query
  const select = db
    .selectFrom('records')
    .select(RECORD_COLUMNS)
    .where('collection', '=', collection)
    .$if(owner !== undefined, (query) => query.where('user_id', '=', owner ?? 0))
    .$if(prefix !== undefined, (query) =>
      query.where('key', '>=', prefix ?? '').where('key', '<', `${prefix}${HIGHEST_CHARACTER}`),
    )
    .$if(after !== undefined, (query) => query.where('key', '>', after ?? ''))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('key')
  return (await whereNotExpired(select, await database.now(db)).execute()).map(recordOf)
}

/** @returns `null` if the stored version is not the expected one */
export async function putRecord(tx: Transaction, record: NewRecord): Promise<StoredRecord | null> {
  const { collection, key, value, owner = null, lastsMs, expect } = record
  const { db, database } = tx
  const now = await database.now(db)
  await db.deleteFrom('records').where('expires_at', '<=', now).execute()
  if (owner !== null) await requireUser(tx, owner)
  const version = randomUUID()
  const expires_at = lastsMs === undefined ? null : now + lastsMs
  const row = { collection, key, user_id: owner, version, expires_at, value: JSON.stringify(value) }
  const written = await writeIfExpected(db, row, expect).executeTakeFirst()
  return written === undefined ? null : { collection, key, value, owner, version }
}

/** Builds the statement that writes a record if `expect` holds, so that of two processes only one writes. */
function writeIfExpected(db: Transaction['db'], row: NewRow<'records'>, expect: NewRecord['expect']) {
  const { collection, key, ...changes } = row
  if (typeof expect === 'string')
    return db
      .updateTable('records')
      .set(changes)
      .where('collection', '=', collection)
      .where('key', '=', key)
      .where('version', '=', expect)
      .returning('version')
  return db
    .insertInto('records')
    .values(row)
    .onConflict((conflict) => {
      const target = conflict.columns(['collection', 'key'])
      return expect === null ? target.doNothing() : target.doUpdateSet(changes)
    })
    .returning('version')
}

/** Replaces an erased user's name in records, unless these also open another tenant with a user of that name. */
export async function hideUserInRecords(
  { db }: Transaction,
  erased: { readonly tenant: string; readonly user: string; readonly salt: string },
): Promise<void> {
  const { tenant, user, salt } = erased
  const erasedName = digestName(salt, user)
  const namesakes = await db.selectFrom('users').select('tenant').where('name', '=', user).execute()
  const otherTenants = namesakes.map((row) => row.tenant).filter((name) => name !== tenant)
  const ownerless = db.selectFrom('records').select(RECORD_COLUMNS).where('user_id', 'is', null)
  for (const row of await ownerless.where('value', 'like', '%"users":[%').execute()) {
    const { collection, key, value } = recordOf(row)
    const { tenants } = value
    const opensTenant = (name: string | null): boolean => !Array.isArray(tenants) || tenants.includes(name)
    if (!opensTenant(tenant) || otherTenants.some(opensTenant)) continue
    const hidden = hideUser(value, user, erasedName)
    if (hidden === null) continue
    const changes = { value: JSON.stringify(hidden), version: randomUUID() }
    await db
      .updateTable('records')
      .set(changes)
      .where('collection', '=', collection)
      .where('key', '=', key)
      .execute()
  }
}

/** @throws NotFoundError for a user who does not exist or was erased */
async function requireUser({ db }: Transaction, userId: number): Promise<void> {
  const select = db.selectFrom('users').select('user_id').where('user_id', '=', userId)
  const found = await select.where('tenant', 'is not', null).executeTakeFirst()
  if (found === undefined) throw new NotFoundError('scope', userId)
}

export async function removeRecord(
  { db }: Transaction,
  collection: string,
  key: string,
  version?: string,
): Promise<boolean> {
  const remove = db.deleteFrom('records').where('collection', '=', collection).where('key', '=', key)
  const removed = version === undefined ? remove : remove.where('version', '=', version)
  return changedRows(await removed.execute()) > 0
}

// Stores versioned records of other parts, such as keys and webhooks, under a collection and a key.
import { randomUUID } from 'node:crypto'
import type { SelectQueryBuilder } from 'kysely'
import { NotFoundError } from '../../errors/errors.ts'
import { digestName, hideUser } from '../../scopes/erased-name.ts'
import type { NewRecord, RecordQuery, StoredRecord } from '../store.ts'
import { decodeMetadata } from './encode-rows.ts'
import { changedRows, insertRows, statement, type Transaction } from './sql-database.ts'
import type { Tables } from './tables.ts'

const RECORD = ['collection', 'key', 'user_id as owner', 'version', 'value'] as const

/** Above every character: what begins with a prefix is less than the prefix and this. */
const LAST = '\u{10FFFF}'

function recordOf({ value, ...row }: Omit<StoredRecord, 'value'> & { readonly value: string }): StoredRecord {
  return { ...row, value: decodeMetadata(value) ?? {} }
}

function lasting<Output>(
  select: SelectQueryBuilder<Tables, 'records', Output>,
  now: number,
): SelectQueryBuilder<Tables, 'records', Output> {
  return select.where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}

const selectRecord = statement(
  (db, { collection, key, now }: { collection: string; key: string; now: number }) =>
    lasting(
      db.selectFrom('records').select(RECORD).where('collection', '=', collection).where('key', '=', key),
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
    .select(RECORD)
    .where('collection', '=', collection)
    .$if(owner !== undefined, (query) => query.where('user_id', '=', owner ?? 0))
    .$if(prefix !== undefined, (query) =>
      query.where('key', '>=', prefix ?? '').where('key', '<', `${prefix}${LAST}`),
    )
    .$if(after !== undefined, (query) => query.where('key', '>', after ?? ''))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('key')
  return (await lasting(select, await database.now(db)).execute()).map(recordOf)
}

/** @returns `null` where another version is stored than was expected. */
export async function putRecord(tx: Transaction, record: NewRecord): Promise<StoredRecord | null> {
  const { collection, key, value, owner = null, lastsMs, expect } = record
  const { db, database } = tx
  const now = await database.now(db)
  await db.deleteFrom('records').where('expires_at', '<=', now).execute()
  if (owner !== null) await requireUser(tx, owner)
  const version = randomUUID()
  const expires_at = lastsMs === undefined ? null : now + lastsMs
  const row = { collection, key, user_id: owner, version, expires_at, value: JSON.stringify(value) }
  const { collection: _, key: __, ...set } = row
  const insert = db.insertInto('records').values(row)
  // The row itself is compared: of two processes that expect the same version one is first.
  const written =
    expect === undefined
      ? insert
          .onConflict((target) => target.columns(['collection', 'key']).doUpdateSet(set))
          .returning('version')
      : expect === null
        ? insert
            .onConflict((target) => target.columns(['collection', 'key']).doNothing())
            .returning('version')
        : db
            .updateTable('records')
            .set(set)
            .where('collection', '=', collection)
            .where('key', '=', key)
            .where('version', '=', expect)
            .returning('version')
  return (await written.executeTakeFirst()) === undefined ? null : { collection, key, value, owner, version }
}

/** Writes a record that concerns no user and does not expire. */
export async function insertRecord(
  tx: Transaction,
  { collection, key, value }: Pick<NewRecord, 'collection' | 'key' | 'value'>,
): Promise<void> {
  const row = {
    collection,
    key,
    user_id: null,
    version: randomUUID(),
    expires_at: null,
    value: JSON.stringify(value),
  }
  await insertRows(tx, 'records', [row], { keys: ['collection', 'key'] })
}

/** Takes an erased user's name out of records that list users, unless it is also the name of a user of another tenant that they open. */
export async function hideUserInRecords(
  { db }: Transaction,
  erased: { readonly tenant: string; readonly user: string; readonly salt: string },
): Promise<void> {
  const { tenant, user, salt } = erased
  const erasedName = digestName(salt, user)
  const namesakes = await db.selectFrom('users').select('tenant').where('name', '=', user).execute()
  const others = namesakes.map((row) => row.tenant).filter((name) => name !== tenant)
  const listing = db.selectFrom('records').select(RECORD).where('user_id', 'is', null)
  for (const row of await listing.where('value', 'like', '%"users":[%').execute()) {
    const { collection, key, value } = recordOf(row)
    const { tenants } = value
    const opens = (name: string | null): boolean => !Array.isArray(tenants) || tenants.includes(name)
    const hidden = opens(tenant) && !others.some(opens) ? hideUser(value, user, erasedName) : null
    if (hidden === null) continue
    const set = { value: JSON.stringify(hidden), version: randomUUID() }
    await db
      .updateTable('records')
      .set(set)
      .where('collection', '=', collection)
      .where('key', '=', key)
      .execute()
  }
}

/** A user who was erased meanwhile gets no record. */
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

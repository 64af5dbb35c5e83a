import { randomUUID } from 'node:crypto'
import type { SelectQueryBuilder } from 'kysely'
import { NotFoundError } from '../../errors/not-found-error.ts'
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
    .$if(owner !== undefined, (one) => one.where('user_id', '=', owner ?? 0))
    .$if(prefix !== undefined, (one) =>
      one.where('key', '>=', prefix ?? '').where('key', '<', `${prefix}${LAST}`),
    )
    .$if(after !== undefined, (one) => one.where('key', '>', after ?? ''))
    .$if(limit !== undefined, (one) => one.limit(limit ?? 0))
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
  const set = ['user_id', 'version', 'expires_at', 'value']
  await insertRows(tx, 'records', [row], { keys: ['collection', 'key'], set })
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

// Erases content from every table and keeps a receipt. Called by `Store.erase`.
import { randomBytes, scryptSync } from 'node:crypto'
import { InvalidInputError } from '@keepsake/text'
import { StoreError } from '../../errors/errors.ts'
import { projectLog } from '../../memories/apply-operation.ts'
import type { EraseReceipt, EraseRequest } from '../store.ts'
import { selectMemories, writeLog } from './commit-change.ts'
import { erasedId } from './encode-rows.ts'
import { hideUserInRecords, putRecord } from './records.ts'
import { lockUser, type UserCounters } from './scopes.ts'
import type { Transaction } from './sql-database.ts'
import { changedRows, insertRows, statementForIds } from './statements.ts'
import type { USER_TABLES } from './tables.ts'

type Removed = Pick<EraseReceipt, 'turns' | 'memories' | 'payloads' | 'documents'>

const RECEIPT_COLUMNS = [
  'id',
  'at',
  'turns',
  'memories',
  'payloads',
  'documents',
  'purged_at as purgedAt',
] as const

export async function listErasures({ db }: Transaction, userId: number): Promise<EraseReceipt[]> {
  const select = db.selectFrom('erasures').select(RECEIPT_COLUMNS).where('user_id', '=', userId)
  return select.orderBy('at').orderBy('id').execute()
}

interface ErasureKey {
  readonly user_id: number
  readonly id: string
}

/** Lists erasures whose bytes may still be in a file. */
export async function listUnpurged({ db }: Transaction): Promise<ErasureKey[]> {
  return db.selectFrom('erasures').select(['user_id', 'id']).where('purged_at', 'is', null).execute()
}

/** Records that the bytes of these erasures were removed. */
export async function markPurged(
  { db, database }: Transaction,
  erasures: readonly ErasureKey[],
): Promise<void> {
  const purged_at = await database.now(db)
  for (const { user_id, id } of erasures)
    await db
      .updateTable('erasures')
      .set({ purged_at })
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .execute()
}

/** Removes content from every table and stores a receipt. A repeated id returns the first receipt and removes nothing. */
export async function eraseContent(tx: Transaction, request: EraseRequest): Promise<EraseReceipt> {
  const { id, userId, at, target } = request
  const counters = await lockUser(tx, userId)
  const known = (await listErasures(tx, userId)).find((receipt) => receipt.id === id)
  if (known !== undefined) return known
  const revision = counters.revision + 1
  const isUser = target === 'user'
  const removed = isUser
    ? await eraseUser(tx, request, revision)
    : await eraseNamed(tx, request, target, counters)
  // Each erased memory gets an operation in the log. Erasing a whole user adds none.
  const sequence = counters.sequence + (isUser ? 0 : removed.memories)
  await tx.db
    .updateTable('users')
    .set({ revision, fact_revision: revision, erased_revision: revision, sequence })
    .where('user_id', '=', userId)
    .execute()
  // A failed job keeps the model's raw answer, and the reason may quote it.
  await tx.db.updateTable('jobs').set({ reason: null, answer: null }).where('user_id', '=', userId).execute()
  await insertRows(tx, 'erasures', [{ user_id: userId, id, at, ...removed, purged_at: null }])
  if (request.record !== undefined) await putRecord(tx, request.record)
  return { id, at, ...removed, purgedAt: null }
}

/** Column values of an erased memory. `state` is the JSON of `changeFromBlank` for it. */
const TOMBSTONE = {
  status: 'erased',
  form: 'fact',
  type: 'event',
  session: '',
  name: null,
  learned_at: 0,
  valid_until: null,
  metadata: null,
  state: '{"status":"erased"}',
} as const

/** Removes all content of a user. What remains is the log without payloads, the tombstones, and a digest of the key. */
async function eraseUser(tx: Transaction, request: EraseRequest, revision: number): Promise<Removed> {
  const { db } = tx
  const { userId } = request
  const payloads = changedRows(
    await db
      .updateTable('operations')
      .set({ before: null, after: null })
      .where('user_id', '=', userId)
      .where('after', 'is not', null)
      .execute(),
  )
  const memories = changedRows(
    await db
      .updateTable('memories')
      .set({ ...TOMBSTONE, revision })
      .where('user_id', '=', userId)
      .where('status', '!=', 'erased')
      .execute(),
  )
  const turns = await countTexts(tx, userId)
  const removeAll = async (table: (typeof USER_TABLES)[number]): Promise<number> =>
    changedRows(await db.deleteFrom(table).where('user_id', '=', userId).execute())
  const documents = await removeAll('documents')
  for (const table of ['turns', 'sessions', 'evidence', 'usage', 'progress', 'jobs'] as const)
    await removeAll(table)
  await db.deleteFrom('records').where('user_id', '=', userId).execute()
  await removeUserNames(tx, request)
  return { turns, memories, payloads, documents }
}

/** Counts the user's turns that still have their text. */
async function countTexts({ db }: Transaction, userId: number): Promise<number> {
  const row = await db
    .selectFrom('turns')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('user_id', '=', userId)
    .where('text', 'is not', null)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Removes the names of a user from scopes, the user's row, and records that list users. */
async function removeUserNames(tx: Transaction, { userId, salt }: EraseRequest): Promise<void> {
  const { db } = tx
  await db
    .updateTable('scopes')
    .set({ is_erased: 1, agent: null, app: null })
    .where('user_id', '=', userId)
    .execute()
  const key = await db
    .selectFrom('users')
    .select(['tenant', 'name'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const { tenant = null, name = null } = key ?? {}
  if (tenant === null || name === null) return
  const nameless = { tenant: null, name: null, digest: digestKey(tenant, name) }
  await db.updateTable('users').set(nameless).where('user_id', '=', userId).execute()
  await hideUserInRecords(tx, { tenant, user: name, salt: salt ?? randomBytes(16).toString('base64url') })
}

/** Digests a user's key. The digest is salted and slow, so that guesses of user ids against a copy of the file are costly. */
function digestKey(tenant: string, user: string): string {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('hex')}:${scryptSync(JSON.stringify([tenant, user]), salt, 32).toString('hex')}`
}

/** Maximum number of ids in one statement, since databases limit parameters. */
const IDS_PER_QUERY = 500

async function forEachChunk(
  ids: readonly string[],
  visit: (chunk: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY)
    await visit(ids.slice(from, from + IDS_PER_QUERY))
}

/** Erases the named turns and memories. */
async function eraseNamed(
  tx: Transaction,
  request: EraseRequest,
  target: Exclude<EraseRequest['target'], 'user'>,
  counters: UserCounters,
): Promise<Removed> {
  const { userId } = request
  const { db } = tx
  const turns = [...new Set(target.turns)]
  const named = new Set(target.memories)
  await requireDependentsNamed(tx, userId, turns, named)
  const removed = { turns: 0, memories: 0, payloads: 0, documents: 0 }
  const memories = (await selectMemories(tx, { userId }, [...named])).map(({ id }) => id)
  await forEachChunk(memories, async (chunk) => {
    const payloads = db
      .updateTable('operations')
      .set({ before: null, after: null })
      .where('user_id', '=', userId)
    removed.payloads += changedRows(
      await payloads.where('memory', 'in', chunk).where('after', 'is not', null).execute(),
    )
    await db.deleteFrom('evidence').where('user_id', '=', userId).where('memory_id', 'in', chunk).execute()
    await db.deleteFrom('usage').where('user_id', '=', userId).where('memory_id', 'in', chunk).execute()
    removed.documents += await removeDocuments(tx, userId, 'memory', chunk)
  })
  await writeTombstones(tx, request, memories, counters)
  await forEachChunk(turns, async (chunk) => {
    const update = db
      .updateTable('turns')
      .set({ text: null, speaker: null, time_zone: null, metadata: null })
      .where('user_id', '=', userId)
      .where('id', 'in', chunk)
    removed.turns += changedRows(await update.where('text', 'is not', null).execute())
    removed.documents += await removeDocuments(tx, userId, 'turn', chunk)
  })
  await hideIds(tx, userId, turns)
  return { ...removed, memories: memories.length }
}

async function removeDocuments(
  { db }: Transaction,
  userId: number,
  kind: 'turn' | 'memory',
  ids: readonly string[],
): Promise<number> {
  const remove = db.deleteFrom('documents').where('user_id', '=', userId).where('kind', '=', kind)
  return changedRows(await remove.where('id', 'in', ids).execute())
}

const selectDependents = statementForIds((db, { userId }: { userId: number }, turns) =>
  db
    .selectFrom('evidence')
    .select('memory_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('turn_id', 'in', turns),
)

/** Refuses an erasure that does not name every memory with evidence in its turns. Such a memory would still quote them. */
async function requireDependentsNamed(
  tx: Transaction,
  userId: number,
  turns: readonly string[],
  named: ReadonlySet<string>,
): Promise<void> {
  const dependents = await selectDependents(tx, { userId }, turns)
  const missed = dependents.find(({ memory_id }) => !named.has(memory_id))
  if (missed === undefined) return
  throw new StoreError(
    'store-busy',
    `Memory "${missed.memory_id}" rests on a turn to be erased and was not named. Nothing was erased: list the memories that rest on the turns again, and retry.`,
    { details: { memory: missed.memory_id } },
  )
}

async function writeTombstones(
  tx: Transaction,
  request: EraseRequest,
  memories: readonly string[],
  counters: UserCounters,
): Promise<void> {
  const ids = new Set<string | null>(memories)
  const operations = request.operations.filter(({ memory }) => ids.has(memory))
  const tombstones = [...projectLog(operations).values()]
  const isOneForEach = operations.length === ids.size && tombstones.length === ids.size
  if (!isOneForEach || tombstones.some(({ status }) => status !== 'erased'))
    throw new InvalidInputError('Erasing memories needs one erase operation for each of them.')
  const numbered = operations.map((operation, index) => ({
    ...operation,
    sequence: counters.sequence + index + 1,
  }))
  await writeLog(tx, { userId: request.userId, revision: counters.revision + 1 }, numbered, tombstones)
}

/** Replaces the ids of erased turns and of sessions without texts. Removes records that expire, since they may contain such ids. */
async function hideIds({ db }: Transaction, userId: number, turns: readonly string[]): Promise<void> {
  const sessions = new Map<string, { readonly scope_id: number; readonly session: number }>()
  for (const id of turns) {
    const row = await db
      .updateTable('turns')
      .set({ id: erasedId(id) })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('text', 'is', null)
      .returning(['scope_id', 'session'])
      .executeTakeFirst()
    if (row !== undefined) sessions.set(`${row.scope_id}/${row.session}`, row)
  }
  for (const { scope_id, session } of sessions.values()) {
    const turnsOfSession = db
      .selectFrom('turns')
      .select('position')
      .where('user_id', '=', userId)
      .where('scope_id', '=', scope_id)
      .where('session', '=', session)
    const withText = await turnsOfSession.where('text', 'is not', null).executeTakeFirst()
    if (withText === undefined) await hideSession({ db, userId, scope: scope_id, number: session })
  }
  await db.deleteFrom('records').where('user_id', '=', userId).where('expires_at', 'is not', null).execute()
}

async function hideSession({
  db,
  userId,
  scope,
  number,
}: Pick<Transaction, 'db'> & { userId: number; scope: number; number: number }): Promise<void> {
  const sessionsOfScope = db
    .selectFrom('sessions')
    .select(['id', 'number'])
    .where('user_id', '=', userId)
    .where('scope_id', '=', scope)
  const row = await sessionsOfScope.where('number', '=', number).executeTakeFirst()
  if (row === undefined) return
  // An erased session can start again under its id, and be erased again. Then the hidden id exists, and gets a number.
  const hidden = erasedId(row.id)
  const taken = await sessionsOfScope
    .where((eb) => eb.or([eb('id', '=', hidden), eb('id', 'like', `${hidden}-%`)]))
    .execute()
  await db
    .updateTable('sessions')
    .set({ id: taken.length === 0 ? hidden : `${hidden}-${taken.length}` })
    .where('user_id', '=', userId)
    .where('scope_id', '=', scope)
    .where('number', '=', number)
    .execute()
  await db
    .deleteFrom('jobs')
    .where('user_id', '=', userId)
    .where('scope_id', '=', scope)
    .where('session', '=', row.id)
    .execute()
}

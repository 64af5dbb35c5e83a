// Writes a decided change in one transaction: log, memories, evidence, documents and jobs. Called by `Store.commit`.
import { sql } from 'kysely'
import { InvalidInputError } from '@keepsake/text'
import type { Memory } from '../../memories/memory.ts'
import type { Operation } from '../../memories/operation.ts'
import { turnsQuoted } from '../../memories/apply-operation.ts'
import type { Change, CommitResult, NewDocument, UsageCount } from '../store.ts'
import { documentRow, memoriesTouched, memoryRow, operationRow, usageRow } from './encode-rows.ts'
import { endSession, finishJobs, queueJobs } from './jobs.ts'
import { lockScope, lockUser, raiseRevision, readMark } from './scopes.ts'
import { insertRows, ROWS_PER_INSERT, statementForIds, type Transaction } from './sql-database.ts'

/**
 * Applies a change, unless the user's turns, memories or progress changed after the revision that it was decided on. Jobs
 * are finished before others are queued, so that a job may queue its successor.
 */
export async function commitChange(
  tx: Transaction,
  change: Change,
  expectedRevision: number,
): Promise<CommitResult> {
  const { userId, scope } = change
  const mark = await lockScope(tx, userId, scope)
  if (mark.factRevision > expectedRevision) return { outcome: 'conflict', revision: mark.revision }
  const operations = change.operations.map((operation, index) => ({
    ...operation,
    sequence: mark.sequence + index + 1,
  }))
  const revision = await raiseRevision(tx, userId, mark, operations.length)
  await writeLog(tx, { userId, revision }, operations, change.memories)
  await writeDocuments(tx, userId, revision, change.documents)
  const progress = change.progress.map((progress) => ({ user_id: userId, scope_id: scope, ...progress }))
  await insertRows(tx, 'progress', progress, { keys: ['user_id', 'scope_id', 'branch'] })
  for (const one of change.endSessions) await endSession(tx, { userId, scope, ...one })
  await finishJobs(tx, userId, change.finishJobs)
  await queueJobs(tx, userId, change.queueJobs)
  return { outcome: 'committed', revision, operations }
}

interface Written {
  readonly userId: number
  readonly revision: number
}

/**
 * Writes operations and the memories they leave.
 * @throws InvalidInputError when the memories are not just those that the operations touch: the log could not yield them.
 */
export async function writeLog(
  tx: Transaction,
  { userId, revision }: Written,
  operations: readonly Operation[],
  memories: readonly Memory[],
): Promise<void> {
  if (operations.length === 0 && memories.length === 0) return
  const touches = touchesOf(operations)
  const left = new Set(memories.map(({ id }) => id))
  const missing = [...touches.keys()].find((id) => !left.has(id))
  if (missing !== undefined)
    throw new InvalidInputError(`An operation touches memory "${missing}", and what it leaves is not given.`)
  const known = await numbersOf(tx, userId, touches)
  const rows = memories.map((memory) => {
    const by = touches.get(memory.id)
    const last = by?.at(-1)
    if (by === undefined || last === undefined)
      throw new InvalidInputError(`No operation touches memory "${memory.id}": the log could not yield it.`)
    const number = known.get(memory.id) ?? by[0]?.sequence ?? last.sequence
    return memoryRow({ userId, number, sequence: last.sequence, revision }, memory)
  })
  // Names that become free are free before others take them.
  const inOrder = rows.toSorted((a, b) => Number(a.name !== null) - Number(b.name !== null))
  await insertRows(tx, 'memories', inOrder, { keys: ['user_id', 'number'] })
  await insertRows(
    tx,
    'operations',
    operations.map((operation) => operationRow(userId, operation)),
  )
  const evidence = memories.flatMap((memory) =>
    [...turnsQuoted(memory, touches.get(memory.id) ?? [])].map((turn_id) => ({
      user_id: userId,
      turn_id,
      memory_id: memory.id,
    })),
  )
  await insertRows(tx, 'evidence', evidence, { keys: ['user_id', 'turn_id', 'memory_id'], set: [] })
}

function touchesOf(operations: readonly Operation[]): Map<string, Operation[]> {
  const touches = new Map<string, Operation[]>()
  for (const operation of operations)
    for (const id of memoriesTouched(operation)) {
      const known = touches.get(id)
      if (known === undefined) touches.set(id, [operation])
      else known.push(operation)
    }
  return touches
}

/** Numbers of memories that exist: what an `add` creates is not among them. */
async function numbersOf(
  tx: Transaction,
  userId: number,
  touches: ReadonlyMap<string, readonly Operation[]>,
): Promise<Map<string, number>> {
  const ids = [...touches].flatMap(([id, [first]]) => (first?.kind === 'add' ? [] : [id]))
  return new Map((await selectNumbers(tx, { userId }, ids)).map(({ id, number }) => [id, number]))
}

const selectNumbers = statementForIds((db, { userId }: { userId: number }, ids) =>
  db.selectFrom('memories').select(['id', 'number']).where('user_id', '=', userId).where('id', 'in', ids),
)

/** @throws InvalidInputError for a document of a memory or turn that does not exist. */
async function writeDocuments(
  tx: Transaction,
  userId: number,
  revision: number,
  documents: readonly NewDocument[],
): Promise<void> {
  if (documents.length === 0) return
  const there = await withContent(tx, userId, documents)
  const lost = documents.find((document) => !there.includes(document))
  if (lost !== undefined)
    throw new InvalidInputError(`There is no ${lost.kind} "${lost.id}" that this document could belong to.`)
  await upsertDocuments(tx, userId, revision, documents)
}

async function upsertDocuments(
  tx: Transaction,
  userId: number,
  revision: number,
  documents: readonly NewDocument[],
): Promise<void> {
  const rows = documents.map((document) => documentRow(userId, revision, document))
  await insertRows(tx, 'documents', rows, { keys: ['user_id', 'kind', 'id'] })
}

/** Documents whose turn or memory still has its content. */
async function withContent(
  tx: Transaction,
  userId: number,
  documents: readonly NewDocument[],
): Promise<NewDocument[]> {
  const idsOf = (wanted: NewDocument['kind']) =>
    documents.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  const turns = new Set((await selectTurns(tx, { userId }, idsOf('turn'))).map(({ id }) => id))
  const memories = new Set((await selectMemories(tx, { userId }, idsOf('memory'))).map(({ id }) => id))
  return documents.filter(({ kind, id }) => (kind === 'turn' ? turns : memories).has(id))
}

const selectTurns = statementForIds((db, { userId }: { userId: number }, ids) =>
  db
    .selectFrom('turns')
    .select('id')
    .where('user_id', '=', userId)
    .where('text', 'is not', null)
    .where('id', 'in', ids),
)

const selectMemories = statementForIds((db, { userId }: { userId: number }, ids) =>
  db
    .selectFrom('memories')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '!=', 'erased')
    .where('id', 'in', ids),
)

/** Replaces documents; those of turns and memories erased meanwhile are passed over. */
export async function saveDocuments(
  tx: Transaction,
  userId: number,
  documents: readonly NewDocument[],
): Promise<number> {
  const { revision: before } = await lockUser(tx, userId)
  const revision = before + 1
  await tx.db.updateTable('users').set({ revision }).where('user_id', '=', userId).execute()
  await upsertDocuments(tx, userId, revision, await withContent(tx, userId, documents))
  return revision
}

/** Characters of rounds kept of a memory. */
const ROUND_CHARACTERS = 8_000

/** Adds to usage counters, in one statement. Memories that are gone are left out by the caller's next load. */
export async function addUsage(
  tx: Transaction,
  userId: number,
  counts: readonly UsageCount[],
): Promise<void> {
  if (counts.length === 0) return
  const { revision } = await readMark(tx, userId)
  const joined = sql<string>`usage.rounds || excluded.rounds`
  for (let from = 0; from < counts.length; from += ROWS_PER_INSERT) {
    const rows = counts
      .slice(from, from + ROWS_PER_INSERT)
      .map((count) => ({ ...usageRow(userId, count), revision }))
    await tx.db
      .insertInto('usage')
      .values(rows)
      .onConflict((target) =>
        target.columns(['user_id', 'memory_id']).doUpdateSet({
          revision: sql`excluded.revision`,
          first: sql`usage.first + excluded.first`,
          second: sql`usage.second + excluded.second`,
          rounds: sql`CASE WHEN length(${joined}) > ${sql.lit(ROUND_CHARACTERS)}
            THEN substr(${joined}, length(${joined}) - ${sql.lit(ROUND_CHARACTERS - 1)}) ELSE ${joined} END`,
          // What is used in a round is suppressed in it no more.
          second_at: sql`CASE WHEN excluded.second_at IS NOT NULL THEN excluded.second_at
            WHEN usage.second_at >= 0 AND (excluded.rounds || ',') LIKE ('%,' || usage.second_at || ',%') THEN -1
            ELSE usage.second_at END`,
          last_session: sql`CASE WHEN excluded.last_session > usage.last_session THEN excluded.last_session ELSE usage.last_session END`,
          last_at: sql`CASE WHEN excluded.last_at > usage.last_at THEN excluded.last_at ELSE usage.last_at END`,
        }),
      )
      .execute()
  }
}

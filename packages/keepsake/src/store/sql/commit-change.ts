// Writes changes of a user's memories: whole decisions (`Store.commit`), replaced documents, and usage counters.
import { InvalidInputError } from '@keepsake/text'
import type { Memory } from '../../memories/memory.ts'
import type { Operation } from '../../memories/operation.ts'
import { joinTallies, turnsQuoted } from '../../memories/apply-operation.ts'
import type { Change, CommitResult, NewDocument, UsageCount } from '../store.ts'
import { documentRow, memoriesTouched, memoryRow, operationRow, usageOf, usageRow } from './encode-rows.ts'
import { endSession, finishJobs, queueJobs } from './jobs.ts'
import { lockScope, lockUser, raiseRevision } from './scopes.ts'
import type { Transaction } from './sql-database.ts'
import { insertRows, statementForIds } from './statements.ts'

/** Applies a change, unless the user's turns, memories or progress changed after the revision that it was decided on. */
export async function commitChange(
  tx: Transaction,
  change: Change,
  expectedRevision: number,
): Promise<CommitResult> {
  const { userId, scope } = change
  const counters = await lockScope(tx, userId, scope)
  if (counters.factRevision > expectedRevision) return { outcome: 'conflict', revision: counters.revision }
  const operations = change.operations.map((operation, index) => ({
    ...operation,
    sequence: counters.sequence + index + 1,
  }))
  const revision = await raiseRevision(tx, userId, counters, operations.length)
  await writeLog(tx, { userId, revision }, operations, change.memories)
  await writeDocuments(tx, userId, revision, change.documents)
  const progress = change.progress.map((progress) => ({ user_id: userId, scope_id: scope, ...progress }))
  await insertRows(tx, 'progress', progress, { keys: ['user_id', 'scope_id', 'branch'] })
  for (const ended of change.endSessions) await endSession(tx, { userId, scope, ...ended })
  // Jobs are finished before others are queued, so that a job can queue its successor.
  await finishJobs(tx, userId, change.finishJobs)
  await queueJobs(tx, userId, change.queueJobs)
  return { outcome: 'committed', revision, operations }
}

interface UserRevision {
  readonly userId: number
  readonly revision: number
}

/** Writes operations and the memories that they change. @throws InvalidInputError if they are not exactly those */
export async function writeLog(
  tx: Transaction,
  { userId, revision }: UserRevision,
  operations: readonly Operation[],
  memories: readonly Memory[],
): Promise<void> {
  if (operations.length === 0 && memories.length === 0) return
  const operationsById = groupByMemory(operations)
  const resultIds = new Set(memories.map(({ id }) => id))
  const missing = [...operationsById.keys()].find((id) => !resultIds.has(id))
  if (missing !== undefined)
    throw new InvalidInputError(`An operation touches memory "${missing}", and what it leaves is not given.`)
  const knownNumbers = await readNumbers(tx, userId, operationsById)
  const rows = memories.map((memory) => {
    const changes = operationsById.get(memory.id)
    const last = changes?.at(-1)
    if (changes === undefined || last === undefined)
      throw new InvalidInputError(`No operation touches memory "${memory.id}": the log could not yield it.`)
    // A memory's number is the sequence of the operation that added it. Memories are listed in this order.
    const number = knownNumbers.get(memory.id) ?? changes[0]?.sequence ?? last.sequence
    return memoryRow({ userId, number, sequence: last.sequence, revision }, memory)
  })
  // Names are unique. Memories that give up their name come first, so that another memory can take it.
  const namelessFirst = rows.toSorted((a, b) => Number(a.name !== null) - Number(b.name !== null))
  await insertRows(tx, 'memories', namelessFirst, { keys: ['user_id', 'number'] })
  const operationRows = operations.map((operation) => operationRow(userId, operation))
  await insertRows(tx, 'operations', operationRows)
  const evidence = memories.flatMap((memory) =>
    [...turnsQuoted(memory, operationsById.get(memory.id) ?? [])].map((turn_id) => ({
      user_id: userId,
      turn_id,
      memory_id: memory.id,
    })),
  )
  // With no columns to set, a row that is stored already stays as it is.
  await insertRows(tx, 'evidence', evidence, { keys: ['user_id', 'turn_id', 'memory_id'], set: [] })
}

function groupByMemory(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations)
    for (const id of memoriesTouched(operation)) {
      const group = groups.get(id)
      if (group === undefined) groups.set(id, [operation])
      else group.push(operation)
    }
  return groups
}

/** Reads the numbers of stored memories. A memory that these operations add has none yet. */
async function readNumbers(
  tx: Transaction,
  userId: number,
  operationsById: ReadonlyMap<string, readonly Operation[]>,
): Promise<Map<string, number>> {
  const ids = [...operationsById].flatMap(([id, [first]]) => (first?.kind === 'add' ? [] : [id]))
  const rows = await selectNumbers(tx, { userId }, ids)
  return new Map(rows.map(({ id, number }) => [id, number]))
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
  const withOwner = await selectWithContent(tx, userId, documents)
  const orphan = documents.find((document) => !withOwner.includes(document))
  if (orphan !== undefined)
    throw new InvalidInputError(
      `There is no ${orphan.kind} "${orphan.id}" that this document could belong to.`,
    )
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

/** Returns the documents whose turn or memory exists and is not erased. */
async function selectWithContent(
  tx: Transaction,
  userId: number,
  documents: readonly NewDocument[],
): Promise<NewDocument[]> {
  const idsOf = (owner: NewDocument['kind']) =>
    documents.filter(({ kind }) => kind === owner).map(({ id }) => id)
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

/** Selects the ids of memories that are not erased. */
export const selectMemories = statementForIds((db, { userId }: { userId: number }, ids) =>
  db
    .selectFrom('memories')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '!=', 'erased')
    .where('id', 'in', ids),
)

/** Replaces documents. Documents of erased turns and memories are skipped. @returns the new revision */
export async function saveDocuments(
  tx: Transaction,
  userId: number,
  documents: readonly NewDocument[],
): Promise<number> {
  const { revision: before } = await lockUser(tx, userId)
  const revision = before + 1
  await tx.db.updateTable('users').set({ revision }).where('user_id', '=', userId).execute()
  await upsertDocuments(tx, userId, revision, await selectWithContent(tx, userId, documents))
  return revision
}

const selectUsage = statementForIds((db, { userId }: { userId: number }, ids) =>
  db.selectFrom('usage').selectAll().where('user_id', '=', userId).where('memory_id', 'in', ids),
)

/** Adds to usage counters. Counts of erased memories do no harm, because the next load of the user ignores them. */
export async function addUsage(
  tx: Transaction,
  userId: number,
  counts: readonly UsageCount[],
): Promise<void> {
  if (counts.length === 0) return
  const { revision } = await lockUser(tx, userId)
  const ids = counts.map(({ memory }) => memory)
  const stored = (await selectUsage(tx, { userId }, ids)).map(usageOf)
  const known = new Map(stored.map(({ memory, tally }) => [memory, tally]))
  const rows = counts.map(({ memory, tally }) => {
    const before = known.get(memory)
    const total = before === undefined ? tally : joinTallies(before, tally)
    return { ...usageRow(userId, { memory, tally: total }), revision }
  })
  await insertRows(tx, 'usage', rows, { keys: ['user_id', 'memory_id'] })
}

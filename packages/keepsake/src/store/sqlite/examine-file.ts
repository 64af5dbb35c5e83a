// Examines a SQLite file for defects and repairs what it can, for `keepsake doctor`.
import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'better-sqlite3'
import type { Selectable } from 'kysely'
import { changeFromBlank, memoryFromBlank, projectLog, turnsQuoted } from '../../memories/apply-operation.ts'
import type { Memory } from '../../memories/memory.ts'
import type { MemoryChange, Operation } from '../../memories/operation.ts'
import { memoryRow, operationOf } from '../sql/encode-rows.ts'
import type { Tables } from '../sql/tables.ts'
import { openConnection } from './open-connection.ts'
import { translateError } from './translate-error.ts'

/** The kinds of defects that a file is checked for. */
export const CHECKS = ['pages', 'projection', 'index', 'orphans', 'erasures', 'access'] as const
export type Check = (typeof CHECKS)[number]

/** A defect of a file. It quotes no stored text. */
export interface Finding {
  readonly check: Check
  /** A sentence that says what is wrong, how often and where. */
  readonly detail: string
  /** `mendable` by the option `mend`, `mended` by this call, or `lost`: only a backup or an export can help. */
  readonly state: 'mendable' | 'mended' | 'lost'
}

export interface ExamineOptions {
  readonly path: string
  /** Repairs what can be repaired; without it, nothing is changed. */
  readonly mend?: boolean
}

/** The result of an examination. */
export interface Examined {
  readonly findings: readonly Finding[]
  /** Row numbers of users with turns that lack an index document. `Keepsake.rebuildIndex` makes them. */
  readonly unindexed: readonly number[]
}

/** Maximum number of defects that SQLite reports of a file's pages. */
const MAX_PROBLEMS = 20

/**
 * Examines a memory's file: its pages, whether memories match the log, whether every turn is indexed, and rows whose owner is
 * missing. With `mend`, repairs everything that can be computed from the log or from other rows.
 *
 * @throws StoreError when the file cannot be opened at all
 * @example
 * const { findings } = await examineFile({ path: 'memory.db' })
 */
export async function examineFile({ path, mend = false }: ExamineOptions): Promise<Examined> {
  const database = await openConnection({ path, readOnly: !mend })
  try {
    const pages = checkPages(database, mend)
    // Rows in damaged pages cannot be checked.
    const isReadable = pages.every(({ state }) => state !== 'lost')
    if (mend) database.exec('BEGIN IMMEDIATE')
    const rows = isReadable ? checkRows(database, mend) : []
    if (mend) database.exec('COMMIT')
    const unindexed = isReadable ? findUnindexed(database) : []
    const index = unindexed.map(({ userId, turns }): Finding => {
      const detail = `Of user ${userId}, ${turns} turns are in no index: recall does not find them.`
      return { check: 'index', detail, state: 'mendable' }
    })
    const findings = [...(await checkAccess(path)), ...pages, ...rows, ...index]
    return { findings, unindexed: unindexed.map(({ userId }) => userId) }
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw translateError(error, path)
  } finally {
    database.close()
  }
}

async function checkAccess(path: string): Promise<Finding[]> {
  const { mode } = await stat(path)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  const detail = `Other accounts of this machine may read the file: "chmod 600" it, if they are not meant to.`
  return [{ check: 'access', detail, state: 'lost' }]
}

function checkPages(database: Database, mend: boolean): Finding[] {
  const problems = checkIntegrity(database)
  if (problems.length === 0) return []
  if (mend && problems.every(isOfIndex)) {
    database.exec('REINDEX')
    if (checkIntegrity(database).length === 0)
      return problems.map((detail) => ({ check: 'pages', detail, state: 'mended' }))
  }
  const state = problems.every(isOfIndex) && !mend ? 'mendable' : 'lost'
  return problems.map((detail) => ({ check: 'pages', detail, state }))
}

/** Runs SQLite's own check. Its messages name tables and pages, and quote no row. */
function checkIntegrity(database: Database): string[] {
  const rows = database.pragma(`integrity_check(${MAX_PROBLEMS})`) as { readonly integrity_check: string }[]
  return rows.map((row) => row.integrity_check).filter((problem) => problem !== 'ok')
}

/** Whether a problem concerns a SQLite index. `REINDEX` builds indexes again from their tables. */
function isOfIndex(problem: string): boolean {
  return /missing from index|wrong # of entries in index|non-unique entry in index/.test(problem)
}

function checkRows(database: Database, mend: boolean): Finding[] {
  const findings = [...checkOrphans(database, mend), ...checkProjections(database, mend)]
  if (countRows(database, 'erasures WHERE purged_at IS NULL') === 0) return findings
  const detail = 'Bytes of an erasure are still in the file: they are removed while it is open for writing.'
  return [...findings, { check: 'erasures', detail, state: 'mendable' }]
}

const hasScope = (table: string): string =>
  `EXISTS (SELECT 1 FROM scopes s WHERE s.user_id = ${table}.user_id AND s.scope_id = ${table}.scope_id)`
const hasMemory = (table: string, column: string): string =>
  `EXISTS (SELECT 1 FROM memories m WHERE m.user_id = ${table}.user_id AND m.id = ${table}.${column})`
const hasTurn = (table: string, column: string): string =>
  `EXISTS (SELECT 1 FROM turns t WHERE t.user_id = ${table}.user_id AND t.id = ${table}.${column})`

/** Conditions for rows whose owner is missing, by table. Such rows can be deleted, since nothing reads them. */
const ORPHANS: Readonly<Record<string, string>> = {
  documents: `NOT CASE kind WHEN 'turn' THEN ${hasTurn('documents', 'id')} ELSE ${hasMemory('documents', 'id')} END`,
  evidence: `NOT ${hasTurn('evidence', 'turn_id')} OR NOT ${hasMemory('evidence', 'memory_id')}`,
  usage: `NOT ${hasMemory('usage', 'memory_id')}`,
  progress: `NOT ${hasScope('progress')}`,
  jobs: `NOT ${hasScope('jobs')}`,
}

/** Conditions for rows whose owner is missing and cannot be restored, by a description for the message. */
const LOST: Readonly<Record<string, string>> = {
  'turns of missing scopes': `turns WHERE NOT ${hasScope('turns')}`,
  'turns of missing sessions': `turns t WHERE text IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM sessions s WHERE s.user_id = t.user_id AND s.scope_id = t.scope_id AND s.number = t.session)`,
  'operations on missing memories': `operations WHERE memory IS NOT NULL AND NOT ${hasMemory('operations', 'memory')}`,
  'operations that lost what they did': `operations o JOIN memories m ON m.user_id = o.user_id AND m.id = o.memory
    WHERE m.status <> 'erased' AND o.kind IN ('add', 'modify') AND o.after IS NULL`,
}

function countRows(database: Database, from: string): number {
  return Number(database.prepare(`SELECT count(*) FROM ${from}`).pluck().get())
}

/** Finds orphans, which can be deleted, and lost rows. */
function checkOrphans(database: Database, mend: boolean): Finding[] {
  const findings: Finding[] = []
  for (const [table, condition] of Object.entries(ORPHANS)) {
    const count = countRows(database, `${table} WHERE ${condition}`)
    if (count === 0) continue
    if (mend) database.exec(`DELETE FROM ${table} WHERE ${condition}`)
    const detail = `${count} rows of "${table}" belong to nothing.`
    findings.push({ check: 'orphans', detail, state: mend ? 'mended' : 'mendable' })
  }
  for (const [description, from] of Object.entries(LOST)) {
    const count = countRows(database, from)
    const detail = `There are ${count} ${description}.`
    if (count > 0) findings.push({ check: 'orphans', detail, state: 'lost' })
  }
  return findings
}

/** Finds users with turns that have no index document. */
function findUnindexed(database: Database): readonly { readonly userId: number; readonly turns: number }[] {
  return database
    .prepare<[], { userId: number; turns: number }>(
      `SELECT t.user_id AS userId, count(*) AS turns FROM turns t
      LEFT JOIN documents d ON d.user_id = t.user_id AND d.kind = 'turn' AND d.id = t.id
      WHERE t.text IS NOT NULL AND d.id IS NULL GROUP BY t.user_id`,
    )
    .all()
}

type MemoryCells = Selectable<Tables['memories']>

/** Compares each user's memories with the projection of the log. With `mend`, writes the projection where they differ. */
function checkProjections(database: Database, mend: boolean): Finding[] {
  const users = database.prepare<[], number>('SELECT user_id FROM users ORDER BY user_id').pluck().all()
  return users.flatMap((userId) => checkProjection(database, userId, mend))
}

function checkProjection(database: Database, userId: number, mend: boolean): Finding[] {
  const log = database
    .prepare<[number], Selectable<Tables['operations']>>(
      'SELECT * FROM operations WHERE user_id = ? ORDER BY sequence',
    )
    .all(userId)
    .map(operationOf)
  const projected = projectLog(log)
  const stored = database
    .prepare<[number], MemoryCells>('SELECT * FROM memories WHERE user_id = ?')
    .all(userId)
  const wrong = stored.filter((row) => !matchesLog(row, projected.get(row.id)))
  const erased = new Set(log.filter(({ kind }) => kind === 'erase').map(({ memory }) => memory))
  // A memory whose payloads the log lost is projected as erased, without an erase operation. Then only the row has its text.
  const canProject = ({ id }: MemoryCells): boolean =>
    projected.has(id) && (projected.get(id)?.status !== 'erased' || erased.has(id))
  const lostCount = wrong.filter((row) => !canProject(row)).length
  const findings: Finding[] = []
  if (lostCount > 0) {
    const detail = `Of user ${userId}, the log no longer yields ${lostCount} memories.`
    findings.push({ check: 'projection', detail, state: 'lost' })
  }
  const differing = wrong.filter(canProject)
  if (differing.length === 0) return findings
  if (mend) for (const row of differing) mendMemory(database, row, projected.get(row.id), log)
  const detail = `Of user ${userId}, ${differing.length} memories are not what the log makes them.`
  return [...findings, { check: 'projection', detail, state: mend ? 'mended' : 'mendable' }]
}

function matchesLog(row: MemoryCells, memory: Memory | undefined): boolean {
  const stored = parseState(row)
  if (memory === undefined || stored === null) return false
  return (
    row.status === memory.status &&
    row.form === memory.form &&
    isDeepStrictEqual(changeFromBlank(stored), changeFromBlank(memory))
  )
}

/** Parses the stored state of a memory; `null` if the state is damaged. */
function parseState({ id, scope_id: scope, state }: MemoryCells): Memory | null {
  try {
    return memoryFromBlank(id, scope, JSON.parse(state) as MemoryChange)
  } catch {
    return null
  }
}

/** Writes the projection of a memory, and raises the user's revision, so that caches load the memory. */
function mendMemory(
  database: Database,
  { user_id, number, sequence }: MemoryCells,
  memory: Memory | undefined,
  log: readonly Operation[],
): void {
  if (memory === undefined) return
  const revision = Number(
    database
      .prepare(
        'UPDATE users SET revision = revision + 1, fact_revision = revision + 1 WHERE user_id = ? RETURNING revision',
      )
      .pluck()
      .get(user_id),
  )
  const row = memoryRow({ userId: user_id, number, sequence, revision }, memory)
  const columns = Object.keys(row)
  const assignments = columns.map((column) => `${column} = @${column}`)
  database
    .prepare(`UPDATE memories SET ${assignments.join(', ')} WHERE user_id = @user_id AND number = @number`)
    .run(row)
  const insertEvidence = database.prepare(
    'INSERT OR IGNORE INTO evidence (user_id, turn_id, memory_id) VALUES (?, ?, ?)',
  )
  const operations = log.filter((operation) => operation.memory === memory.id)
  for (const turn of turnsQuoted(memory, operations)) insertEvidence.run(user_id, turn, memory.id)
}

import { stat } from 'node:fs/promises'
import { Connection } from '../connection.ts'
import { defineFunctions } from '../define-functions.ts'
import { lastUnscrubbed } from '../keep-receipts.ts'
import { openDatabase } from '../open-database.ts'
import { readJournal } from '../read-journal.ts'
import { keepStatements, type Sql } from '../sql.ts'
import { checkProjection } from './check-projection.ts'
import { checkOrphans, findUnindexed } from './check-rows.ts'
import type { Finding } from './finding.ts'

export interface ExamineOptions {
  readonly path: string
  /** Mends what can be mended; without, nothing is changed. */
  readonly mend?: boolean
}

/** What was found, and who is to be indexed anew, which takes an open memory. */
export interface Examined {
  readonly findings: readonly Finding[]
  /** Row numbers of people. */
  readonly unindexed: readonly number[]
}

const MOST_TOLD = 20
/** As long as another process may write before the doctor gives up. */
const PATIENCE_MS = 5_000

/**
 * Looks a memory's file over: its pages, whether memories are what the log makes them, whether the index knows every turn, and rows that
 * belong to nothing. Mends what the log or the rows can make again.
 *
 * @throws StoreError when the file cannot be opened at all
 * @example
 * const { findings } = await examineFile({ path: 'memory.db' })
 */
export async function examineFile({ path, mend = false }: ExamineOptions): Promise<Examined> {
  const journal = await checkJournal(path)
  const options = { path, synchronous: 'full', busyTimeoutMs: PATIENCE_MS, readOnly: !mend } as const
  const sql = keepStatements(await openDatabase(options))
  defineFunctions(sql)
  const connection = new Connection(sql, PATIENCE_MS)
  try {
    const pages = await connection.call((on) => checkPages(on, mend))
    // What stands in damaged pages cannot be compared with anything.
    const isReadable = pages.every(({ state }) => state !== 'lost')
    const rows = isReadable ? await connection.call((on) => checkRows(on, mend)) : []
    const unindexed = isReadable ? await connection.call(findUnindexed) : []
    const index = unindexed.map(({ owner, turns }): Finding => {
      const detail = `Of person ${owner}, ${turns} turns stand in no index: recall does not find them.`
      return { check: 'index', detail, state: 'mendable' }
    })
    const findings = [...journal, ...(await checkAccess(path)), ...pages, ...rows, ...index]
    return { findings, unindexed: unindexed.map(({ owner }) => owner) }
  } finally {
    sql.database.close()
  }
}

async function checkJournal(path: string): Promise<Finding[]> {
  const journal = await readJournal(`${path}-wal`)
  if (journal?.isTorn !== true) return []
  const detail = `The journal ends in the middle of a write, after ${journal.frames} whole pages; later writes may be missing.`
  return [{ check: 'journal', detail, state: 'lost' }]
}

async function checkAccess(path: string): Promise<Finding[]> {
  const { mode } = await stat(path)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  const detail = `Other accounts of this machine may read the file: "chmod 600" it, if they are not meant to.`
  return [{ check: 'access', detail, state: 'lost' }]
}

function checkPages(sql: Sql, mend: boolean): Finding[] {
  const problems = integrity(sql)
  if (problems.length === 0) return []
  if (mend && problems.every(isOfIndex)) {
    sql.database.exec('REINDEX')
    if (integrity(sql).length === 0)
      return problems.map((detail) => ({ check: 'pages', detail, state: 'mended' }))
  }
  const state = problems.every(isOfIndex) && !mend ? 'mendable' : 'lost'
  return problems.map((detail) => ({ check: 'pages', detail, state }))
}

/** SQLite's own check: what it says names tables and pages, and quotes no row. */
function integrity(sql: Sql): string[] {
  const rows = sql.database.pragma(`integrity_check(${MOST_TOLD})`) as {
    readonly integrity_check: string
  }[]
  return rows.map((row) => row.integrity_check).filter((told) => told !== 'ok')
}

/** An index of SQLite's is made again from its table. */
function isOfIndex(problem: string): boolean {
  return /missing from index|wrong # of entries in index|non-unique entry in index/.test(problem)
}

function checkRows(sql: Sql, mend: boolean): Finding[] {
  const findings = [...checkOrphans(sql, mend), ...checkProjection(sql, mend)]
  if (lastUnscrubbed(sql) === 0) return findings
  const detail = 'Bytes of an erasure still stand in the file: they go while it is open to write.'
  return [...findings, { check: 'erasures', detail, state: 'mendable' }]
}

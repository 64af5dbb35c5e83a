import { parentPort, workerData } from 'node:worker_threads'
import { InvalidInputError, type ErrorDetails } from '@keepsake/text'
import { NotPossibleError } from '../../errors/not-possible-error.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { ExportRow } from '../store.ts'
import { Connection } from './connection.ts'
import { defineFunctions } from './define-functions.ts'
import { importRows } from './import-rows.ts'
import { openDatabase } from './open-database.ts'
import { keepStatements } from './sql.ts'

/** What the thread is started with. */
export interface ImportWork {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly busyTimeoutMs: number
}

/** What it is sent: rows, and at last that these were all. */
export type ImportPart = { readonly rows: readonly ExportRow[] } | { readonly isWhole: true }

/** What it says at its end. */
export type ImportNews =
  | { readonly imported: readonly ScopeRow[] }
  | {
      readonly refused: 'invalid' | 'not-possible'
      readonly message: string
      readonly details: ErrorDetails
    }
  | { readonly failed: string; readonly code: string | null }

const all: ExportRow[] = []
const tell = (news: ImportNews): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(news)
}

async function importAll({ path, synchronous, busyTimeoutMs }: ImportWork): Promise<ScopeRow[]> {
  const database = await openDatabase({ path, synchronous, busyTimeoutMs, readOnly: false })
  try {
    const sql = keepStatements(database)
    defineFunctions(sql)
    return await new Connection(sql, busyTimeoutMs).call((own) => importRows(own, all))
  } finally {
    database.close()
  }
}

function failureOf(error: unknown): ImportNews {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof InvalidInputError) return { refused: 'invalid', message, details: error.details }
  if (error instanceof NotPossibleError) return { refused: 'not-possible', message, details: error.details }
  return { failed: message, code: error instanceof Error && 'code' in error ? String(error.code) : null }
}

parentPort?.on('message', (part: ImportPart) => {
  if ('rows' in part) all.push(...part.rows)
  else {
    importAll(workerData as ImportWork)
      .then(
        (imported) => tell({ imported }),
        (error: unknown) => tell(failureOf(error)),
      )
      .finally(() => parentPort?.close())
  }
})

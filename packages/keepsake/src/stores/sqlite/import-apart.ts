import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { InvalidInputError } from '@keepsake/text'
import { NotPossibleError } from '../../errors/not-possible-error.ts'
import { StoreError, type StoreErrorCode } from '../../errors/store-error.ts'
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { ExportRow } from '../store.ts'
import type { ImportNews, ImportPart, ImportWork } from './import-worker.ts'

/** Fewer are imported in some tens of milliseconds, less than a thread takes to start. */
const WORTH_A_THREAD = 1_000
/** Rows handed over in one go: copying them takes about a millisecond. */
const ROWS_AT_A_TIME = 250

/** Source files are run as they are, built ones under their own ending. */
const WORKER = new URL(`./import-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** Whether so many rows are imported off the thread that answers. */
export function isWorthAThread(rows: number): boolean {
  return rows >= WORTH_A_THREAD
}

/**
 * Imports in a thread over a connection of its own: one transaction all the same, which readers do not notice and writers wait for.
 *
 * @throws what importing here would
 */
export async function importApart(work: ImportWork, rows: readonly ExportRow[]): Promise<ScopeRow[]> {
  const worker = new Worker(WORKER, { workerData: work })
  try {
    const news = new Promise<ImportNews>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread that imports ended without a word.')))
    })
    // What goes wrong before all is handed over is told below.
    news.catch(() => undefined)
    const send = (part: ImportPart): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(part)
    }
    for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
      send({ rows: rows.slice(from, from + ROWS_AT_A_TIME) })
      await yieldToEventLoop()
    }
    send({ isWhole: true })
    return importedBy(await news, work.path)
  } finally {
    await worker.terminate()
  }
}

function importedBy(news: ImportNews, path: string): ScopeRow[] {
  if ('imported' in news) return [...news.imported]
  if ('refused' in news) {
    const { refused, message, details } = news
    throw refused === 'invalid'
      ? new InvalidInputError(message, details)
      : new NotPossibleError(message, details)
  }
  const code = (news.code?.startsWith('store-') === true ? news.code : 'store-failed') as StoreErrorCode
  throw new StoreError(code, news.failed, { details: { file: path } })
}

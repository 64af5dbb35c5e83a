import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

/** What the thread is started with. */
export interface CheckpointWork {
  readonly path: string
}

/** What it is asked: to copy back what the journal holds, or to close the file and end. */
export type CheckpointAsk = 'copy' | 'end'

/** What it says: that it has the file open, or has copied what it could. */
export type CheckpointNews = 'ready' | 'copied'

/** Pages after which the journal is begun anew even while others write: they wait for as long as what came meanwhile takes to copy. */
const LONGEST_JOURNAL = 4_000
/** How long this thread waits for a writer then. */
const WAIT_MS = 50

interface Copied {
  /** Pages in the journal. */
  readonly log: number
}

const { path } = workerData as CheckpointWork
const database = new Database(path, { fileMustExist: true, timeout: WAIT_MS })
// Both files are flushed before anything of the journal is written over.
database.pragma('synchronous = NORMAL')

function copyBack(): void {
  const [copied] = database.pragma('wal_checkpoint(PASSIVE)') as Copied[]
  if ((copied?.log ?? 0) > LONGEST_JOURNAL) database.pragma('wal_checkpoint(RESTART)')
}

function tell(news: CheckpointNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(news)
}

parentPort?.on('message', (ask: CheckpointAsk) => {
  if (ask === 'end') {
    database.close()
    parentPort?.close()
    return
  }
  try {
    copyBack()
  } catch {
    // On a full disk, or beside somebody who has the file to themself: what is in the journal is as safe there, and is tried again.
  }
  tell('copied')
})
tell('ready')

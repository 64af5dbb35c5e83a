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
/** From so many on the thread waits, with writers behind it, until nobody reads in the journal; before, it only looks whether anybody does. */
const FAR_TOO_LONG = 16_000
const WAIT_MS = 50
/** So often it looks, with a moment for those who read and write between two looks. */
const LOOKS = 10
const MOMENT_MS = 2

interface Copied {
  /** 1: somebody read or wrote just then, so that the journal was not begun anew. */
  readonly busy: number
  /** Pages in the journal. */
  readonly log: number
}

const { path } = workerData as CheckpointWork
const database = new Database(path, { fileMustExist: true, timeout: 0 })
// Both files are flushed before anything of the journal is written over.
database.pragma('synchronous = NORMAL')

const nobody = new Int32Array(new SharedArrayBuffer(4))

function checkpoint(mode: 'PASSIVE' | 'RESTART'): Copied {
  const [copied] = database.pragma(`wal_checkpoint(${mode})`) as Copied[]
  return copied ?? { busy: 0, log: 0 }
}

function copyBack(): void {
  const { log } = checkpoint('PASSIVE')
  if (log <= LONGEST_JOURNAL) return
  // While SQLite waits for readers it keeps all writers waiting, so it does so only where nothing else has helped, and once.
  const isFarTooLong = log > FAR_TOO_LONG
  database.pragma(`busy_timeout = ${isFarTooLong ? WAIT_MS : 0}`)
  const most = isFarTooLong ? 1 : LOOKS
  for (let looks = 0; looks < most && checkpoint('RESTART').busy === 1; looks += 1)
    Atomics.wait(nobody, 0, 0, MOMENT_MS)
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

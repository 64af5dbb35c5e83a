import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ScrubNews, ScrubWork } from './scrub-worker.ts'
import { scrubPass, type ScrubOutcome, type ScrubRequest } from './scrub-pass.ts'

/** Larger files are gone through in a thread of their own; a smaller one takes some milliseconds, less than a thread takes to start. */
const MOST_BYTES_HERE = 4 * 1024 * 1024

/** Source files are run as they are, built ones under their own ending. */
const WORKER = new URL(`./scrub-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** A pass that may be told to stop. */
export interface RunningPass {
  readonly outcome: Promise<ScrubOutcome>
  readonly stop: () => void
}

/** Runs a pass: off this thread where the file is large. */
export function startPass(request: ScrubRequest, bytes: number): RunningPass {
  return bytes <= MOST_BYTES_HERE ? passHere(request) : passApart(request)
}

function passHere(request: ScrubRequest): RunningPass {
  let isStopped = false
  return { outcome: scrubPass(request, () => isStopped), stop: () => (isStopped = true) }
}

function passApart(request: ScrubRequest): RunningPass {
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const work: ScrubWork = { ...request, stop }
  const outcome = new Promise<ScrubOutcome>((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: work })
    // By itself it keeps no process alive. Closing a store tells it to stop and waits for it; what a process that ends without closing
    // leaves undone is begun anew at the next open.
    worker.unref()
    worker.once('message', (news: ScrubNews) =>
      'outcome' in news ? resolve(news.outcome) : reject(failureOf(news)),
    )
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that scrubs the file ended without a word.')))
  })
  return { outcome, stop: () => Atomics.store(new Int32Array(stop), 0, 1) }
}

function failureOf({ message, code }: Exclude<ScrubNews, { outcome: unknown }>): Error {
  return Object.assign(new Error(message), code === null ? {} : { code })
}

import { parentPort, workerData } from 'node:worker_threads'
import { scrubPass, type ScrubOutcome, type ScrubRequest } from './scrub-pass.ts'

/** What the thread is started with. */
export interface ScrubWork extends ScrubRequest {
  /** One 32-bit number, not 0 once the thread is to stop. */
  readonly stop: SharedArrayBuffer
}

/** What the thread says at its end. */
export type ScrubNews =
  { readonly outcome: ScrubOutcome } | { readonly message: string; readonly code: string | null }

const { stop, ...request } = workerData as ScrubWork
const isStopped = (): boolean => Atomics.load(new Int32Array(stop), 0) !== 0

scrubPass(request, isStopped).then(
  (outcome) => tell({ outcome }),
  (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    tell({ message: error instanceof Error ? error.message : String(error), code })
  },
)

function tell(news: ScrubNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(news)
}

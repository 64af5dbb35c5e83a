import { setImmediate as nextTick } from 'node:timers/promises'

/** Maximum time without yielding to the event loop, in milliseconds. */
const MAX_BLOCKED_MS = 4

let since = performance.now()

/** Yields to the event loop after some milliseconds of work. Call it between small pieces of long work. */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - since < MAX_BLOCKED_MS) return
  await nextTick()
  since = performance.now()
}
